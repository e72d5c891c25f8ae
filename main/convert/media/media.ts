import { ownValue } from '../../base/own-value.ts'
import type { MediaKind } from '../exchange.ts'

/** Names that mean the same as the registered one. */
const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/svg': 'image/svg+xml',
  'image/x-ms-bmp': 'image/bmp',
  'image/tif': 'image/tiff',
  'application/x-pdf': 'application/pdf',
}

/** Other names that stay as the client wrote them, because some vendors list only the one. */
const sameAs: Readonly<Record<string, string>> = {
  'audio/mp3': 'audio/mpeg',
  'audio/mpeg3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'image/heif': 'image/heic',
}

/** Labels that say nothing. */
const isGeneric = (mediaType: string) =>
  mediaType === '' || mediaType.startsWith('application/octet-stream') || /\/\*?$/.test(mediaType)

interface Signature {
  mediaType: string
  /** So telling that it wins over any label; else only over one that says nothing or names an image. */
  isSure: boolean
}

const sure = (mediaType: string): Signature => ({ mediaType, isSure: true })

/** Characters of base64 that are looked at: 384 bytes. */
const SNIFFED = 512

/** A file's type by its first bytes. */
function signatureOf(data: string): Signature | undefined {
  const bytes = Buffer.from(data.slice(0, SNIFFED), 'base64').toString('latin1')
  const at = (offset: number, text: string) => bytes.startsWith(text, offset)
  if (at(0, '\x89PNG\r\n\x1a\n')) return sure('image/png')
  if (at(0, '\xff\xd8\xff')) return sure('image/jpeg')
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return sure('image/gif')
  if (at(0, 'RIFF') && at(8, 'WEBP')) return sure('image/webp')
  if (at(0, 'RIFF') && at(8, 'WAVE')) return sure('audio/wav')
  if (at(0, '%PDF-')) return sure('application/pdf')
  if (at(0, 'II*\0') || at(0, 'MM\0*')) return sure('image/tiff')
  if (at(4, 'ftyp') && /^(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/.test(bytes.slice(8, 12))) {
    return sure('image/heic')
  }
  if (at(0, 'BM') && at(6, '\0\0\0\0')) return sure('image/bmp')
  if (at(0, 'ID3')) return { mediaType: 'audio/mpeg', isSure: true }
  // Two bytes, which samples of raw sound may happen to be.
  if (/^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/.test(bytes))
    return { mediaType: 'audio/mpeg', isSure: false }
  if (isSvg(bytes)) return { mediaType: 'image/svg+xml', isSure: false }
  return undefined
}

/** What may stand before an SVG, by its beginning and its end. */
const beforeSvg = [
  [/^<\?xml/i, '>'],
  [/^<!--/, '-->'],
  [/^<!doctype svg/i, '>'],
] as const

/** Piece by piece: a pattern for all of them has 2^n ways through n comments, and tries each. */
function isSvg(bytes: string): boolean {
  let rest = bytes.replace(/^\xef\xbb\xbf/, '').trimStart()
  for (;;) {
    if (/^<svg[\s>]/i.test(rest)) return true
    const [, end] = beforeSvg.find(([begin]) => begin.test(rest)) ?? []
    const at = end ? rest.indexOf(end, '<!--'.length) : -1
    if (!end || at < 0) return false
    rest = rest.slice(at + end.length).trimStart()
  }
}

/** `Image/JPG; q=1` to `image/jpeg`. Sound keeps its parameters: raw PCM means nothing without its rate. */
function cleanMediaType(mediaType: string): string {
  const trimmed = mediaType.trim()
  const type = (trimmed.split(';', 1)[0] ?? '').trim().toLowerCase()
  const parameters = type.startsWith('audio/') ? trimmed.slice(trimmed.indexOf(';') >>> 0) : ''
  return (ownValue(aliases, type) ?? type) + parameters
}

/**
 * The parts of a `data:` URL, its data as base64 whatever it was written in; null for any other text.
 * Without a media type it is `text/plain`, as RFC 2397 says.
 */
export function parseDataUrl(url: string): { mediaType: string; data: string } | null {
  if (!/^\s*data:/i.test(url.slice(0, 32))) return null
  const comma = url.indexOf(',')
  if (comma < 0) return null
  const head = url.slice(url.indexOf(':') + 1, comma)
  const content = url.slice(comma + 1)
  const isBase64 = /;\s*base64\s*$/i.test(head)
  const mediaType = cleanMediaType(head.replace(/;\s*base64\s*$/i, '')) || 'text/plain'
  if (!isBase64) return { mediaType, data: percentDecoded(content).toString('base64') }
  return { mediaType, data: content.includes('%') ? percentDecoded(content).toString() : content }
}

/** Bytes of a text in which `%41` stands for a byte; a `%` before anything else stands for itself. */
function percentDecoded(text: string): Buffer {
  if (!text.includes('%')) return Buffer.from(text)
  const bytes = Buffer.from(text)
  const isHex = (byte: number | undefined) =>
    byte !== undefined && /[\da-fA-F]/.test(String.fromCharCode(byte))
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte === 0x25 && isHex(bytes[index + 1]) && isHex(bytes[index + 2])) {
      bytes[length++] = Number.parseInt(bytes.toString('latin1', index + 1, index + 3), 16)
      index += 2
    } else bytes[length++] = byte
  }
  return bytes.subarray(0, length)
}

export function toDataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`
}

/** Standard base64 in one line with its padding, whatever alphabet and breaks it came with. */
function cleanBase64(data: string): string {
  let clean = /\s/.test(data) ? data.replace(/\s+/g, '') : data
  if (/[-_]/.test(clean)) clean = clean.replaceAll('-', '+').replaceAll('_', '/')
  const missing = -clean.length & 3
  return missing === 1 || missing === 2 ? clean + '='.repeat(missing) : clean
}

/**
 * A file's media type and base64 in the form that vendors take: `image/jpg` is jpeg, white space and a
 * `data:` prefix are taken off, and the file's own first bytes win over a label that names something else.
 */
export function cleanMedia(mediaType: string, data: string): { mediaType: string; data: string } {
  const parsed = parseDataUrl(data)
  const label = cleanMediaType(mediaType) || parsed?.mediaType || ''
  const clean = cleanBase64(parsed?.data ?? data)
  const signature = signatureOf(clean)
  if (!signature) return { mediaType: label, data: clean }
  const isSame = label === signature.mediaType || sameAs[label] === signature.mediaType
  const wins = signature.isSure || isGeneric(label) || label.startsWith('image/')
  return { mediaType: isSame || !wins ? label : signature.mediaType, data: clean }
}

/** Is a document of this type text, whatever it is called? */
export const isReadable = (mediaType: string): boolean =>
  /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|toml|javascript|x-sh|sql)\b/.test(
    mediaType,
  )

/** Kind of a media type; anything but image, audio and video is a document. */
export function mediaKindOf(mediaType: string): MediaKind {
  const kind = mediaType.trim().toLowerCase().split('/', 1)[0]
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document'
}
