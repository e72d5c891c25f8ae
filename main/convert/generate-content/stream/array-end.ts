import { TextEnd } from '../../json/text-end.ts'

const QUOTE = 0x22
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** Finds the bracket that closes a JSON array which comes in pieces; its texts are passed over natively. */
export class ArrayEnd {
  #depth = 0
  readonly #text = new TextEnd()
  #isInText = false
  /** The array's own last bracket has come. */
  isReached = false

  push(piece: Buffer): void {
    for (let index = 0; index < piece.length; ) {
      if (this.#isInText) {
        index = this.#text.look(piece, index)
        this.#isInText = !this.#text.isFound
        continue
      }
      const byte = piece[index++] as number
      if (byte === QUOTE) {
        this.#isInText = true
        this.#text.begin()
      } else if (OPENING.has(byte)) this.#depth++
      else if (CLOSING.has(byte)) this.isReached = --this.#depth === 0
    }
  }
}
