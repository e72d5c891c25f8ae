import type { MediaKind, MediaPart, MediaSource } from '../exchange.ts'
import { innerFields } from '../foreign/kept-fields.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asObject, asString } from '../json/json-value.ts'
import { cleanMedia, mediaKindOf } from '../media/media.ts'
import { camelFields, FORMAT, ownNative } from './wire-fields.ts'

const known = new Set(['mimeType', 'data', 'fileUri', 'displayName'])

const strictText = new TextDecoder('utf-8', { fatal: true })

const kindOfEnding: Readonly<Record<string, MediaKind>> = {
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  webp: 'image',
  gif: 'image',
  heic: 'image',
  mp3: 'audio',
  wav: 'audio',
  ogg: 'audio',
  flac: 'audio',
  mp4: 'video',
  mov: 'video',
  webm: 'video',
  mpeg: 'video',
}

const youTube = /^https:\/\/(www\.)?(youtube\.com|youtu\.be)\//
const ownFile = /^https:\/\/generativelanguage\.googleapis\.com\//

function kindOfAddress(address: string): MediaKind {
  if (youTube.test(address)) return 'video'
  const ending = /\.([a-z0-9]+)(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase()
  return kindOfEnding[ending ?? ''] ?? 'document'
}

/** Text in base64 as text, which every format takes; null where the bytes are no UTF-8. */
function textOf(data: string): string | null {
  try {
    return strictText.decode(Buffer.from(data, 'base64'))
  } catch {
    return null
  }
}

function inlineSource(mediaType: string, data: string): MediaSource {
  if (mediaType.startsWith('text/')) {
    const text = textOf(data)
    if (text !== null) return { type: 'text', text, mediaType }
  }
  return { type: 'base64', ...cleanMedia(mediaType, data) }
}

/** The part of an `inlineData` (bytes in base64) or a `fileData` (an address); undefined for others. */
export function decodeMedia(fields: JsonObject, node: { at?: string }): MediaPart | undefined {
  const blob = asObject(fields.inlineData)
  const file = asObject(fields.fileData)
  const wire = blob ?? file
  if (!wire) return undefined
  const path = blob ? 'inlineData' : 'fileData'
  const media = camelFields(wire)
  const mediaType = asString(media.mimeType) ?? null
  const name = asString(media.displayName)
  const address = asString(media.fileUri) ?? ''
  let source: MediaSource
  if (blob) source = inlineSource(mediaType ?? '', asString(media.data) ?? '')
  else if (/^https?:/.test(address) && !ownFile.test(address)) {
    source = { type: 'url', url: address, mediaType }
  } else source = { type: 'file', id: address, origin: FORMAT }
  const spelling = source.type === 'file' && mediaType !== null ? { mimeType: mediaType } : {}
  return {
    type: 'media',
    kind: mediaType ? mediaKindOf(mediaType) : kindOfAddress(address),
    source,
    ...(name === undefined ? {} : { filename: name }),
    ...node,
    ...ownNative(innerFields(path, media, known), spelling),
  }
}
