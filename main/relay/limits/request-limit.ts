import { GatewayError } from '../../base/errors.ts'
import { ownValue } from '../../base/own-value.ts'
import { counted } from '../../base/text/counted.ts'
import type { Settings } from '../../store/state/settings.ts'
import { type Call, isChannelTest } from '../call/call.ts'

const MINUTE = 60_000
/** Past times are thrown away when there are this many of them. */
const MOST_PAST = 1024

/** When something happened, as far back as anybody asks. Times are `performance.now()`. */
class Times {
  #times: number[] = []
  #first = 0

  add(now: number): void {
    this.#times.push(now)
  }

  /** Milliseconds until fewer than `limit` lie in the last `span`; 0 where that is so now. */
  untilBelow(limit: number, span: number, now: number): number {
    this.#forget(now - span)
    const last = this.#times[this.#times.length - limit]
    const isFull = this.#times.length - this.#first >= limit
    return isFull && last !== undefined ? last + span - now : 0
  }

  #forget(before: number): void {
    while ((this.#times[this.#first] ?? before + 1) <= before) this.#first++
    if (this.#first < MOST_PAST) return
    this.#times = this.#times.slice(this.#first)
    this.#first = 0
  }
}

interface Counted {
  calls: Times
  successes: Times
}

/**
 * How often each user may call models (management-api §2.4): the options `ModelRequestRateLimit…`, which
 * may differ by group. Calls that failed count among the calls only. Kept in memory.
 */
export class RequestLimits {
  readonly #users = new Map<number, Counted>()

  /** Counts a call that begins; throws `rate_limit_exceeded`, which says when there is room again. */
  begin(call: Call, settings: Readonly<Settings>): void {
    if (!settings.ModelRequestRateLimitEnabled || !isLimited(call)) return
    const now = performance.now()
    const minutes = settings.ModelRequestRateLimitDurationMinutes
    const [most, mostGood] = limitsFor(call, settings)
    const { calls, successes } = this.#of(call.caller.user.id)
    const wait = Math.max(
      most > 0 ? calls.untilBelow(most, minutes * MINUTE, now) : 0,
      mostGood > 0 ? successes.untilBelow(mostGood, minutes * MINUTE, now) : 0,
    )
    if (wait > 0) {
      const limits = [
        most > 0 ? counted(most, 'call') : '',
        mostGood > 0 ? counted(mostGood, 'answered call') : '',
      ]
      const seconds = Math.max(1, Math.ceil(wait / 1000))
      const shared = { user: call.caller.user.username, minutes, seconds }
      throw new GatewayError('rate_limit_exceeded', {
        message: `The user "${call.caller.user.username}" has reached the rate limit: ${limits.filter(Boolean).join(', ')} in ${counted(minutes, 'minute')}. Try again in ${seconds} s.`,
        reason:
          mostGood <= 0
            ? { code: 'user_rate_calls', ...shared, calls: most }
            : most <= 0
              ? { code: 'user_rate_answered', ...shared, answered: mostGood }
              : { code: 'user_rate_both', ...shared, calls: most, answered: mostGood },
        retryAfter: seconds,
      })
    }
    // Times without a limit are not kept: nobody would ever throw them away.
    if (most > 0) calls.add(now)
  }

  /** Counts a call that was answered well. */
  succeeded(call: Call, settings: Readonly<Settings>): void {
    if (!settings.ModelRequestRateLimitEnabled || !isLimited(call)) return
    const [, mostGood] = limitsFor(call, settings)
    if (mostGood > 0) this.#of(call.caller.user.id).successes.add(performance.now())
  }

  #of(userId: number): Counted {
    let counted = this.#users.get(userId)
    if (!counted) {
      counted = { calls: new Times(), successes: new Times() }
      this.#users.set(userId, counted)
    }
    return counted
  }
}

/** Counting tokens is no request to a model, and the test of a channel is the gateway's own. */
const isLimited = (call: Call): boolean => call.verb === 'generate' && !isChannelTest(call)

function limitsFor({ caller }: Call, settings: Readonly<Settings>): readonly [number, number] {
  const group = caller.token?.group || caller.user.group || 'default'
  const own = ownValue(settings.ModelRequestRateLimitGroup, group)
  return own ?? [settings.ModelRequestRateLimitCount, settings.ModelRequestRateLimitSuccessCount]
}
