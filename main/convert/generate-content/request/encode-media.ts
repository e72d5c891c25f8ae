import type { MediaPart } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { cleanMedia, isReadable } from '../../media/media.ts'
import { type Encoding, nodeFields } from '../encoding.ts'
import { FORMAT, placeFields, spellingOf } from '../wire-fields.ts'

/** https://ai.google.dev/gemini-api/docs/image-understanding#supported-formats */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif']

const typeOfEnding: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  heic: 'image/heic',
  pdf: 'application/pdf',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
  txt: 'text/plain',
  html: 'text/html',
}

const typeOfAddress = (address: string): string | undefined =>
  typeOfEnding[/\.([a-z0-9]+)(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? '']

const placeOf = (part: MediaPart): string => part.at ?? part.kind

function checkImage(part: MediaPart, mediaType: string, { isOwn, loss }: Encoding): void {
  if (isOwn || part.kind !== 'image' || imageTypes.includes(mediaType)) return
  loss.refuse(placeOf(part), 'must_be_image_for_model')
}

/** https://ai.google.dev/gemini-api/docs/document-processing: PDFs, and what can be read as text. */
function documentType(part: MediaPart, mediaType: string, { isOwn, loss }: Encoding): string {
  if (isOwn || part.kind !== 'document' || mediaType === 'application/pdf') return mediaType
  if (isReadable(mediaType)) return 'text/plain'
  return loss.refuse(
    placeOf(part),
    mediaType === ''
      ? 'must_be_document_for_model_with_type'
      : { code: 'must_be_document_for_model_not', given: mediaType },
  )
}

function encodeAddress(
  part: MediaPart,
  { url, mediaType }: { url: string; mediaType: string | null },
  encoding: Encoding,
): JsonObject {
  const isFetched = encoding.isOwn || (encoding.rules.urlMedia && url.startsWith('https:'))
  if (!isFetched) {
    encoding.loss.refuse(placeOf(part), 'must_be_data_for_model')
  }
  const type = mediaType ?? (encoding.isOwn ? undefined : typeOfAddress(url))
  if (type !== undefined) checkImage(part, type, encoding)
  return { fileData: { fileUri: url, ...(type === undefined ? {} : { mimeType: type }) } }
}

/** The `inlineData` or `fileData` that holds a file, without anything beside it. */
export function encodeMediaData(part: MediaPart, encoding: Encoding): JsonObject {
  const { source } = part
  if (source.type === 'url') return encodeAddress(part, source, encoding)
  if (source.type === 'file') {
    if (source.origin !== FORMAT) {
      encoding.loss.refuse(placeOf(part), 'file_kept_elsewhere')
    }
    return { fileData: { fileUri: source.id, ...spellingOf(part.native) } }
  }
  if (source.type === 'text') {
    const data = Buffer.from(source.text).toString('base64')
    return { inlineData: { mimeType: encoding.isOwn ? source.mediaType : 'text/plain', data } }
  }
  const { mediaType, data } = cleanMedia(source.mediaType, source.data)
  checkImage(part, mediaType, encoding)
  return { inlineData: { mimeType: documentType(part, mediaType, encoding), data } }
}

/** Facts of a document beside its content, as lines of text. */
const headingOf = ({ title, context }: MediaPart): string =>
  [title && `Title: ${title}`, context && `Context: ${context}`].filter(Boolean).join('\n')

const levelOfDetail: Readonly<Record<string, string>> = {
  low: 'MEDIA_RESOLUTION_LOW',
  high: 'MEDIA_RESOLUTION_HIGH',
}

/**
 * A file as wire parts: title and context, which have no field here, as a text before it. How closely
 * another format's image is looked at is said once for the whole request; see `encodeConfig`.
 */
export function encodeMedia(part: MediaPart, encoding: Encoding): JsonObject[] {
  const { loss, isOwn } = encoding
  const fields = nodeFields(part, encoding)
  const heading = headingOf(part)
  if (heading !== '') loss.approximate(placeOf(part), 'title_as_text')
  if (part.citations) loss.drop(`${placeOf(part)}.citations`, 'cites_no_documents')
  const before = heading === '' ? [] : [{ text: heading }]
  const data = encodeMediaData(part, encoding)
  if (part.filename !== undefined) {
    if (isOwn)
      for (const value of Object.values(data)) (value as JsonObject).displayName = part.filename
    else loss.drop(`${placeOf(part)}.filename`, 'no_field_here')
  }
  const level = isOwn ? levelOfDetail[part.detail ?? ''] : undefined
  const resolution = level === undefined ? {} : { mediaResolution: { level } }
  return [...before, placeFields({ ...data, ...resolution }, fields)]
}
