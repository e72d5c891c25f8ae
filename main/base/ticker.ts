import { SlotList, type Slotted } from './order/slot-list.ts'

export interface Ticking extends Slotted {
  /** `now` is `performance.now()`. */
  tick(now: number): void
}

const INTERVAL = 200

/**
 * One coarse timer for all open calls: setting and clearing a timer of its own at every chunk of every
 * stream would cost more than looking at all of them a few times a second. Idle when nothing is open.
 */
export class Ticker {
  readonly #members = new SlotList<Ticking>()
  #timer: NodeJS.Timeout | null = null

  add(member: Ticking): void {
    this.#members.add(member)
    this.#timer ??= setInterval(() => this.#tick(), INTERVAL).unref()
  }

  remove(member: Ticking): void {
    this.#members.remove(member)
  }

  #tick(): void {
    if (this.#members.size === 0 && this.#timer) {
      clearInterval(this.#timer)
      this.#timer = null
      return
    }
    const now = performance.now()
    this.#members.each((member) => member.tick(now))
  }
}

export const ticker = new Ticker()
