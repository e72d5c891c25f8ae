import { unixSeconds } from '../../base/clock.ts'
import type { Why } from '../../base/reason.ts'
import { isLocked, storageReason, storageWhy } from './sqlite-failure.ts'

const FIRST_RETRY = 1000
const LONGEST_RETRY = 30_000
const FIRST_LOCKED_RETRY = 100
const LONGEST_LOCKED_RETRY = 1000
/** A lock that is held no longer than this, in milliseconds, is no problem. */
const PATIENCE = 1500

/** A file that can't be written: why, since when, and the time of the next try. */
export class WriteProblem {
  readonly #listeners = new Set<(isThere: boolean) => void>()
  #reason: string | null = null
  #why: Why = ''
  #isLocked = false
  #isShown = false
  #from = 0
  #since = 0
  #wait = 0

  /** In a few words; null when all is well, or not known to be bad yet. */
  get reason(): string | null {
    return this.#isShown ? this.#reason : null
  }

  /** The same for a console in another language. */
  get why(): Why {
    return this.#why
  }

  /** Advice for the person. */
  get advice(): string {
    return this.#isLocked ? 'End the program that works on it' : 'Make room on the disk'
  }

  /** Unix seconds; null when all is well. */
  get since(): number | null {
    return this.#isShown ? this.#since : null
  }

  /** Calls the listener when a problem begins and when it ends. */
  onChange(listener: (isThere: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Notes that a write has failed; gives the milliseconds until the next try. */
  failed(error: unknown): number {
    const now = performance.now()
    if (this.#reason === null) {
      this.#from = now
      this.#since = unixSeconds()
    }
    const isBusy = isLocked(error)
    if (this.#reason === null || isBusy !== this.#isLocked) {
      this.#wait = isBusy ? FIRST_LOCKED_RETRY : FIRST_RETRY
    } else {
      this.#wait = Math.min(this.#wait * 2, isBusy ? LONGEST_LOCKED_RETRY : LONGEST_RETRY)
    }
    this.#isLocked = isBusy
    this.#reason = storageReason(error)
    this.#why = storageWhy(error)
    if (!this.#isShown && (!isBusy || now - this.#from > PATIENCE)) {
      this.#isShown = true
      this.#tell()
    }
    return this.#wait
  }

  over(): void {
    if (this.#reason === null) return
    this.#reason = null
    if (!this.#isShown) return
    this.#isShown = false
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.#isShown)
  }
}
