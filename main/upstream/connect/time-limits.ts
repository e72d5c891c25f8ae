import { GatewayError } from '../../base/errors.ts'

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

  /** The limit that has run out by `now` (`performance.now()`), as an end of the sentence "The upstream …", or null. */
  check(now: number, { isSent, isClientsTurn, isTaking, isAwaited }: AttemptState): string | null {
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
      return `did not finish its answer within ${total / 1000} seconds (the limit in all)`
    }
    if (isAwaited && now - this.#sent >= firstByte) {
      return `did not begin its answer within ${firstByte / 1000} seconds (the limit for the first byte)`
    }
    return now - this.#sign >= idle ? `sent nothing for ${idle / 1000} seconds` : null
  }
}

/** `what` as `check` gives it. */
export const timeFailure = (url: string, what: string): GatewayError =>
  new GatewayError('upstream_timeout', {
    message: `The upstream ${what}.`,
    adminMessage: `The upstream at ${new URL(url).origin} ${what}.`,
  })
