import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CaptureFile } from '../store/captures/capture-file.ts'
import { GramFilter, gramsOf, testOfPieces } from './gram-filter.ts'

/** Captures of one filter. */
const BLOCK = 64
/** Characters taken in at once: a millisecond or two. */
const SLICE = 128 * 1024

/** Captures with consecutive numbers, both ends included. */
export interface CaptureRange {
  first: number
  last: number
}

/**
 * Which captures on disk may hold a text. Each block of captures has a filter of its texts' runs of characters. That of
 * the newest block, which is still growing, is in memory; the others are in `captures.db`.
 */
export class TextIndex {
  readonly #growing = new GramFilter()
  /** Range of the captures in the growing block; null while there are none. */
  #range: CaptureRange | null = null

  /** Captures that may still come to the growing block. */
  get room(): number {
    return this.#range ? Math.max(1, BLOCK - (this.#range.last - this.#range.first + 1)) : BLOCK
  }

  /** Takes in the texts of a capture, before it's written. */
  async add(bodies: readonly Buffer[]): Promise<void> {
    await addTexts(this.#growing, bodies)
  }

  addAtOnce(bodies: readonly Buffer[]): void {
    for (const body of bodies) this.#growing.add(textOf(body))
  }

  /** Captures have been written, from this number on; a block that is full is written as well. */
  wrote(first: number, file: CaptureFile): void {
    const last = file.nextNumber - 1
    if (last < first) return
    this.#range = { first: this.#range?.first ?? first, last }
    if (last - this.#range.first + 1 >= BLOCK || this.#growing.isFull) this.finish(file)
  }

  /** Ends the growing block. */
  finish(file: CaptureFile): void {
    if (!this.#range) return
    file.writeFilter(this.#range.first, this.#range.last, this.#growing.pieces())
    this.clear()
  }

  /** The captures of the growing block are written, or gone. */
  clear(): void {
    this.#range = null
    this.#growing.clear()
  }

  /** All captures from the newest on, and whether they may hold the text in one of these forms. */
  *blocks(file: CaptureFile, forms: readonly string[]): Generator<CaptureRange & Searched> {
    const wanted = forms.map(gramsOf)
    const tests = wanted.map(testOfPieces)
    // Looked at now: it may be written and emptied before the search is over.
    const growing = this.#range && {
      ...{ ...this.#range, mayHold: wanted.some((grams) => this.#growing.mayHold(grams)) },
    }
    const { blocks } = file.filters
    let before = Number.MAX_SAFE_INTEGER
    if (growing) {
      if (growing.last + 1 < before) yield withoutFilter(growing.last + 1, before)
      yield growing
      before = growing.first
    }
    for (const { first, last, pieces } of blocks.toReversed()) {
      if (last + 1 < before) yield withoutFilter(last + 1, before)
      const read = (at: number) => file.filters.piece(first, at)
      yield { first, last, mayHold: tests.some((test) => test(pieces, read)) }
      before = first
    }
    if (before > 1) yield withoutFilter(1, before)
  }

  /** The newest captures that lack a filter, at most as many as one is for, and the numbers it would be for. */
  lacking(file: CaptureFile): (CaptureRange & { ids: string[] }) | null {
    let before = this.#range?.first ?? file.nextNumber
    for (const block of [...file.filters.blocks.toReversed(), { first: 0, last: 0 }]) {
      if (block.last + 1 < before) {
        const found = file.idsBetween(block.last + 1, before - 1, BLOCK)
        const first = found.at(-1)?.number
        if (first) return { first, last: before - 1, ids: found.map(({ id }) => id) }
      }
      before = block.first
    }
    return null
  }
}

interface Searched {
  mayHold: boolean
}

const withoutFilter = (first: number, before: number): CaptureRange & Searched => ({
  ...{ first, last: before - 1, mayHold: true },
})

const textOf = (body: Buffer): string => body.toString('utf8').toLowerCase()

/** Takes texts in, in slices that let calls go on. */
export async function addTexts(filter: GramFilter, bodies: readonly Buffer[]): Promise<void> {
  for (const body of bodies) {
    const text = textOf(body)
    for (let from = 0; from < text.length; from += SLICE) {
      filter.add(text, from, from + SLICE)
      if (text.length > SLICE) await nextTurn()
    }
  }
}
