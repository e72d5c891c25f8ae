/** Milliseconds that make one entry, which goes when the last event in it does. */
const GRAIN = 100
/** Entries that are over are thrown away when there are this many of them. */
const MOST_PAST = 256

interface Entry {
  /** When the first of it was added. */
  from: number
  /** When the last of it was added. */
  at: number
  amount: number
}

/** How much was added in the last `span` milliseconds. Times are `performance.now()`. */
export class SlidingSum {
  readonly #span: number
  #entries: Entry[] = []
  #first = 0
  #sum = 0

  constructor(span: number) {
    this.#span = span
  }

  add(now: number, amount: number): void {
    if (amount === 0) return
    this.#sum += amount
    const last = this.#entries.at(-1)
    if (last && this.#first < this.#entries.length && now - last.from < GRAIN) {
      last.at = now
      last.amount += amount
    } else this.#entries.push({ from: now, at: now, amount })
  }

  sum(now: number): number {
    this.#forget(now - this.#span)
    return this.#sum
  }

  /** Milliseconds until the sum is `most` or less, were nothing added; Infinity where that is below 0. */
  untilAtMost(most: number, now: number): number {
    let left = this.sum(now)
    if (left <= most) return 0
    for (let index = this.#first; index < this.#entries.length; index++) {
      const { at, amount } = this.#entries[index] as Entry
      left -= amount
      if (left <= most) return at + this.#span - now
    }
    return Infinity
  }

  #forget(before: number): void {
    for (;;) {
      const entry = this.#entries[this.#first]
      if (!entry || entry.at > before) break
      this.#sum -= entry.amount
      this.#first++
    }
    if (this.#first < MOST_PAST) return
    this.#entries = this.#entries.slice(this.#first)
    this.#first = 0
  }
}
