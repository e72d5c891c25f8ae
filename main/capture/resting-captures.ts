import type { CallCapture } from './call-capture.ts'

/** Captures that may rest, and their bytes: objects that live on cost the collector. */
const MOST = 16
const MOST_BYTES = 1024 * 1024

/** A call that failed may still get its refusal, and a session its last message. */
export const mayChange = ({ isFailed, frames }: CallCapture): boolean =>
  isFailed || frames !== undefined

/** Captures of calls that are over, until they are packed: several in a row take half as long each as one alone. */
export class RestingCaptures {
  /** Those that are over, in that order. */
  #all: CallCapture[] = []
  #bytes = 0
  /** So many of them rest since the last round at least. */
  #rested = 0

  get size(): number {
    return this.#all.length
  }

  /** Those that count towards the limit of a flood. */
  get counted(): number {
    return this.#all.reduce((count, { isFailed }) => (isFailed ? count : count + 1), 0)
  }

  get ids(): string[] {
    return this.#all.map(({ id }) => id)
  }

  /** Gives those that are to be packed now, in a row. */
  add(capture: CallCapture): CallCapture[] {
    this.#all.push(capture)
    this.#bytes += capture.heldAtRest
    if (!this.#isCrowded()) return []
    const taken = this.#takeFinal()
    while (this.#isCrowded()) taken.push(...this.#take(1))
    return taken
  }

  #isCrowded(): boolean {
    return this.#all.length >= MOST || (this.#all.length > 1 && this.#bytes > MOST_BYTES)
  }

  /** Those that nothing more comes to. */
  #takeFinal(): CallCapture[] {
    const final = this.#all.filter((one) => !mayChange(one))
    this.#rested = this.#all.slice(0, this.#rested).filter(mayChange).length
    this.#all = this.#all.filter(mayChange)
    this.#bytes -= bytesOf(final)
    return final
  }

  #take(count: number): CallCapture[] {
    const taken = this.#all.splice(0, count)
    this.#bytes -= bytesOf(taken)
    this.#rested = Math.max(0, this.#rested - count)
    return taken
  }

  /** What was there at the round before. */
  takeRested(): CallCapture[] {
    const taken = this.#take(this.#rested)
    this.#rested = this.#all.length
    return taken
  }

  takeOldest(): CallCapture | null {
    return this.#take(1)[0] ?? null
  }
}

const bytesOf = (captures: readonly CallCapture[]): number =>
  captures.reduce((sum, { heldAtRest }) => sum + heldAtRest, 0)
