import type { MediaKind } from '../exchange.ts'
import { typeOfFile } from '../other/inline-turn.ts'
import type { AddressedMedia, FetchedMedia } from './addressed-media.ts'
import { isReadable, mediaKindOf } from './media.ts'

const names: Readonly<Record<MediaKind, string>> = {
  image: 'an image',
  document: 'a PDF or a text',
  audio: 'sound',
  video: 'a film',
}

/** Labels of servers that do not know what they serve. */
const genericTypes = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

const essenceOf = (contentType: string): string =>
  (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()

/** A foreign header's words, as far as they are those of a media type. */
const shown = (type: string): string =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'of no known type'

const isPdfName = (url: string): boolean => /\.pdf(?:[?#]|$)/i.test(url)

function isWanted(type: string, { kind, mediaType, url }: AddressedMedia): boolean {
  if (kind !== 'document') return mediaKindOf(type) === kind
  if (/^application\/(?:x-)?pdf$/.test(type)) return true
  // A page in place of a PDF is what is shown to strangers: that one has to sign in.
  if (mediaType === 'application/pdf' || isPdfName(url)) return false
  return isReadable(type) || type.startsWith('image/')
}

/** The problem with a server's list of formats, as the end of a sentence; null for none. */
export function wrongLabel(file: AddressedMedia, contentType: string): string | null {
  const type = essenceOf(contentType)
  if (genericTypes.has(type) || isWanted(type, file)) return null
  return `it is ${shown(type)}, not ${names[file.kind]}`
}

/** Text in the character set that its server names; null for bytes that are no text. */
function textOf(bytes: Buffer, contentType: string): string | null {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * A fetched file as the exchange holds it. Its first bytes have to agree with what was asked for, whatever its
 * server calls it; a text, of which no first bytes tell, must be readable. Gives what is wrong where something
 * is, as the end of a sentence.
 */
export function readFetched(
  file: AddressedMedia,
  { contentType, bytes }: { contentType: string; bytes: Buffer },
): FetchedMedia | string {
  const wrong = `it is not ${names[file.kind]}`
  if (bytes.length === 0) return 'it is empty'
  const label = essenceOf(contentType)
  const sniffed = typeOfFile({ contentType: '', bytes })
  const asData = (mediaType: string): FetchedMedia => ({
    kind: mediaKindOf(mediaType),
    source: { type: 'base64', mediaType, data: bytes.toString('base64') },
  })
  if (sniffed !== '') return isWanted(sniffed, file) ? asData(sniffed) : wrong
  // Pictures and PDFs of the kinds that vendors take all begin as such.
  if (file.kind === 'image') return wrong
  if (file.kind !== 'document') return isWanted(label, file) ? asData(label) : wrong
  const mayBeText = genericTypes.has(label) ? !isPdfName(file.url) : isReadable(label)
  const text = mayBeText && isWanted('text/plain', file) ? textOf(bytes, contentType) : null
  if (text === null || text.includes('\0')) return wrong
  return {
    kind: 'document',
    source: { type: 'text', text, mediaType: genericTypes.has(label) ? 'text/plain' : label },
  }
}
