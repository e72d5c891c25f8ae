import type { Settings } from '../../store/state/settings.ts'

/** What a failed attempt speaks against: the whole channel, the key it was made with, or that key's use of the model. */
export type Blame = 'channel' | 'key' | 'model'

/** A failure as far as health is concerned. */
export interface HealthFailure {
  blame: Blame
  /** For a person: the vendor's sentence or what happened. The key of the attempt is taken out of it. */
  reason: string
  /** Seconds that the vendor asked to wait; null where it said nothing. */
  retryAfter: number | null
  /** One such failure is enough: the vendor itself asks for a pause. Else failures are counted. */
  isAtOnce: boolean
}

/**
 * How something stands: it may be asked; it is cooling down (times are `performance.now()`, `isHinted` when
 * the vendor named the time); its cooldown is over and one call may try it; or that call is under way
 * (`isHinted` where the vendor had named the time that is over).
 */
export type Standing =
  | { state: 'open' }
  | { state: 'cooling'; until: number; reason: string; isHinted: boolean }
  | { state: 'half-open'; reason: string }
  | { state: 'trial'; reason: string; isHinted: boolean }

/** The options that say when and for how long something is left alone. */
export type HealthSettings = Pick<
  Settings,
  | 'ChannelFailureCount'
  | 'ChannelFailureWindowSeconds'
  | 'ChannelCooldownSeconds'
  | 'ChannelCooldownMaxSeconds'
>

/** Nothing stands against it. */
export const OPEN: Standing = Object.freeze({ state: 'open' })

/** A cooldown of our own is up to this share shorter than it might be, so that calls do not come all at once. */
const JITTER = 0.2
/** Seconds; a vendor that names a longer wait is asked again after this. */
const LONGEST_HINT = 3600
/** Milliseconds; a trial that has shown nothing by then keeps no other call from making one. */
const LONGEST_TRIAL = 60_000
/** Of a reason in memory. */
const LONGEST_REASON = 300

/** Seconds to wait that a vendor's hint comes to; null for one that says nothing. */
function hintOf({ retryAfter }: HealthFailure): number | null {
  if (retryAfter === null || !(retryAfter > 0)) return null
  return Math.min(retryAfter, LONGEST_HINT)
}

/** Seconds of the cooldown of a round, counted from 0: each twice as long as the one before it. */
function cooldown(round: number, settings: HealthSettings): number {
  const wait = settings.ChannelCooldownSeconds * 2 ** Math.min(round, 20)
  return Math.min(wait, settings.ChannelCooldownMaxSeconds) * (1 - JITTER * Math.random())
}

/**
 * What stands against a channel (no key, no model), a key of it, or that key's use of a model: from the
 * first failure to the next answer. All times are milliseconds of one clock, which the caller reads.
 */
export class Trouble {
  readonly key: string | null
  readonly model: string | null
  /** Failures since the last answer. */
  failures = 0
  /** When cooldown began last. */
  coolSince = 0
  #reason = ''
  /** When it failed last, oldest first; no more of them than count. */
  #times: number[] = []
  /** Cooldowns since the last answer. */
  #rounds = 0
  /** Until when the vendor asked to be left alone. */
  #hintedUntil = 0
  /** Until when it is left alone by our own choice. */
  #coolUntil = 0
  #trial: object | null = null
  #trialSince = 0

  constructor(key: string | null, model: string | null) {
    this.key = key
    this.model = model
  }

  get reason(): string {
    return this.#reason
  }

  /** Has it ever been left alone since the last answer? */
  get hasCooled(): boolean {
    return this.#rounds > 0
  }

  get #end(): number {
    return Math.max(this.#hintedUntil, this.#coolUntil)
  }

  /** What failed this long ago says nothing of today: within the window, or the longest cooldown after one. */
  isOver(now: number, settings: HealthSettings): boolean {
    const { ChannelFailureWindowSeconds: window, ChannelCooldownMaxSeconds: longest } = settings
    const lasting = this.hasCooled ? Math.max(window, longest) : window
    return now >= Math.max(this.#end, this.#times.at(-1) ?? 0) + lasting * 1000
  }

  standing(now: number, settings: HealthSettings): Standing {
    if (!this.hasCooled || settings.ChannelFailureCount === 0) return OPEN
    const reason = this.#reason
    if (now < this.#hintedUntil) {
      return { state: 'cooling', until: this.#hintedUntil, reason, isHinted: true }
    }
    if (now < this.#coolUntil) {
      return { state: 'cooling', until: this.#coolUntil, reason, isHinted: false }
    }
    if (this.isOver(now, settings)) return OPEN
    const isOnTrial = this.#trial !== null && now < this.#trialSince + LONGEST_TRIAL
    if (!isOnTrial) return { state: 'half-open', reason }
    return { state: 'trial', reason, isHinted: this.#hintedUntil >= this.#coolUntil }
  }

  /** From now on this attempt, and no other, tries whether it is over. */
  beginTrial(attempt: object, now: number): void {
    this.#trial = attempt
    this.#trialSince = now
  }

  endTrial(attempt: object): void {
    if (this.#trial === attempt) this.#trial = null
  }

  /**
   * Notes a failure of an attempt that began at a time. True when it begins to cool down of it, and not
   * where it does so already, or where the attempt began before that was over: it says nothing new.
   */
  fail(failure: HealthFailure, began: number, now: number, settings: HealthSettings): boolean {
    const { ChannelFailureCount: count, ChannelFailureWindowSeconds: window } = settings
    this.failures++
    this.#reason = failure.reason.replace(/\s+/g, ' ').trim().slice(0, LONGEST_REASON)
    this.#times.push(now)
    if (this.#times.length > count) this.#times.splice(0, this.#times.length - count)
    const isKnown = this.hasCooled && began < this.#end
    const hint = hintOf(failure)
    if (hint !== null) this.#hintedUntil = Math.max(this.#hintedUntil, now + hint * 1000)
    if (isKnown) return false
    if (hint !== null) {
      this.#rounds++
      // A vendor that names the same short time again and again is not believed for ever.
      if (this.#rounds > count) this.#cool(this.#rounds - count - 1, now, settings)
    } else {
      const isEnough = this.#times.length >= count && now - (this.#times[0] ?? now) <= window * 1000
      if (!failure.isAtOnce && !isEnough && !this.hasCooled) return false
      this.#rounds++
      this.#cool(this.#rounds - 1, now, settings)
    }
    this.coolSince = now
    return true
  }

  #cool(round: number, now: number, settings: HealthSettings): void {
    this.#coolUntil = now + cooldown(round, settings) * 1000
  }
}
