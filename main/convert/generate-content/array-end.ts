import { closingQuote, isEscapedAt } from '../closing-quote.ts'

const QUOTE = 0x22
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** Finds the bracket that closes a JSON array which comes in pieces; its texts are passed over natively. */
export class ArrayEnd {
  #depth = 0
  #isInText = false
  /** The next byte of the text is escaped. */
  #isEscaped = false
  /** The array's own last bracket has come. */
  isReached = false

  push(piece: Buffer): void {
    for (let index = 0; index < piece.length; ) {
      if (this.#isInText) {
        index = this.#passText(piece, index)
        continue
      }
      const byte = piece[index++] as number
      if (byte === QUOTE) this.#isInText = true
      else if (OPENING.has(byte)) this.#depth++
      else if (CLOSING.has(byte)) this.isReached = --this.#depth === 0
    }
  }

  /** Index behind the text's end, or the piece's where that is to come. */
  #passText(piece: Buffer, from: number): number {
    const index = from + (this.#isEscaped ? 1 : 0)
    const quote = closingQuote(piece, index)
    this.#isEscaped = quote < 0 && isEscapedAt(piece, index, piece.length)
    this.#isInText = quote < 0
    return quote < 0 ? piece.length : quote + 1
  }
}
