import type { CapturedBody } from '../../capture/capture.ts'
import { type BodyKind, bytesOf, keptOf, readBody } from './body-content.ts'
import { cutText } from './cut-text.ts'

/** Characters (UTF-16 units) that are shown at once. */
export const SHOWN_CHARACTERS = 64 * 1024

/** A body as it is shown at first. */
export interface BodyView {
  /** Bytes that crossed the border. */
  size: number
  /** Bytes that were kept. */
  kept: number
  kind: BodyKind
  /** Name of an earlier border with the same bytes. */
  sameAs: string | null
  /** Its first characters; null for bytes. */
  text: string | null
  /** Is `text` the whole body? */
  isWhole: boolean
}

/** Bytes of a body that is not text, which are given at once. */
const GIVEN_BYTES = 256 * 1024

/** The borders before this one that hold the very same bytes. */
function sameBorder(name: string, borders: ReadonlyMap<string, CapturedBody>): string | null {
  const own = borders.get(name)
  if (!own || own.size === 0) return null
  let bytes: Buffer | null = null
  for (const [other, body] of borders) {
    if (other === name) return null
    if (body.size !== own.size || keptOf(body) !== keptOf(own)) continue
    bytes ??= bytesOf(own)
    if (body === own || bytes.equals(bytesOf(body))) return other
  }
  return null
}

/** A border's body as it is shown at first. */
export function viewBody(name: string, borders: ReadonlyMap<string, CapturedBody>): BodyView {
  const body = borders.get(name)
  if (!body) throw new Error(`no border ${name}`)
  const { kind, text } = readBody(body)
  const shown = text === null ? null : cutText(text, SHOWN_CHARACTERS)
  const kept = keptOf(body)
  return {
    size: body.size,
    kept,
    kind,
    sameAs: sameBorder(name, borders),
    text: shown,
    isWhole: shown === text && text !== null && kept === body.size,
  }
}

/** A part of a body: text by characters, anything else by bytes, in base64. */
export interface BodyPart {
  text: string | null
  base64: string | null
  /** Offset of the next part; null where this is the last. */
  next: number | null
}

/** The part of a body that begins at an offset: of a text in characters, of other bytes in bytes. */
export function bodyPart(body: CapturedBody, offset: number): BodyPart {
  const { text } = readBody(body)
  if (text !== null) {
    const part = cutText(text, SHOWN_CHARACTERS * 4, offset)
    const end = offset + part.length
    return { text: part, base64: null, next: end < text.length ? end : null }
  }
  const bytes = bytesOf(body)
  const end = Math.min(bytes.length, offset + GIVEN_BYTES)
  return {
    text: null,
    base64: bytes.toString('base64', offset, end),
    next: end < bytes.length ? end : null,
  }
}
