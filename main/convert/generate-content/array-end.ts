const QUOTE = 0x22
const BACKSLASH = 0x5c
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
    let index = from + (this.#isEscaped ? 1 : 0)
    this.#isEscaped = false
    for (;;) {
      const quote = piece.indexOf(QUOTE, index)
      const end = quote < 0 ? piece.length : quote
      let slash = end
      while (slash > index && piece[slash - 1] === BACKSLASH) slash--
      const isEscaped = (end - slash) % 2 === 1
      if (quote < 0) {
        this.#isEscaped = isEscaped
        return piece.length
      }
      index = quote + 1
      if (isEscaped) continue
      this.#isInText = false
      return index
    }
  }
}
