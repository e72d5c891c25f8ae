/** Keys that are counted at once; the one that failed longest ago makes room. */
const MOST_KEYS = 10_000

/** Failures of each key, and how long each makes the next attempt wait. Kept in memory. */
export class FailureCounts {
  readonly #counts = new Map<string, { count: number; last: number }>()
  readonly #wait: (count: number) => number
  readonly #forgetAfter: number

  /**
   * `wait` gives the milliseconds until the next attempt after so many failures. After `forgetAfter` more
   * without a failure those before are forgotten.
   */
  constructor(wait: (count: number) => number, forgetAfter: number) {
    this.#wait = wait
    this.#forgetAfter = forgetAfter
  }

  /** Counts one more; gives how many there are. */
  add(key: string): number {
    const count = this.#current(key) + 1
    this.#counts.delete(key)
    this.#counts.set(key, { count, last: Date.now() })
    if (this.#counts.size > MOST_KEYS) {
      for (const oldest of this.#counts.keys()) {
        this.#counts.delete(oldest)
        break
      }
    }
    return count
  }

  clear(key: string): void {
    this.#counts.delete(key)
  }

  /** Milliseconds until the key may be tried again. */
  left(key: string): number {
    const count = this.#current(key)
    if (count === 0) return 0
    return Math.max(0, (this.#counts.get(key)?.last ?? 0) + this.#wait(count) - Date.now())
  }

  #current(key: string): number {
    const known = this.#counts.get(key)
    if (!known) return 0
    // A clock that was set back must lock nobody out.
    const age = Date.now() - known.last
    if (age >= 0 && age < this.#wait(known.count) + this.#forgetAfter) return known.count
    this.#counts.delete(key)
    return 0
  }
}
