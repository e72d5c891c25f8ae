import { GatewayError } from '../../base/errors.ts'
import { counted } from '../../base/text/counted.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import type { Usage } from '../../convert/exchange.ts'
import type { Token } from '../../store/records/tokens.ts'
import { type Call, isChannelTest } from '../call/call.ts'
import { expectedTokens } from '../pricing/expected-cost.ts'
import { type RateFigures, rateHeaders } from './rate-headers.ts'
import { SlidingSum } from './sliding-sum.ts'

const MINUTE = 60_000
/** Seconds to wait if only running calls use the limit: their end is unknown. */
const UNKNOWN_HINT = 5
/** Tokens whose past is kept before that of idle ones is thrown away. */
const MOST_IDLE = 1000

type Limited = Pick<Token, 'id' | 'name' | 'requestsPerMinute' | 'tokensPerMinute'>

const hasRate = ({ requestsPerMinute, tokensPerMinute }: Limited): boolean =>
  requestsPerMinute !== null || tokensPerMinute !== null

/** Usage as limits count it: all input, cached or not, and all output. */
const tokensOf = ({ input, output }: Usage): number => input + output

/** How much one token has asked and used of late. */
class Rate {
  readonly requests = new SlidingSum(MINUTE)
  readonly tokens = new SlidingSum(MINUTE)
  /** Model tokens that running calls are expected to use. */
  pending = 0

  isIdle(now: number): boolean {
    return this.pending === 0 && this.requests.sum(now) === 0 && this.tokens.sum(now) === 0
  }
}

/** One call's share in what its token has used, until it is booked. */
export class RateShare {
  readonly #token: Limited
  readonly #rate: Rate
  #expected: number
  #counted = 0

  constructor(token: Limited, rate: Rate, expected: number) {
    this.#token = token
    this.#rate = rate
    this.#expected = expected
    rate.pending += expected
  }

  /** Counts what a session has used so far; throws `rate_limit_exceeded` where that is more than is allowed. */
  checkUsed(usage: Usage): void {
    this.#count(usage)
    const most = this.#token.tokensPerMinute
    if (most === null) return
    const wait = this.#rate.tokens.untilAtMost(most, performance.now())
    if (wait > 0) throw refusal(this.#token, wait)
  }

  /** The call is booked: what it has used takes the place of what it was taken to use. */
  end(usage: Usage | null): void {
    if (usage) this.#count(usage)
    this.#rate.pending -= this.#expected
    this.#expected = 0
  }

  /**
   * Sets the headers by which clients of this format learn how much is left to them; `usage` is that of a whole
   * answer, null where it is still to come.
   */
  addHeaders(
    headers: Record<string, string | string[]>,
    format: CallFormat,
    usage: Usage | null,
  ): void {
    if (usage) this.end(usage)
    const now = performance.now()
    const { requestsPerMinute, tokensPerMinute } = this.#token
    const { requests, tokens, pending } = this.#rate
    Object.assign(
      headers,
      rateHeaders(format, {
        requests: requestsPerMinute === null ? null : figures(requestsPerMinute, requests, 0, now),
        tokens: tokensPerMinute === null ? null : figures(tokensPerMinute, tokens, pending, now),
      }),
    )
  }

  #count(usage: Usage): void {
    const used = tokensOf(usage)
    if (used <= this.#counted) return
    this.#rate.tokens.add(performance.now(), used - this.#counted)
    this.#counted = used
  }
}

const figures = (limit: number, used: SlidingSum, pending: number, now: number): RateFigures => ({
  limit,
  remaining: limit - used.sum(now) - pending,
  reset: used.untilAtMost(0, now),
})

function refusal(token: Limited, wait: number): GatewayError {
  const { name, requestsPerMinute, tokensPerMinute } = token
  const limits = [
    requestsPerMinute === null ? '' : `make ${counted(requestsPerMinute, 'request')}`,
    tokensPerMinute === null ? '' : `use ${counted(tokensPerMinute, 'token')}`,
  ]
  const retryAfter = Math.ceil(wait) / 1000
  // A person reads it: the header tells it to the millisecond.
  const seconds = Math.ceil(retryAfter)
  const shared = { token: name, seconds }
  return new GatewayError('rate_limit_exceeded', {
    message: `The token "${name}" may ${limits.filter(Boolean).join(' and ')} in a minute, which are taken. Try again in ${seconds} s.`,
    reason:
      requestsPerMinute === null
        ? { code: 'token_rate_tokens', ...shared, tokens: tokensPerMinute ?? 0 }
        : tokensPerMinute === null
          ? { code: 'token_rate_requests', ...shared, requests: requestsPerMinute }
          : {
              ...{ code: 'token_rate_both', ...shared, requests: requestsPerMinute },
              tokens: tokensPerMinute,
            },
    retryAfter,
  })
}

/**
 * How many requests and model tokens each token may use in any 60 seconds. A call counts as one request when it
 * is let in. Until it is booked it counts with about the tokens of its prompt and of the answer that it asks for
 * (at most 4096 of those: most calls allow their answers far more than they get), then with what its vendor
 * reports: prompt, cached or not, and answer. One that alone would be too large is let in where nothing else
 * counts, since waiting would not help it; those after it wait the longer. Kept in memory.
 */
export class TokenRates {
  readonly #rates = new Map<number, Rate>()

  /** Counts a call that begins; throws `rate_limit_exceeded`, which says when there is room for it. */
  begin(call: Call): RateShare | null {
    const { token } = call.caller
    if (!token || !hasRate(token) || call.verb !== 'generate' || isChannelTest(call)) return null
    const now = performance.now()
    const { requestsPerMinute, tokensPerMinute } = token
    const rate = this.#of(token.id, now)
    const expected = tokensPerMinute === null ? 0 : expectedTokens(call)
    const forRequest =
      requestsPerMinute === null ? 0 : rate.requests.untilAtMost(requestsPerMinute - 1, now)
    const forTokens = tokensPerMinute === null ? 0 : waitFor(expected, tokensPerMinute, rate, now)
    const wait = Math.max(forRequest, forTokens)
    if (wait > 0) throw refusal(token, wait)
    rate.requests.add(now, 1)
    return new RateShare(token, rate, expected)
  }

  #of(id: number, now: number): Rate {
    let rate = this.#rates.get(id)
    if (!rate) {
      if (this.#rates.size >= MOST_IDLE) this.#forgetIdle(now)
      rate = new Rate()
      this.#rates.set(id, rate)
    }
    return rate
  }

  #forgetIdle(now: number): void {
    for (const [id, rate] of this.#rates) if (rate.isIdle(now)) this.#rates.delete(id)
  }
}

/** Milliseconds until there is room for so many tokens. */
function waitFor(expected: number, limit: number, { tokens, pending }: Rate, now: number): number {
  const room = limit - Math.min(expected, limit)
  const wait = tokens.untilAtMost(room - pending, now)
  if (wait !== Infinity) return wait
  // Those under way have to end first, and what they use counts for a minute from then on.
  return Math.max(tokens.untilAtMost(0, now), UNKNOWN_HINT * 1000)
}
