import type { StreamPart } from './stream-part.ts'

/** UTF-16 units of a piece: to write one takes about a millisecond. */
const PIECE = 64 * 1024

type Delta = Extract<StreamPart, { text: string }>

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Is it dear to write at once, and means the same in pieces? */
export const isLongDelta = (part: StreamPart): part is Delta =>
  'text' in part && part.text.length > PIECE && !('logprobs' in part)

/** A long delta in pieces, no character torn apart. */
export function* cutPart(part: Delta): Generator<StreamPart> {
  const { text } = part
  for (let from = 0; from < text.length; ) {
    const near = from + PIECE
    const end = isHighSurrogate(text.charCodeAt(near - 1)) ? near + 1 : near
    yield { ...part, text: text.slice(from, end) }
    from = end
  }
}
