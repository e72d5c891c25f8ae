import { GatewayError } from '../../base/errors.ts'
import type { Sentence } from '../../base/reason.ts'

/** The longest that an upstream may take, in milliseconds; Infinity = any time. */
export interface TimeLimits {
  /** For the connection, through a proxy and with TLS. */
  connect: number
  /** From the request being sent to the answer's head, and of a stream to its first event. */
  firstByte: number
  /** Between two signs of life, before the head too. */
  idle: number
  /** From the beginning of the attempt to the end of the answer. */
  total: number
}

export const usualLimits: Readonly<TimeLimits> = {
  connect: 10_000,
  firstByte: Infinity,
  idle: 300_000,
  total: Infinity,
}

/** Milliseconds from one look at the clock to the next; what is more was the gateway's own delay. */
const MOST_BETWEEN = 1_000

/** State of an attempt at one moment. */
export interface AttemptState {
  /** The connection is there, and the request under way on it. */
  isSent: boolean
  /** The client is awaited: for more of its own request, or to take what has come. */
  isClientsTurn: boolean
  /** The upstream took some of a long request since the last moment. */
  isTaking: boolean
  /** Neither head nor, of a stream, first event is there. */
  isAwaited: boolean
}

/** Counts one attempt's time, but for what the client takes of it. */
export class AttemptClock {
  readonly #limits: Readonly<TimeLimits>
  #last = performance.now()
  #began = this.#last
  #sent = this.#last
  #sign = this.#last

  constructor(limits = usualLimits) {
    this.#limits = limits
  }

  /** The request goes out from now on. */
  send(): void {
    this.#sent = performance.now()
    this.#sign = this.#sent
  }

  /** Something came from the upstream. */
  noteSign(): void {
    this.#sign = performance.now()
  }

  /** The limit that has run out by `now` (`performance.now()`), or null. */
  check(
    now: number,
    { isSent, isClientsTurn, isTaking, isAwaited }: AttemptState,
  ): Sentence | null {
    const { firstByte, idle, total } = this.#limits
    const passed = now - this.#last
    const late = Math.max(0, passed - MOST_BETWEEN)
    this.#last = now
    this.#began += isClientsTurn ? passed : late
    // Not reading for so long, the gateway could hear nothing.
    this.#sent += late
    this.#sign += late
    if (isClientsTurn || isTaking || !isSent) {
      this.#sent = now
      this.#sign = now
    }
    if (now - this.#began >= total) {
      const seconds = total / 1000
      return {
        message: `did not finish its answer within ${seconds} seconds (the limit in all)`,
        reason: { code: 'upstream_total_reached', seconds },
      }
    }
    if (isAwaited && now - this.#sent >= firstByte) {
      const seconds = firstByte / 1000
      return {
        message: `did not begin its answer within ${seconds} seconds (the limit for the first byte)`,
        reason: { code: 'upstream_first_byte_late', seconds },
      }
    }
    if (now - this.#sign < idle) return null
    const seconds = idle / 1000
    return {
      message: `sent nothing for ${seconds} seconds`,
      reason: { code: 'upstream_fell_silent', seconds },
    }
  }
}

/** The message is an end of the sentence "The upstream …", as `check` gives it. */
export const timeFailure = (url: string, { message, reason }: Sentence): GatewayError =>
  new GatewayError('upstream_timeout', {
    message: `The upstream ${message}.`,
    adminMessage: `The upstream at ${new URL(url).origin} ${message}.`,
    adminAddress: new URL(url).origin,
    reason,
  })
