import type { Reason } from '../../base/reason.ts'
import type { Settings } from '../../store/state/settings.ts'

/** The circuit that a failure counts against: the channel's, its key's, or that of the key's use of the model. */
export type Blame = 'channel' | 'key' | 'model'

/** A failure as far as circuits are concerned. */
export interface CircuitFailure {
  blame: Blame
  /** For a person: the vendor's sentence or what happened. The key of the attempt is taken out of it. */
  reason: string
  /** The same by code; undefined for a vendor's sentence. */
  why?: Reason | undefined
  /** Seconds that the vendor asked to wait; null where it said nothing. */
  retryAfter: number | null
  /** One such failure opens the circuit; otherwise failures are counted. */
  isAtOnce: boolean
}

/**
 * `closed`: it may be asked. `open`: it is cooling down until a time (`performance.now()`). `half-open`: its cooldown
 * is over; the next call probes it, or one does so now. `isHinted`: the vendor named the time.
 */
export type CircuitState =
  | { state: 'closed' }
  | ({ state: 'open'; until: number; isHinted: boolean } & CircuitReason)
  | ({ state: 'half-open'; isHinted: boolean; isProbing: boolean } & CircuitReason)

/** Why the last attempt failed. */
export type CircuitReason = Pick<CircuitFailure, 'reason' | 'why'>

/** The options that say when a circuit opens, and for how long. */
export type CircuitSettings = Pick<
  Settings,
  | 'ChannelFailureCount'
  | 'ChannelFailureWindowSeconds'
  | 'ChannelCooldownSeconds'
  | 'ChannelCooldownMaxSeconds'
>

export const CLOSED: CircuitState = Object.freeze({ state: 'closed' })

/** A cooldown of our own is up to this share shorter than it might be, so that calls do not come all at once. */
const JITTER = 0.2
/** Seconds; a vendor that names a longer wait is asked again after this. */
const LONGEST_HINT = 3600
/** Milliseconds; a probe that has shown nothing by then keeps no other call from making one. */
const LONGEST_PROBE = 60_000
/** Characters kept of a reason. */
const LONGEST_REASON = 300

/** Seconds to wait that a vendor's hint comes to; null for one that says nothing. */
function hintOf({ retryAfter }: CircuitFailure): number | null {
  if (retryAfter === null || !(retryAfter > 0)) return null
  return Math.min(retryAfter, LONGEST_HINT)
}

/** Seconds of the cooldown of a round, counted from 0: each twice as long as the one before it. */
function cooldown(round: number, settings: CircuitSettings): number {
  const wait = settings.ChannelCooldownSeconds * 2 ** Math.min(round, 20)
  return Math.min(wait, settings.ChannelCooldownMaxSeconds) * (1 - JITTER * Math.random())
}

/**
 * The circuit of a channel (no key, no model), a key of it, or that key's use of a model: from the first failure to
 * the next answer. All times are milliseconds of one clock, which the caller reads.
 */
export class Circuit {
  readonly key: string | null
  readonly model: string | null
  /** Failures since the last answer. */
  failures = 0
  /** When cooldown began last. */
  coolSince = 0
  #last: CircuitReason = { reason: '' }
  /** When it failed last, oldest first; no more of them than count. */
  #times: number[] = []
  /** Cooldowns since the last answer. */
  #rounds = 0
  /** Until when the vendor asked for a pause. */
  #hintedUntil = 0
  /** End of our own cooldown. */
  #coolUntil = 0
  #probe: object | null = null
  #probeSince = 0

  constructor(key: string | null, model: string | null) {
    this.key = key
    this.model = model
  }

  get last(): CircuitReason {
    return this.#last
  }

  /** Has it been open since the last answer? */
  get hasCooled(): boolean {
    return this.#rounds > 0
  }

  get #end(): number {
    return Math.max(this.#hintedUntil, this.#coolUntil)
  }

  /** Failures older than this are forgotten: the window, or the longest cooldown after one. */
  isOver(now: number, settings: CircuitSettings): boolean {
    const { ChannelFailureWindowSeconds: window, ChannelCooldownMaxSeconds: longest } = settings
    const lasting = this.hasCooled ? Math.max(window, longest) : window
    return now >= Math.max(this.#end, this.#times.at(-1) ?? 0) + lasting * 1000
  }

  stateAt(now: number, settings: CircuitSettings): CircuitState {
    if (!this.hasCooled || settings.ChannelFailureCount === 0) return CLOSED
    const last = this.#last
    if (now < this.#hintedUntil) {
      return { state: 'open', until: this.#hintedUntil, isHinted: true, ...last }
    }
    if (now < this.#coolUntil) {
      return { state: 'open', until: this.#coolUntil, isHinted: false, ...last }
    }
    if (this.isOver(now, settings)) return CLOSED
    const isProbing = this.#probe !== null && now < this.#probeSince + LONGEST_PROBE
    const isHinted = this.#hintedUntil >= this.#coolUntil
    return { state: 'half-open', isHinted, isProbing, ...last }
  }

  /** From now on this attempt, and no other, probes whether it answers again. */
  beginProbe(attempt: object, now: number): void {
    this.#probe = attempt
    this.#probeSince = now
  }

  endProbe(attempt: object): void {
    if (this.#probe === attempt) this.#probe = null
  }

  /**
   * Notes a failure of an attempt that began at a time. True when it opens the circuit, and not
   * where that is open already, or was when the attempt began: it says nothing new.
   */
  fail(failure: CircuitFailure, began: number, now: number, settings: CircuitSettings): boolean {
    const { ChannelFailureCount: count, ChannelFailureWindowSeconds: window } = settings
    this.failures++
    const reason = failure.reason.replace(/\s+/g, ' ').trim().slice(0, LONGEST_REASON)
    this.#last = failure.why ? { reason, why: failure.why } : { reason }
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

  #cool(round: number, now: number, settings: CircuitSettings): void {
    this.#coolUntil = now + cooldown(round, settings) * 1000
  }
}
