import { isUtf8 } from 'node:buffer'
import { Utf8Check } from '../../base/text/utf8-check.ts'
import type { CapturedBody } from '../../capture/capture.ts'
import { parseExact } from '../../convert/json/exact-json.ts'

export type BodyKind = 'empty' | 'json' | 'events' | 'text' | 'bytes'

/** A body's bytes in one piece, as far as they were kept. */
export const bytesOf = ({ chunks }: CapturedBody): Buffer =>
  chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)

/** Bytes that were kept. */
export const keptOf = ({ chunks }: CapturedBody): number =>
  chunks.reduce((sum, chunk) => sum + chunk.length, 0)

/** Was the body cut at the cap? */
export const isCutBody = (body: CapturedBody): boolean => keptOf(body) < body.size

/** Tab, line feed, form feed, return and escape stand in texts; the other control characters do not. */
const inTexts: ReadonlySet<number> = new Set([9, 10, 12, 13, 27])

/** Is it text, a character that was cut in half at the end aside? */
function isText(bytes: Buffer, isCut: boolean): boolean {
  // Megabytes: an iterator takes ten times as long.
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte < 0x20 && !inTexts.has(byte)) return false
  }
  if (!isCut) return isUtf8(bytes)
  const check = new Utf8Check()
  check.push(bytes)
  return check.isGood
}

const EVENTS = /^\ufeff?\s*(?:data|event|id|retry)?:/

/** The value of a text, perhaps behind a byte order mark; undefined where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return parseExact(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/** The value of a body that is JSON; undefined for any other, and for one that was cut. */
export function jsonOf(body: CapturedBody): unknown {
  const bytes = bytesOf(body)
  return isCutBody(body) || !isUtf8(bytes) ? undefined : parsed(bytes.toString())
}

/** A body as text, and its kind. A JSON body that was cut is known by its beginning. */
export function readBody(body: CapturedBody): { kind: BodyKind; text: string | null } {
  const bytes = bytesOf(body)
  const isCut = isCutBody(body)
  if (body.size === 0) return { kind: 'empty', text: '' }
  if (!isText(bytes, isCut)) return { kind: 'bytes', text: null }
  const text = bytes.toString()
  if (EVENTS.test(text.slice(0, 64))) return { kind: 'events', text }
  const looksLikeJson = /^\s*[[{]/.test(text)
  return { kind: (isCut ? looksLikeJson : parsed(text) !== undefined) ? 'json' : 'text', text }
}
