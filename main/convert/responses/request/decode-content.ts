import { ownValue } from '../../../base/own-value.ts'
import { refuse } from '../../check/check-request.ts'
import type {
  CacheMark,
  MediaPart,
  MediaSource,
  NativePart,
  RefusalPart,
  TextPart,
} from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { mediaKindOf, parseDataUrl } from '../../media/media.ts'
import { decodeAnnotations } from '../citations.ts'
import { atOf, fieldsBeside, ownNative } from '../own-fields.ts'

export type ContentPart = TextPart | MediaPart | RefusalPart | NativePart

const knownOfText = new Set(['type', 'text', 'annotations', 'logprobs', 'prompt_cache_breakpoint'])
const knownOfImage = new Set(['type', 'image_url', 'file_id', 'detail', 'prompt_cache_breakpoint'])
const knownOfFile = new Set([
  ...['type', 'file_data', 'file_url', 'file_id', 'filename', 'prompt_cache_breakpoint'],
])

const audioTypes: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', wav: 'audio/wav' }

/** Endings by which a file's type is known where its data does not say it. */
const fileTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
}

function readCacheMark(part: JsonObject): { cacheMark?: CacheMark } {
  const mark = asObject(part.prompt_cache_breakpoint)
  return mark ? { cacheMark: { ttl: asString(mark.ttl) ?? null } } : {}
}

function decodeText(part: JsonObject, at: string | undefined): TextPart {
  const citations = decodeAnnotations(part.annotations)
  const hasLogprobs = Array.isArray(part.logprobs) && part.logprobs.length > 0
  return {
    type: 'text',
    text: asString(part.text) ?? '',
    ...(citations.length > 0 ? { citations } : {}),
    ...atOf(at),
    ...readCacheMark(part),
    ...ownNative({
      ...fieldsBeside(part, knownOfText),
      ...(hasLogprobs ? { logprobs: part.logprobs } : {}),
    }),
  }
}

/** An address, which may be a `data:` one. */
function sourceOf(url: string): MediaSource {
  const inline = parseDataUrl(url)
  return inline ? { type: 'base64', ...inline } : { type: 'url', url, mediaType: null }
}

function decodeImage(part: JsonObject, at: string | undefined): MediaPart {
  const url = asString(part.image_url) ?? asString(asObject(part.image_url)?.url)
  const id = asString(part.file_id)
  const detail = asString(part.detail)
  if (url === undefined && id === undefined) {
    return refuse(at ?? 'input', 'must_have_image')
  }
  return {
    type: 'media',
    kind: 'image',
    source: url === undefined ? { type: 'file', id: id ?? '', origin: 'responses' } : sourceOf(url),
    ...(detail === undefined ? {} : { detail }),
    ...atOf(at),
    ...readCacheMark(part),
    ...ownNative(fieldsBeside(part, knownOfImage)),
  }
}

/** `file_data`, a `data:` address by the vendor's examples; some clients send bare base64. */
function fileSource(data: string, filename: string | undefined): MediaSource {
  const ending = /\.([^.]+)$/.exec(filename ?? '')?.[1]?.toLowerCase() ?? ''
  const inline = parseDataUrl(data)
  const mediaType = inline?.mediaType ?? fileTypes[ending] ?? 'application/pdf'
  const base64 = inline?.data ?? data
  if (!mediaType.startsWith('text/')) return { type: 'base64', mediaType, data: base64 }
  return { type: 'text', mediaType, text: Buffer.from(base64, 'base64').toString() }
}

function decodeFile(part: JsonObject, at: string | undefined): MediaPart {
  const data = asString(part.file_data)
  const url = asString(part.file_url)
  const id = asString(part.file_id)
  const filename = asString(part.filename)
  let source: MediaSource
  if (data !== undefined) source = fileSource(data, filename)
  else if (url !== undefined) source = sourceOf(url)
  else if (id !== undefined) source = { type: 'file', id, origin: 'responses' }
  else return refuse(at ?? 'input', 'must_have_file')
  return {
    type: 'media',
    kind: source.type === 'base64' ? mediaKindOf(source.mediaType) : 'document',
    source,
    ...(filename === undefined ? {} : { filename }),
    ...atOf(at),
    ...readCacheMark(part),
    // Even without a field it tells the way back that this was a file and no text.
    native: { origin: 'responses', fields: fieldsBeside(part, knownOfFile) },
  }
}

function decodeAudio(part: JsonObject, at: string | undefined): MediaPart {
  const audio = asObject(part.input_audio)
  const data = asString(audio?.data)
  if (data === undefined) return refuse(at ?? 'input', 'must_have_audio')
  const mediaType =
    ownValue(audioTypes, asString(audio?.format) ?? 'wav') ?? `audio/${audio?.format}`
  return {
    type: 'media',
    kind: 'audio',
    source: { type: 'base64', mediaType, data },
    ...atOf(at),
  }
}

/** One part of a message or of a tool's output. What the exchange has no word for is kept whole. */
function decodeContentPart(value: unknown, at: string | undefined): ContentPart {
  if (typeof value === 'string') return { type: 'text', text: value, ...atOf(at) }
  const part = asObject(value)
  if (!part) return refuse(at ?? 'input', 'must_be_object')
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return decodeText(part, at)
    case 'refusal':
      return { type: 'refusal', text: asString(part.refusal) ?? '', ...atOf(at) }
    case 'input_image':
      return decodeImage(part, at)
    case 'input_file':
      return decodeFile(part, at)
    case 'input_audio':
      return decodeAudio(part, at)
    default:
      return { type: 'native', origin: 'responses', value: part, ...atOf(at) }
  }
}

/** Content that is a text or an array of parts. `at` is its own path. */
export function decodeContent(content: unknown, at: string | undefined): ContentPart[] {
  if (content === null || content === undefined) return []
  if (typeof content === 'string') return [{ type: 'text', text: content, ...atOf(at) }]
  if (!Array.isArray(content)) return refuse(at ?? 'input', 'must_be_string_or_array')
  return content.map((part, index) =>
    decodeContentPart(part, at === undefined ? undefined : `${at}[${index}]`),
  )
}
