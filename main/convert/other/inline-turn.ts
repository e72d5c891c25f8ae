import type { JsonObject } from '../json/json-value.ts'
import { cleanMedia } from '../media/media.ts'
import type { BridgeFile, BridgeTarget } from './bridge.ts'

/** A file that stands in a request of generateContent as its own bytes. */
export interface InlineFile {
  mimeType: string
  bytes: Buffer
}

/** Bytes of base64 in one request: https://ai.google.dev/gemini-api/docs/file-input-methods */
const MOST_BASE64 = 100_000_000
/** Bytes read at once: a multiple of three, so that the pieces' base64 can be joined. */
const PIECE = 3 * 64 * 1024
/** First bytes of a file that identify its type. */
const SNIFFED = 384

/** A file's type by its first bytes, else by its label; empty where neither tells. */
export function typeOfFile({
  contentType,
  bytes,
}: Pick<BridgeFile, 'contentType' | 'bytes'>): string {
  return cleanMedia(contentType, bytes.toString('base64', 0, SNIFFED)).mediaType
}

/** Throws `invalid_request` where the files are more than Google takes in one request. */
export function checkInlineSize(files: readonly BridgeFile[], { loss }: BridgeTarget): void {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if ((size * 4) / 3 <= MOST_BASE64) return
  const most = (MOST_BASE64 * 3) / 4 / 1_000_000
  loss.refuse(files[0]?.field ?? 'file', { code: 'files_too_large', megabytes: most })
}

function* base64Of(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield Buffer.from(bytes.toString('base64', at, Math.min(at + PIECE, bytes.length)), 'latin1')
  }
}

/**
 * A body of generateContent with one turn of the user's, in pieces: a file becomes base64 piece by piece
 * and never one text.
 */
export function inlineTurn(
  parts: readonly (JsonObject | InlineFile)[],
  rest: JsonObject,
): readonly Buffer[] {
  const pieces: Buffer[] = []
  const more = Object.entries(rest).map(([name, value]) => `"${name}":${JSON.stringify(value)},`)
  let text = `{${more.join('')}"contents":[{"role":"user","parts":[`
  parts.forEach((part, index) => {
    if (index > 0) text += ','
    if (!isFile(part)) {
      text += JSON.stringify(part)
      return
    }
    text += `{"inlineData":{"mimeType":${JSON.stringify(part.mimeType)},"data":"`
    pieces.push(Buffer.from(text), ...base64Of(part.bytes))
    text = '"}}'
  })
  pieces.push(Buffer.from(`${text}]}]}`))
  return pieces
}

/** Clients of other formats know nothing of Google's logs, and cannot ask for them. */
export const withoutLogs = ({ storesUnasked }: BridgeTarget): JsonObject =>
  storesUnasked ? { store: false } : {}

const isFile = (part: JsonObject | InlineFile): part is InlineFile => Buffer.isBuffer(part.bytes)
