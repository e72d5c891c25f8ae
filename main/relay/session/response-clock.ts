import type { GatewayError } from '../../base/errors.ts'
import {
  AttemptClock,
  type AttemptState,
  type TimeLimits,
  timeFailure,
} from '../../upstream/connect/time-limits.ts'

/** Counts the time of one response on a connection, by the limits of a call over HTTP. */
export class ResponseClock {
  readonly #url: string | null
  readonly #limits: TimeLimits
  readonly #clock: AttemptClock
  /** A message of the response has come. */
  hasBegun = false

  /** The response is asked for now, at `url`; null = by the gateway itself, which has no limits. */
  constructor(url: string | null, limits: TimeLimits) {
    this.#url = url
    this.#limits = limits
    this.#clock = new AttemptClock(limits)
  }

  /** One that begins anew, for another response of the same upstream. */
  anew(): ResponseClock {
    return new ResponseClock(this.#url, this.#limits)
  }

  /** A message has come, of this response or of one that is not told. */
  noteSign(isOwn: boolean): void {
    this.hasBegun ||= isOwn
    this.#clock.noteSign()
  }

  /** The limit that has run out, or null. */
  check(now: number, state: Pick<AttemptState, 'isClientsTurn' | 'isTaking'>): GatewayError | null {
    if (this.#url === null) return null
    const tooLong = this.#clock.check(now, {
      isSent: true,
      isAwaited: !this.hasBegun,
      ...state,
    })
    return tooLong === null ? null : timeFailure(this.#url, tooLong)
  }
}
