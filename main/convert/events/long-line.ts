import { TextEnd } from '../json/text-end.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** Bytes of each string that are kept. */
const KEPT = 2048

/**
 * A line of megabytes, of JSON mostly, as far as it is looked at: what is longer in it than two KiB is a
 * picture or a long text, and each such string is cut short. Made while the line comes, so that nobody waits for a
 * look at all of it.
 */
export class LongLine {
  readonly #parts: Buffer[] = []
  #state: 'outside' | 'kept' | 'passed over' = 'outside'
  /** Bytes kept of the current string. */
  #kept = 0
  /** Bytes that belong to an escape which has begun. */
  #escaped = 0
  /** Finds the end of a string that is passed over. */
  readonly #text = new TextEnd()

  /** The line so far. */
  get short(): Buffer {
    return Buffer.concat(this.#parts)
  }

  push(piece: Buffer): void {
    let from = 0
    for (let index = 0; index < piece.length; ) {
      if (this.#state === 'outside') {
        const quote = piece.indexOf(QUOTE, index)
        if (quote < 0) break
        this.#state = 'kept'
        this.#kept = 0
        index = quote + 1
      } else if (this.#state === 'kept') {
        index = this.#keep(piece, index)
        if (this.#isPassingOver) this.#parts.push(piece.subarray(from, index))
      } else {
        index = this.#text.look(piece, index)
        if (!this.#text.isFound) break
        this.#state = 'outside'
        from = index - 1
      }
    }
    if (!this.#isPassingOver) this.#parts.push(piece.subarray(from))
  }

  get #isPassingOver(): boolean {
    return this.#state === 'passed over'
  }

  /** Goes on in a string up to its end, or to the first place at which it may be cut; gives the next index. */
  #keep(piece: Buffer, from: number): number {
    for (let index = from; index < piece.length; index++) {
      const code = piece[index] as number
      if (this.#escaped === 1 && code === LETTER_U) this.#escaped = 4
      else if (this.#escaped > 0) this.#escaped--
      else if (code === QUOTE) {
        this.#state = 'outside'
        return index + 1
      } else if (this.#kept >= KEPT) {
        this.#state = 'passed over'
        this.#text.begin()
        return index
      } else if (code === BACKSLASH) this.#escaped = 1
      this.#kept++
    }
    return piece.length
  }
}
