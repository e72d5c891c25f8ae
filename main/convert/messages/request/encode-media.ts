import type { MediaPart, TextPart } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import { cleanMedia, isReadable } from '../../media/media.ts'
import type { ModelRules } from '../../model/model-rules.ts'

/** https://docs.anthropic.com/en/docs/build-with-claude/vision */
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

/**
 * An image or document block, without its cache mark; null for an empty text document. Refuses what no
 * Claude model reads, naming the part.
 */
export function encodeMedia(part: MediaPart, rules: ModelRules, loss: Loss): JsonObject | null {
  const at = part.at ?? loss.field('turns')
  const own = loss.native(part.native, 'messages', part.at)
  if (own.container_upload !== undefined) return own.container_upload as JsonObject
  if (part.kind === 'audio' || part.kind === 'video') {
    loss.refuse(at, `must not be ${part.kind}: Claude models do not take it`)
  }
  if (part.detail !== undefined && part.detail !== 'auto') {
    loss.drop(`${at}.detail`, 'detail_of_upstream')
  }
  return part.kind === 'image'
    ? { type: 'image', source: imageSource(part, at, rules, loss), ...own }
    : encodeDocument(part, at, own, rules, loss)
}

function imageSource({ source }: MediaPart, at: string, rules: ModelRules, loss: Loss): JsonObject {
  if (source.type === 'url') return { type: 'url', url: fetchable(source.url, at, rules, loss) }
  if (source.type === 'file') return fileSource(source, at, loss)
  if (source.type === 'text') return loss.refuse(at, 'must be a JPEG, PNG, GIF or WebP image')
  const { mediaType, data } = cleanMedia(source.mediaType, source.data)
  if (!imageTypes.includes(mediaType)) {
    loss.refuse(
      at,
      `must be a JPEG, PNG, GIF or WebP image, not ${mediaType || 'one without a type'}`,
    )
  }
  if (data === '') loss.refuse(at, 'must not be an empty image')
  return { type: 'base64', media_type: mediaType, data }
}

/** The vendor fetches https addresses only. */
function fetchable(url: string, at: string, rules: ModelRules, loss: Loss): string {
  if (!rules.urlMedia)
    loss.refuse(at, 'must be sent as data (base64): this upstream fetches no addresses')
  if (!/^https:\/\//i.test(url))
    loss.refuse(at, 'must be an https address, or sent as data (base64)')
  return url
}

function fileSource(source: { id: string; origin: string }, at: string, loss: Loss): JsonObject {
  if (source.origin !== 'messages') {
    loss.refuse(at, 'must not be a file that lies at another vendor: send its content')
  }
  return { type: 'file', file_id: source.id }
}

function encodeDocument(
  part: MediaPart,
  at: string,
  own: JsonObject,
  rules: ModelRules,
  loss: Loss,
): JsonObject | null {
  const source = own.source ?? documentSource(part, at, rules, loss)
  if (source === null) return null
  const title = part.title ?? part.filename
  return {
    type: 'document',
    ...own,
    source,
    ...(title === undefined ? {} : { title }),
    ...(part.context === undefined ? {} : { context: part.context }),
    ...(part.citations === undefined ? {} : { citations: { enabled: part.citations } }),
  }
}

function documentSource(
  { source }: MediaPart,
  at: string,
  rules: ModelRules,
  loss: Loss,
): JsonObject | null {
  if (source.type === 'file') return fileSource(source, at, loss)
  if (source.type === 'text') return textSource(source.text)
  if (source.type === 'url') return { type: 'url', url: fetchable(source.url, at, rules, loss) }
  const { mediaType, data } = cleanMedia(source.mediaType, source.data)
  if (mediaType === 'application/pdf') {
    if (data === '') loss.refuse(at, 'must not be an empty document')
    return { type: 'base64', media_type: mediaType, data }
  }
  if (!isReadable(mediaType)) {
    loss.refuse(at, `must be a PDF or a text, not ${mediaType || 'a file without a type'}`)
  }
  return textSource(Buffer.from(data, 'base64').toString('utf8'))
}

const textSource = (text: string): JsonObject | null =>
  text.trim() === '' ? null : { type: 'text', media_type: 'text/plain', data: text }

/** Text in the place of a medium that could not be carried. */
export const mediaNote = ({ kind, title, filename }: MediaPart): TextPart => {
  const name = title ?? filename
  const what = kind === 'image' ? 'An image' : 'A file'
  return { type: 'text', text: `[${what}${name === undefined ? '' : `, ${name},`} follows below.]` }
}
