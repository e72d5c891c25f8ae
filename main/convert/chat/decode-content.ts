import { refuse } from '../check/check-request.ts'
import type {
  CacheMark,
  MediaKind,
  MediaPart,
  MediaSource,
  NativePart,
  ReasoningPart,
  RefusalPart,
  TextPart,
} from '../exchange.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asArray, asObject, asString } from '../json/json-value.ts'
import { cleanMedia, mediaKindOf, parseDataUrl } from '../media/media.ts'
import { readState } from '../reasoning/reasoning-state.ts'
import { ownFields } from './own-fields.ts'

export type ContentPart = TextPart | MediaPart | RefusalPart | ReasoningPart | NativePart

/** Fields that mark a part for the vendor's cache: OpenAI's and, behind compatible layers, Anthropic's. */
const markFields = ['prompt_cache_breakpoint', 'cache_control']

export function decodeCacheMark(object: JsonObject): { cacheMark?: CacheMark } {
  for (const field of markFields) {
    const mark = asObject(object[field])
    if (mark) return { cacheMark: { ttl: asString(mark.ttl) ?? null } }
  }
  return {}
}

const knownOf = (...names: string[]): ReadonlySet<string> =>
  new Set(['type', ...markFields, ...names])

const known = {
  text: knownOf('text'),
  image: knownOf('image_url', 'index'),
  imageUrl: new Set(['url', 'detail']),
  audio: knownOf('input_audio'),
  file: knownOf('file'),
  video: knownOf('video_url'),
  refusal: knownOf('refusal'),
  thinking: knownOf('thinking', 'signature'),
  redacted: knownOf('data'),
  block: knownOf('source', 'title', 'context'),
}

function sourceOf(url: string): MediaSource {
  const parsed = parseDataUrl(url)
  if (!parsed) return { type: 'url', url, mediaType: null }
  return { type: 'base64', ...cleanMedia(parsed.mediaType, parsed.data) }
}

/** `image_url` and its like: `{url}`, or the address alone as some vendors have it. */
export function decodeMediaUrl(part: JsonObject, kind: MediaKind, field: string): MediaPart | null {
  const inner = asObject(part[field])
  const url = asString(inner?.url) ?? asString(part[field])
  if (!url) return null
  const detail = asString(inner?.detail)
  return {
    type: 'media',
    kind,
    source: sourceOf(url),
    ...(detail === undefined ? {} : { detail }),
    ...ownFields({ ...part, ...(inner ?? {}) }, new Set([...known.imageUrl, ...knownOf(field)])),
  }
}

function decodeAudio(part: JsonObject, path: string): MediaPart {
  const audio = asObject(part.input_audio)
  const data = asString(audio?.data)
  if (data === undefined) return refuse(`${path}.input_audio.data`, 'must_be_sound')
  const format = asString(audio?.format) ?? 'wav'
  const mediaType = format === 'mp3' ? 'audio/mpeg' : `audio/${format}`
  return {
    type: 'media',
    kind: 'audio',
    source: { type: 'base64', ...cleanMedia(mediaType, data) },
    ...ownFields(part, known.audio),
  }
}

function fileSource(file: JsonObject, path: string): MediaSource {
  const id = asString(file.file_id)
  if (id) return { type: 'file', id, origin: 'chat' }
  const data = asString(file.file_data)
  if (!data) return refuse(path, 'must_hold_file')
  if (/^https?:/i.test(data)) return { type: 'url', url: data, mediaType: null }
  const parsed = parseDataUrl(data)
  const { mediaType, data: base64 } = cleanMedia(parsed?.mediaType ?? '', parsed?.data ?? data)
  return { type: 'base64', mediaType: mediaType || 'application/pdf', data: base64 }
}

function decodeFile(part: JsonObject, path: string): MediaPart {
  const file = asObject(part.file) ?? {}
  const source = fileSource(file, `${path}.file`)
  const filename = asString(file.filename)
  return {
    type: 'media',
    kind: source.type === 'base64' ? mediaKindOf(source.mediaType) : 'document',
    source,
    ...(filename ? { filename } : {}),
    ...ownFields(part, known.file),
  }
}

function blockSource({ type, media_type, data, url }: JsonObject): MediaSource | null {
  const mediaType = asString(media_type) ?? ''
  const address = asString(url)
  if (type === 'url' && address) return { type: 'url', url: address, mediaType: null }
  if (typeof data !== 'string') return null
  if (type === 'base64') return { type: 'base64', ...cleanMedia(mediaType, data) }
  return type === 'text' ? { type: 'text', text: data, mediaType: mediaType || 'text/plain' } : null
}

/** Anthropic's block of an image or a document, which Cursor sends here; null for what holds none. */
function decodeMediaBlock(part: JsonObject, kind: 'image' | 'document'): MediaPart | null {
  const source = blockSource(asObject(part.source) ?? {})
  if (!source) return null
  const title = asString(part.title)
  const context = asString(part.context)
  return {
    ...{ type: 'media', kind, source },
    ...(title === undefined ? {} : { title }),
    ...(context === undefined ? {} : { context }),
    ...ownFields(part, known.block),
  }
}

/** A thought as a part: Mistral's, or Anthropic's block with what Claude wants back. */
function decodeThinking(part: JsonObject): ReasoningPart {
  const signature = asString(part.signature)
  return {
    type: 'reasoning',
    sections: [thinkingText(part.thinking)].filter((text) => text !== ''),
    form: 'raw',
    ...(signature ? { state: readState(signature, 'messages', 'signature') } : {}),
    ...ownFields(part, known.thinking),
  }
}

/** Text of a thinking part: Mistral's list of text parts, or plain. */
function thinkingText(value: unknown): string {
  const text = asString(value)
  if (text !== undefined) return text
  return asArray(value)
    .map((one) => asString(asObject(one)?.text) ?? '')
    .join('')
}

function decodeRedacted(part: JsonObject): ReasoningPart | null {
  const data = asString(part.data)
  if (!data) return null
  const state = readState(data, 'messages', 'redacted')
  return { type: 'reasoning', sections: [], form: 'raw', state, ...ownFields(part, known.redacted) }
}

/** One part without its place and cache mark; null for a kind that this format does not know. */
function decodeKnown(part: JsonObject, path: string): ContentPart | null {
  switch (part.type) {
    case 'text':
    // Parts of the Responses format, which some clients send here too.
    case 'input_text':
    case 'output_text': {
      const text = asString(part.text)
      if (text === undefined) return refuse(`${path}.text`, 'must_be_string')
      return { type: 'text', text, ...ownFields(part, known.text) }
    }
    case 'image_url':
    case 'input_image':
      return (
        decodeMediaUrl(part, 'image', 'image_url') ??
        refuse(`${path}.image_url.url`, 'must_be_address')
      )
    case 'image':
    case 'document':
      return decodeMediaBlock(part, part.type)
    case 'video_url':
      return (
        decodeMediaUrl(part, 'video', 'video_url') ??
        refuse(`${path}.video_url.url`, 'must_be_address')
      )
    case 'input_audio':
      return decodeAudio(part, path)
    case 'file':
      return decodeFile(part, path)
    case 'refusal':
      return {
        type: 'refusal',
        text: asString(part.refusal) ?? '',
        ...ownFields(part, known.refusal),
      }
    case 'thinking':
      return decodeThinking(part)
    case 'redacted_thinking':
      return decodeRedacted(part)
    default:
      return null
  }
}

/**
 * A message's `content`: a text, null, or a list of parts. Empty texts are left out. `path` is the content's
 * own; throws `invalid_request` naming the part that cannot be read.
 */
export function decodeContent(content: unknown, path: string): ContentPart[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content, at: path }]
  if (!Array.isArray(content)) return refuse(path, 'must_be_string_or_parts')
  const parts: ContentPart[] = []
  for (const [index, value] of content.entries()) {
    const at = `${path}[${index}]`
    if (typeof value === 'string') {
      if (value !== '') parts.push({ type: 'text', text: value, at })
      continue
    }
    const object = asObject(value)
    if (!object) return refuse(at, 'must_be_object')
    const part = decodeKnown(object, at) ?? { type: 'native', origin: 'chat', value: object }
    if (part.type === 'text' && part.text === '') continue
    parts.push({ ...part, at, ...(part.type === 'native' ? {} : decodeCacheMark(object)) })
  }
  return parts
}
