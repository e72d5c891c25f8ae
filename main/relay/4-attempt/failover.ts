import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Limited, RoutePlan, Step } from '../2-route/route-plan.ts'
import { nameOf, shortNameOf } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'
import type { AttemptRecord, CallRecord } from '../call/call-record.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import { concernsAccount } from '../failure/disable-rule.ts'
import type { Failure, FailureKind } from '../failure/failure.ts'
import { failureOfError } from '../failure/failure-of-error.ts'
import type { ReportedFailure } from '../failure/report-failure.ts'
import { mayRetry } from '../failure/retry-rule.ts'
import { HINTED, isMoreUseful, type RankedFailure, usefulness } from '../failure/usefulness.ts'
import type { RelayServices } from '../relay-services.ts'
import { wait } from './wait.ts'
import { WatchedAttempt } from './watched-attempt.ts'

/** The outcome of one try. */
export type AttemptOutcome<Answer> =
  | {
      answer: Answer
      /** HTTP status. */
      status: number
    }
  | {
      failure: Failure
      /** It says nothing of the channel, such as a refusal of what its vendor does not have. */
      isBlameless?: boolean
    }

/** Asks one channel. Throws what went wrong but for a refusal. */
type Ask<Answer> = (
  channel: Channel,
  key: ChannelKey,
  own: AttemptRecord,
) => Promise<AttemptOutcome<Answer>>

/** The stores that attempts are made with. */
export type AttemptServices = Pick<
  RelayServices,
  'settings' | 'health' | 'keyTurns' | 'openCalls' | 'onFailedAttempt'
>

interface FailedTry extends RankedFailure {
  reported: ReportedFailure
  attempt: WatchedAttempt
  retries: boolean
  own: AttemptRecord
  /** Null where none was chosen. */
  key: ChannelKey | null
}

/** How an attempt fails before anything is sent. */
const UNSENT: ReadonlySet<FailureKind> = new Set(['unfit', 'misconfigured', 'locked'])
/** Channels that cannot send a call which cost it no try: to find that out takes time. */
const MOST_UNSENT = 20

const secondsUntil = ({ until }: Limited): number =>
  Math.max(1, Math.ceil((until - performance.now()) / 1000))

function allLimited(limited: Limited, call: Call): GatewayError {
  const { channel, reason } = limited
  const retryAfter = secondsUntil(limited)
  return new GatewayError('channels_rate_limited', {
    message: `The vendors of all channels that serve ${nameOf(call)} have asked to wait. Please try again in ${retryAfter}s. The vendor of channel "${channel.name}" said: ${reason}`,
    reason: {
      ...{ code: 'channels_wait', model: shortNameOf(call), seconds: retryAfter },
      ...{ channel: channel.name, said: reason },
    },
    retryAfter,
  })
}

/** Does the cooldown of a channel that was not asked end before the best failure's retry hint? */
function isSooner(limited: Limited, best: RankedFailure | null): boolean {
  if (!best) return true
  const { retryAfter } = best.failure
  return best.rank === HINTED && retryAfter !== null && secondsUntil(limited) < retryAfter
}

async function tryChannel<Answer>(
  channel: Channel,
  { waited, mayGoOn }: { waited: number; mayGoOn: boolean },
  call: Call,
  route: RoutePlan,
  record: CallRecord,
  services: AttemptServices,
  ask: Ask<Answer>,
): Promise<{ answer: Answer } | FailedTry> {
  const own = record.beginAttempt(channel, call)
  own.hasOther = mayGoOn && route.hasOther
  const attempt = new WatchedAttempt(call, own, waited, record, services)
  let key: ChannelKey | null = null

  function failed(failure: Failure, isBlameless = false): FailedTry {
    attempt.failed(failure, isBlameless)
    // As with health: whether a vendor can count, or has WebSockets, says nothing of how it answers.
    if (concernsAccount(failure) && call.verb === 'generate' && !isBlameless) {
      const ofKey = failure.kind === 'misconfigured' ? null : key
      services.onFailedAttempt({ channelId: channel.id, key: ofKey?.text ?? null, failure })
    }
    const retries = mayRetry(failure, services.settings.current)
    const reported = { failure, channel, isForeign: own.conversion !== null }
    return { failure, rank: usefulness(failure, retries), reported, attempt, retries, own, key }
  }

  try {
    key = services.keyTurns.choose(channel, route.keyFilter(channel))
    if (channel.multiKeyMode !== null) own.keyIndex = key.index
    attempt.begin(key)
    const outcome = await ask(channel, key, own)
    if ('failure' in outcome) return failed(outcome.failure, outcome.isBlameless)
    attempt.answered(outcome.status)
    record.onCut = (error, hasBegun) => attempt.cut(error, hasBegun)
    route.answered(channel, key)
    return { answer: outcome.answer }
  } catch (error) {
    const { reason } = call.cancellation
    if (reason)
      attempt.interrupted(reason, reason.code === 'call_stopped' ? 'stopped' : 'client_gone')
    if (reason) throw reason
    if (!(error instanceof GatewayError)) throw error
    // A faulty form fails on every channel.
    const ofForm = call.form?.failure
    if (ofForm) attempt.interrupted(ofForm, 'final')
    if (ofForm) throw ofForm
    return failed(failureOfError(error))
  } finally {
    attempt.release()
  }
}

/**
 * Asks one channel of the route after the other until one answers, and a channel with several keys by another of
 * them where the key is to blame. Another is asked only while nothing has
 * gone to the client, where the rules say that it may help, as often as `RetryTimes` says (under a route, for each
 * target), and while the call is
 * younger than `RetryBudgetSeconds`. When none answers, gives the failure that is of most use to the client.
 * Throws `channels_rate_limited` where none could be asked for their vendors' wish.
 */
export async function failover<Answer>(
  call: Call,
  route: RoutePlan,
  record: CallRecord,
  services: AttemptServices,
  ask: Ask<Answer>,
): Promise<{ answer: Answer } | { reported: ReportedFailure }> {
  const settings = services.settings.current
  const budget = settings.RetryBudgetSeconds * 1000 || Infinity
  /** Attempts that counted, by what is asked: the targets of a route each have their own. */
  const tries = new Map<Call, number>()
  let best: FailedTry | null = null
  let last: FailedTry | null = null
  let waited = 0
  let unsent = 0
  /** The same channel with another key. */
  let again: Step | null = null
  const nextStep = (left: number): Step => {
    const step = again ?? route.next(left)
    again = null
    return step
  }
  for (;;) {
    if (call.cancellation.reason) throw call.cancellation.reason
    const timeLeft = budget - (performance.now() - call.receivedAt)
    if (last && timeLeft <= 0) {
      last.attempt.wasLast('no_more_time')
      break
    }
    const step = nextStep(timeLeft)
    if (step.kind === 'wait') {
      await wait(step.milliseconds, call.cancellation, services.openCalls)
      waited += step.milliseconds
      continue
    }
    if (step.kind === 'none') {
      last?.attempt.wasLast('no_more_channels')
      if (step.limited && isSooner(step.limited, best)) throw allLimited(step.limited, call)
      break
    }
    const { channel, call: asked } = step
    const mayGoOn: boolean = (tries.get(asked) ?? 0) < settings.RetryTimes
    const turn = { waited, mayGoOn }
    const outcome = await tryChannel(channel, turn, asked, route, record, services, ask)
    if ('answer' in outcome) return outcome
    waited = 0
    last = outcome
    if (isMoreUseful(outcome, best)) best = outcome
    if (!outcome.retries) {
      outcome.attempt.wasLast('final')
      break
    }
    // A call that a channel cannot send, for its format or its settings, reached nobody and counts as no attempt.
    if (UNSENT.has(outcome.failure.kind) && unsent++ < MOST_UNSENT) continue
    const tried = (tries.get(asked) ?? 0) + 1
    tries.set(asked, tried)
    if (tried <= settings.RetryTimes) again = outcome.key && route.nextKey(channel, outcome.key)
    else if (!route.nextTarget()) {
      outcome.attempt.wasLast('no_more_tries')
      break
    }
  }
  if (!best)
    throw new GatewayError('no_channel', {
      message: 'No channel is left to try. Try again, or add a channel for this model.',
      reason: { code: 'channels_all_tried' },
    })
  record.attempt = best.own
  return { reported: best.reported }
}
