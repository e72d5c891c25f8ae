const QUOTE = 0x22
const BACKSLASH = 0x5c
/** The end of a short string, a key's mostly, is near; to find one by a native search pays off later. */
const NEAR = 8

/** Is what stands at `end` escaped, as far as the bytes from `from` on tell: by an odd number of backslashes? */
function isEscapedAt(piece: Buffer, from: number, end: number): boolean {
  let slash = end
  while (slash > from && piece[slash - 1] === BACKSLASH) slash--
  return (end - slash) % 2 === 1
}

/** Goes through a JSON string, in bytes that come in pieces, up to the quote that ends it. */
export class TextEnd {
  /** A piece ended behind a backslash, which takes the next byte with it. */
  #isEscaped = false
  /** Has the quote been found? */
  isFound = false

  /** `isEscaped`: what comes next is. */
  begin(isEscaped = false): void {
    this.#isEscaped = isEscaped
    this.isFound = false
  }

  /** Index just behind the quote that ends the string, or the piece's length. */
  look(piece: Buffer, from: number): number {
    let index = from
    while (!this.isFound && index < piece.length) index = this.lookOnce(piece, index)
    return index
  }

  /** As `look`, but only up to the next quote, which may be escaped. */
  lookOnce(piece: Buffer, from: number): number {
    let index = this.#isEscaped ? from + 1 : from
    this.#isEscaped = false
    const near = Math.min(piece.length, index + NEAR)
    for (; index < near; index++) {
      const code = piece[index] as number
      if (code === QUOTE) {
        this.isFound = true
        return index + 1
      }
      if (code === BACKSLASH) index++
    }
    if (index >= piece.length) {
      this.#isEscaped = index > piece.length
      return piece.length
    }
    const quote = piece.indexOf(QUOTE, index)
    const end = quote < 0 ? piece.length : quote
    const isEscaped = isEscapedAt(piece, index, end)
    if (quote < 0) {
      this.#isEscaped = isEscaped
      return piece.length
    }
    this.isFound = !isEscaped
    return quote + 1
  }
}
