import type { Channel } from '../../store/records/channels.ts'
import type { RoutePlan } from '../2-route/route-plan.ts'
import type { Prepared } from '../3-prepare/prepare.ts'
import type { PreparedCall, Received } from '../3-prepare/prepared-call.ts'
import type { Call } from '../call/call.ts'
import type { AttemptRecord, CallRecord } from '../call/call-record.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import { forgetChatOnly, noteChatOnly } from '../channel/chat-only.ts'
import { isFailure } from '../failure/failure.ts'
import type { ReportedFailure } from '../failure/report-failure.ts'
import { refusesCount } from '../usage/count-tokens.ts'
import { estimatedPrompt } from '../usage/estimated-prompt.ts'
import { type AttemptOutcome, type AttemptServices, failover } from './failover.ts'

/**
 * Sends the call to one channel of the route after the other until one answers, each with the caller's
 * original body. When none answers, gives the failure that is of most use to the client.
 */
export async function attempt(
  call: Call,
  route: RoutePlan,
  prepare: (call: Call, channel: Channel, key: ChannelKey) => Prepared | Promise<Prepared>,
  record: CallRecord,
  services: AttemptServices,
): Promise<Received | ReportedFailure> {
  let asked: PreparedCall | null = null

  async function askChannel(
    channel: Channel,
    key: ChannelKey,
    own: AttemptRecord,
    isAsChat = false,
  ): Promise<AttemptOutcome<Received>> {
    const made = prepare(own.call, channel, key)
    const prepared: PreparedCall = made instanceof Promise ? await made : made
    asked = prepared
    own.upstreamModel = prepared.place.upstreamModel
    own.conversion = prepared.conversion
    own.cache = prepared.cache
    const received = await prepared.ask(own, record)
    if (!isFailure(received)) return { answer: received, status: received.status }
    if (!isAsChat && noteChatOnly(own.call, channel, received.status ?? 0))
      return askAsChat(channel, key, own)
    return { failure: received }
  }

  /** Only an answer shows that the upstream lacks completions, and not the model. */
  async function askAsChat(
    channel: Channel,
    key: ChannelKey,
    own: AttemptRecord,
  ): Promise<AttemptOutcome<Received>> {
    let isAnswered = false
    try {
      const outcome = await askChannel(channel, key, own, true)
      isAnswered = 'answer' in outcome
      return outcome
    } finally {
      if (!isAnswered) forgetChatOnly(own.call, channel)
    }
  }

  const ending = await failover(call, route, record, services, askChannel)
  if ('answer' in ending) {
    route.keepAfter(ending.answer)
    return ending.answer
  }
  const { reported } = ending
  if (call.verb !== 'count-tokens' || refusesCount(reported.failure.refusal?.status ?? 0))
    return reported
  // A vendor that cannot count is no reason to leave the client without a number.
  const counted = (asked as PreparedCall | null)?.counted?.(estimatedPrompt(call))
  if (!counted) return reported
  record.isEstimated = true
  return counted
}
