/** Minutes that are looked back on. */
const MINUTES = 5
const MINUTE = 60_000
/** With fewer calls a rate means nothing. */
const FEWEST_CALLS = 5

/** Sums of a channel's calls in one minute. */
export interface MinuteOfCalls {
  /** Minutes since the clock's beginning. */
  minute: number
  answered: number
  failed: number
  /** Milliseconds until the answers began, of all that were answered. */
  waited: number
}

/** How a channel fared over the last minutes. */
export interface HealthStats {
  /** Share of the calls that were answered, 0 to 1. */
  successRate: number
  /** Mean of the milliseconds until an answer began; null where none did. */
  latency: number | null
  /** Calls that these two rest on. */
  calls: number
}

/** Counts the calls of the last five minutes, by the minute: what was longer ago is forgotten. Times are milliseconds. */
export class RecentCalls {
  readonly #minutes: MinuteOfCalls[] = []

  /** The minute that a call which ends now belongs to. */
  at(now: number): MinuteOfCalls {
    const minute = Math.floor(now / MINUTE)
    const last = this.#minutes.at(-1)
    if (last?.minute === minute) return last
    const begun: MinuteOfCalls = { minute, answered: 0, failed: 0, waited: 0 }
    this.#minutes.push(begun)
    if (this.#minutes.length > MINUTES) this.#minutes.shift()
    return begun
  }

  count(now: number): number {
    let calls = 0
    for (const one of this.#since(now)) calls += one.answered + one.failed
    return calls
  }

  /** Null while there are too few calls to say anything. */
  stats(now: number): HealthStats | null {
    let answered = 0
    let failed = 0
    let waited = 0
    for (const one of this.#since(now)) {
      answered += one.answered
      failed += one.failed
      waited += one.waited
    }
    const calls = answered + failed
    if (calls < FEWEST_CALLS) return null
    return {
      successRate: answered / calls,
      latency: answered === 0 ? null : waited / answered,
      calls,
    }
  }

  #since(now: number): MinuteOfCalls[] {
    const first = Math.floor(now / MINUTE) - MINUTES + 1
    return this.#minutes.filter(({ minute }) => minute >= first)
  }
}
