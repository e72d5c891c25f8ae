import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Limited, Route } from '../2-route/route.ts'
import type { Call, RelayParts } from '../call/call.ts'
import type { Meter } from '../call/call-record.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import { failedAttempt } from '../failure/failed-attempt.ts'
import { type Fault, type FaultKind, faultOfError, faultOfRefusal } from '../failure/fault.ts'
import { HINTED, type Ranked, tellsMore, usefulness } from '../failure/last-failure.ts'
import { nameChannel } from '../failure/name-channel.ts'
import type { Refusal } from '../failure/refusal.ts'
import { judge } from '../failure/retry-rule.ts'
import { wait } from './wait.ts'
import { WatchedAttempt } from './watched-attempt.ts'

/** What one channel said. */
export interface Said<Value> {
  value: Value
  /** HTTP status. */
  status: number
  /** Null for an answer. */
  refusal: Refusal | null
  /** A refusal that says nothing of how the channel fares, such as of a way that its vendor has not. */
  isBlameless?: boolean
}

/** A failure as its client may be told it: a vendor's refusal with what came of it, or what was thrown. */
export type Told<Value> = (
  | { value: Value; refusal: Refusal; error: null }
  | { value: null; refusal: null; error: GatewayError }
) & {
  /** The upstream was called in another wire format than the client's. */
  isForeign: boolean
}

type Failure<Value> = Told<Value> &
  Ranked & {
    attempt: WatchedAttempt
    retries: boolean
    /** What the meter knew of this attempt. */
    known: Pick<
      Meter,
      'channel' | 'keyIndex' | 'upstreamModel' | 'upstreamRequestId' | 'conversion' | 'cache'
    >
  }

/** How an attempt fails that comes before anything is sent. */
const UNSENT: ReadonlySet<FaultKind> = new Set(['unfit', 'misconfigured', 'locked'])
/** Channels that cannot send a call which cost it no try: to find that out takes time. */
const MOST_UNSENT = 20

/** Asks one channel. Throws what else went wrong. */
type Ask<Value> = (channel: Channel, key: ChannelKey) => Promise<Said<Value>>

const secondsUntil = ({ until }: Limited): number =>
  Math.max(1, Math.ceil((until - performance.now()) / 1000))

function allLimited(limited: Limited, call: Call): GatewayError {
  const { channel, reason } = limited
  const retryAfter = secondsUntil(limited)
  return new GatewayError('channels_rate_limited', {
    message: `The vendors of all channels that serve "${call.model}" have asked to wait. Please try again in ${retryAfter}s. The vendor of channel "${channel.name}" said: ${reason}`,
    retryAfter,
  })
}

/** Does a channel that was not asked heal before the one whose refusal would be told does? */
function isSooner(limited: Limited, told: Ranked | null): boolean {
  if (!told) return true
  const { retryAfter } = told.fault
  return told.rank === HINTED && retryAfter !== null && secondsUntil(limited) < retryAfter
}

const isAnswer = <Value>(
  outcome: { answer: Value } | Failure<Value>,
): outcome is { answer: Value } => 'answer' in outcome

async function tryChannel<Value>(
  channel: Channel,
  waited: number,
  call: Call,
  route: Route,
  meter: Meter,
  parts: RelayParts,
  ask: Ask<Value>,
): Promise<{ answer: Value } | Failure<Value>> {
  meter.channel = channel
  meter.tried.push(channel.id)
  meter.keyIndex = null
  meter.upstreamModel = null
  meter.upstreamRequestId = null
  meter.conversion = null
  meter.cache = null
  meter.purchases?.leave()
  const attempt = new WatchedAttempt(call, channel, waited, meter, parts)
  let key: ChannelKey | null = null

  function failed(fault: Fault, told: Told<Value>, isBlameless = false): Failure<Value> {
    const verdict = judge(fault, parts.settings.current)
    attempt.failed(fault, isBlameless ? { ...verdict, blame: null } : verdict)
    // As health has it: whether a vendor can count, or has WebSockets, says nothing of how it answers.
    if (fault.failure && call.verb === 'generate' && !isBlameless)
      parts.onFailedAttempt(
        failedAttempt(channel.id, key?.text ?? null, fault.failure, verdict.blame !== null),
      )
    const { keyIndex, upstreamModel, upstreamRequestId, conversion, cache } = meter
    const known = { channel, keyIndex, upstreamModel, upstreamRequestId, conversion, cache }
    const { retries } = verdict
    return { ...told, fault, rank: usefulness(fault, verdict), attempt, retries, known }
  }

  try {
    key = parts.keyTurns.choose(channel, route.keyFilter(channel))
    if (channel.multiKeyMode !== null) meter.keyIndex = key.index
    attempt.begin(key)
    const { value, status, refusal, isBlameless } = await ask(channel, key)
    const isForeign = meter.conversion !== null
    if (refusal)
      return failed(
        faultOfRefusal(refusal),
        { value, refusal, error: null, isForeign },
        isBlameless,
      )
    attempt.answered(status)
    meter.onCut = (error, hasBegun) => attempt.cut(error, hasBegun)
    route.answered(channel, key, meter)
    return { answer: value }
  } catch (error) {
    const { reason } = call.cancellation
    if (reason) attempt.interrupted(reason, 'client_gone')
    if (reason) throw reason
    if (!(error instanceof GatewayError)) throw error
    // What is wrong with the form itself no other channel can help.
    const ofForm = call.form?.failure
    if (ofForm) attempt.interrupted(ofForm, 'final')
    if (ofForm) throw ofForm
    const isForeign = meter.conversion !== null
    const told = { value: null, refusal: null, error: nameChannel(error, channel), isForeign }
    return failed(faultOfError(error), told)
  } finally {
    attempt.release()
  }
}

/**
 * Asks one channel of the route after the other until one answers. Another is asked only while nothing has
 * gone to the client, where the rules say that it may help, as often as `RetryTimes` says, and while the call is
 * younger than `RetryBudgetSeconds`. When none answers, gives the failure that is of most use to the client.
 * Throws `channels_rate_limited` where none could be asked for their vendors' wish.
 */
export async function failover<Value>(
  call: Call,
  route: Route,
  meter: Meter,
  parts: RelayParts,
  ask: Ask<Value>,
): Promise<{ answer: Value } | { told: Told<Value> }> {
  const settings = parts.settings.current
  const budget = settings.RetryBudgetSeconds * 1000 || Infinity
  let triesLeft = settings.RetryTimes
  let told: Failure<Value> | null = null
  let last: Failure<Value> | null = null
  let waited = 0
  let unsent = 0
  for (;;) {
    if (call.cancellation.reason) throw call.cancellation.reason
    const timeLeft = budget - (performance.now() - call.receivedAt)
    if (last && timeLeft <= 0) {
      last.attempt.wasLast('no_more_time')
      break
    }
    const step = route.next(timeLeft)
    if (step.kind === 'wait') {
      await wait(step.milliseconds, call.cancellation, parts.openCalls)
      waited += step.milliseconds
      continue
    }
    if (step.kind === 'none') {
      last?.attempt.wasLast('no_more_channels')
      if (step.limited && isSooner(step.limited, told)) throw allLimited(step.limited, call)
      break
    }
    const outcome = await tryChannel(step.channel, waited, call, route, meter, parts, ask)
    if (isAnswer(outcome)) return outcome
    waited = 0
    last = outcome
    if (tellsMore(outcome, told)) told = outcome
    if (!outcome.retries) {
      outcome.attempt.wasLast('final')
      break
    }
    // What a channel cannot send, for its format or its settings, went to nobody, and counts for no try.
    if (UNSENT.has(outcome.fault.kind) && unsent++ < MOST_UNSENT) continue
    if (triesLeft-- <= 0) {
      outcome.attempt.wasLast('no_more_tries')
      break
    }
  }
  if (!told) throw new GatewayError('no_channel', { message: 'No channel is left to try.' })
  if (told !== last) Object.assign(meter, told.known)
  return { told }
}
