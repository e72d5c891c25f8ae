/** Captures packed in a row, and in a second of a flood. */
const MOST_IN_A_ROW = 250
const MOST_A_SECOND = 100
/** So many calls one after the other are captured in a flood: packed in a row, they take half as long. */
const TOGETHER = 16

/** How many captures may be packed. In a flood there are more calls than that. */
export class FloodLimit {
  /** So many may be packed as of `#earnedAt`; below 0 after a large one. */
  #left = MOST_IN_A_ROW
  #earnedAt = 0
  #isFlood = false

  /** May one more be packed, beside so many that wait for it already? */
  hasRoomBeside(waiting: number): boolean {
    const earned = this.#earned()
    if (earned < waiting + 1) this.#isFlood = true
    else if (earned >= TOGETHER) this.#isFlood = false
    return !this.#isFlood
  }

  get isReached(): boolean {
    return this.#earned() < 0
  }

  /** One is packed; a large one counts as several. */
  take(count: number): void {
    this.#left -= count
  }

  #earned(): number {
    const now = performance.now()
    const earned = ((now - this.#earnedAt) / 1000) * MOST_A_SECOND
    this.#left = Math.min(MOST_IN_A_ROW, this.#left + earned)
    this.#earnedAt = now
    return this.#left
  }
}
