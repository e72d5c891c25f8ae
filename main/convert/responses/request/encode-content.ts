import type { CacheMark, MediaPart, Part, TextPart } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import { cleanMedia, parseDataUrl, toDataUrl } from '../../media/media.ts'
import type { ModelRules } from '../../model/model-rules.ts'
import { encodeAnnotations } from '../citations.ts'
import { keptFields } from '../own-fields.ts'

/** Facts that hold while one request is encoded. */
export interface EncodeContext {
  rules: ModelRules
  loss: Loss
  /** Whether the client speaks this format: its own fields and items go back as they were. */
  isOwn: boolean
  /** The vendor keeps nothing, so ids of items mean nothing to it. */
  isStateless: boolean
}

const details = new Set(['auto', 'low', 'high', 'original'])
const audioFormats: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}
/** Anthropic's times and the vendor's own nearest ones. */
const cacheTimes: Readonly<Record<string, string>> = { '5m': '30m', '1h': '12h' }

/** Where a part stands in the client's body, for what is said of it. */
export const placeOf = (part: { at?: string }, fallback = 'input'): string => part.at ?? fallback

function cacheBreakpoint(
  part: { at?: string; cacheMark?: CacheMark },
  { rules, loss, isOwn }: EncodeContext,
): JsonObject {
  if (!part.cacheMark) return {}
  if (!rules.cacheMarks && !isOwn) {
    loss.approximate(placeOf(part), 'caches_by_itself')
    return {}
  }
  const { ttl } = part.cacheMark
  const time = ttl === null ? undefined : (cacheTimes[ttl] ?? ttl)
  if (ttl !== null && time !== undefined && time !== ttl) {
    loss.approximate(placeOf(part), { code: 'mark_of_other_time', before: ttl, after: time })
  }
  // The default goes unsaid.
  const isDefault = ttl === '5m'
  return {
    prompt_cache_breakpoint: {
      mode: 'explicit',
      ...(time === undefined || isDefault ? {} : { ttl: time }),
    },
  }
}

const own = (part: { native?: Part['native']; at?: string }, { loss }: EncodeContext): JsonObject =>
  loss.native(part.native, 'responses', part.at)

function encodeImage(part: MediaPart, context: EncodeContext): JsonObject {
  const { source } = part
  const { loss } = context
  if (part.detail !== undefined && !details.has(part.detail)) {
    loss.approximate(placeOf(part), 'detail_of_model')
  }
  const detail = part.detail !== undefined && details.has(part.detail) ? part.detail : 'auto'
  const rest = { detail, ...cacheBreakpoint(part, context), ...own(part, context) }
  if (source.type === 'base64') {
    const { mediaType, data } = cleanMedia(source.mediaType, source.data)
    return { type: 'input_image', image_url: toDataUrl(mediaType, data), ...rest }
  }
  if (source.type === 'url') {
    requireFetching(part, context)
    return { type: 'input_image', image_url: source.url, ...rest }
  }
  if (source.type === 'file') {
    requireOwnFile(source.origin, part, context)
    return { type: 'input_image', file_id: source.id, ...rest }
  }
  return loss.refuse(placeOf(part), 'image_not_as_text')
}

function requireFetching(part: MediaPart, { rules, loss, isOwn }: EncodeContext): void {
  if (rules.urlMedia || isOwn) return
  loss.refuse(placeOf(part), 'must_be_data')
}

/** Chat and Responses are two doors of one vendor; another vendor's file means nothing there. */
function requireOwnFile(origin: string, part: MediaPart, { loss }: EncodeContext): void {
  if (origin !== 'responses' && origin !== 'chat') {
    loss.refuse(placeOf(part), 'file_lies_elsewhere')
  }
}

const headed = (title: string | undefined, text: string): string =>
  title === undefined || title === '' ? text : `${title}\n\n${text}`

function encodeDocument(part: MediaPart, context: EncodeContext): JsonObject[] {
  const { source, filename, title } = part
  const { loss } = context
  const rest = { ...cacheBreakpoint(part, context), ...own(part, context) }
  if (part.citations) loss.approximate(placeOf(part), 'cites_own_way')
  const about: JsonObject[] =
    part.context === undefined
      ? []
      : [{ type: 'input_text', text: headed(filename ?? title, part.context) }]
  const isFile = part.native?.origin === 'responses'
  const name = filename ?? title
  if (source.type === 'url') {
    requireFetching(part, context)
    if (name !== undefined && !isFile) {
      loss.drop(`${placeOf(part)}.filename`, 'no_field_beside_address')
    }
    return [...about, { type: 'input_file', file_url: source.url, ...rest }]
  }
  if (source.type === 'file') {
    requireOwnFile(source.origin, part, context)
    return [...about, { type: 'input_file', file_id: source.id, ...rest }]
  }
  if (source.type === 'text') {
    if (isFile) {
      const data = Buffer.from(source.text).toString('base64')
      return [
        {
          type: 'input_file',
          filename: filename ?? 'document.txt',
          file_data: toDataUrl(source.mediaType, data),
          ...rest,
        },
      ]
    }
    if (source.text === '') return about
    return [...about, { type: 'input_text', text: headed(name, source.text), ...rest }]
  }
  const { mediaType, data } = cleanMedia(source.mediaType, source.data)
  if (mediaType.startsWith('text/') && !isFile) {
    const text = headed(name, Buffer.from(data, 'base64').toString())
    return [...about, { type: 'input_text', text, ...rest }]
  }
  return [
    ...about,
    {
      type: 'input_file',
      filename: name ?? `document.${/\/(?:x-)?(\w+)$/.exec(mediaType)?.[1] ?? 'pdf'}`,
      file_data: toDataUrl(mediaType, data),
      ...rest,
    },
  ]
}

function encodeAudio(part: MediaPart, { loss }: EncodeContext): JsonObject {
  const { source } = part
  const format =
    source.type === 'base64' ? audioFormats[source.mediaType.split(';')[0] ?? ''] : null
  if (source.type !== 'base64' || !format) {
    return loss.refuse(placeOf(part), 'hears_wav_and_mp3')
  }
  const data = parseDataUrl(source.data)?.data ?? source.data
  return { type: 'input_audio', input_audio: { data, format } }
}

/** A medium as parts of an input message or of a tool's output. */
export function encodeMedia(part: MediaPart, context: EncodeContext): JsonObject[] {
  if (part.kind === 'image') return [encodeImage(part, context)]
  if (part.kind === 'document') return encodeDocument(part, context)
  if (part.kind === 'audio') return [encodeAudio(part, context)]
  return context.loss.refuse(placeOf(part), 'sees_no_video')
}

/** A text of the user's or the system's; none for an empty one, which the vendor refuses. */
export const encodeInputText = (part: TextPart, context: EncodeContext): JsonObject[] =>
  part.text === ''
    ? []
    : [
        {
          type: 'input_text',
          text: part.text,
          ...cacheBreakpoint(part, context),
          ...own(part, context),
        },
      ]

/** A text that the assistant said earlier. */
export function encodeOutputText(part: TextPart): JsonObject {
  const { logprobs } = keptFields(part.native)
  return {
    type: 'output_text',
    text: part.text,
    annotations: encodeAnnotations(part.citations, part.text.length),
    ...(Array.isArray(logprobs) ? { logprobs } : {}),
  }
}
