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
    loss.refuse(at, { code: 'claude_takes_none', kind: part.kind })
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
  if (source.type === 'text') return loss.refuse(at, 'must_be_image')
  const { mediaType, data } = cleanMedia(source.mediaType, source.data)
  if (!imageTypes.includes(mediaType)) {
    loss.refuse(
      at,
      mediaType === ''
        ? 'must_be_image_with_type'
        : { code: 'must_be_image_not', given: mediaType },
    )
  }
  if (data === '') loss.refuse(at, 'must_not_be_empty_image')
  return { type: 'base64', media_type: mediaType, data }
}

/** The vendor fetches https addresses only. */
function fetchable(url: string, at: string, rules: ModelRules, loss: Loss): string {
  if (!rules.urlMedia) loss.refuse(at, 'must_be_data')
  if (!/^https:\/\//i.test(url)) loss.refuse(at, 'must_be_https_or_data')
  return url
}

function fileSource(source: { id: string; origin: string }, at: string, loss: Loss): JsonObject {
  if (source.origin !== 'messages') {
    loss.refuse(at, 'must_not_lie_elsewhere')
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
    if (data === '') loss.refuse(at, 'must_not_be_empty_document')
    return { type: 'base64', media_type: mediaType, data }
  }
  if (!isReadable(mediaType)) {
    loss.refuse(
      at,
      mediaType === ''
        ? 'must_be_document_with_type'
        : { code: 'must_be_document_not', given: mediaType },
    )
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
