import { BEFORE_ESCAPED, IN_TEXT, skipNested, UNSURE, WINDOW } from './skip-nested.ts'
import { TextEnd } from './text-end.ts'

const QUOTE = 0x22
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** Bytes outside of strings that are looked at in one step. */
const STEP = 32
/** Steps after which a value is taken for a long one; until then nothing is gained by copying it. */
const FEW_STEPS = 16
/** Bytes of a piece for which a copy is worth it. */
const MANY = 1024

/** What a piece holds that no JSON can; `index` is its place there. */
export class UnexpectedByte extends Error {
  readonly index: number

  constructor(index: number) {
    super('unexpected byte')
    this.index = index
  }
}

/** Goes through an object or array, in bytes that come in pieces, up to its end. Of JSON only the nesting is checked. */
export class NestedEnd {
  /** Bytes that will close what is open, the innermost last. */
  readonly #closers: number[] = []
  readonly #text = new TextEnd()
  #isInText = false

  /** `opener`: the byte that the value begins with, which has been passed. */
  begin(opener: number): void {
    // What closes stands two behind what opens, in ASCII.
    this.#closers.push(opener + 2)
    this.#isInText = false
  }

  get isFound(): boolean {
    return this.#closers.length === 0
  }

  /** Index just behind the end, or the piece's length. Throws UnexpectedByte. */
  look(piece: Buffer, from: number): number {
    let index = from
    let steps = 0
    while (!this.isFound && index < piece.length) {
      const isLong = steps >= FEW_STEPS && piece.length - index >= MANY
      if (isLong) {
        const next = this.#leap(piece, index)
        // Then what is wrong with it is found step by step.
        steps = next === null ? Number.NEGATIVE_INFINITY : 0
        index = next ?? index
      } else {
        index = this.#isInText ? this.#passText(piece, index) : this.#step(piece, index)
        steps++
      }
    }
    return index
  }

  /** Index behind a window's bytes or the value's end; null where that is not known. */
  #leap(piece: Buffer, from: number): number | null {
    const window = piece.subarray(from, from + WINDOW)
    const found = skipNested(window, this.#closers, this.#isInText)
    if (found === UNSURE) return null
    if (found >= 0) return from + found
    this.#isInText = found === IN_TEXT || found === BEFORE_ESCAPED
    this.#text.begin(found === BEFORE_ESCAPED)
    return from + window.length
  }

  #passText(piece: Buffer, from: number): number {
    const index = this.#text.lookOnce(piece, from)
    this.#isInText = !this.#text.isFound
    return index
  }

  /** Goes on up to the next string, or some bytes. */
  #step(piece: Buffer, from: number): number {
    const closers = this.#closers
    const end = Math.min(piece.length, from + STEP)
    for (let index = from; index < end; index++) {
      const code = piece[index] as number
      if (code === QUOTE) {
        this.#isInText = true
        this.#text.begin()
        return index + 1
      }
      // Brackets and braces stand behind digits and signs.
      if (code < OPEN_ARRAY) continue
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) closers.push(code + 2)
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        if (closers.pop() !== code) throw new UnexpectedByte(index)
        if (closers.length === 0) return index + 1
      }
    }
    return end
  }
}
