import type { Channel } from '../../store/records/channels.ts'
import type { Route } from '../2-route/route.ts'
import type { Prepared } from '../3-prepare/prepare.ts'
import type { Call, RelayParts } from '../call/call.ts'
import type { Meter } from '../call/call-record.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import { forgetChatOnly, noteChatOnly } from '../channel/chat-only.ts'
import { CacheUse } from '../explicit-cache/cache-use.ts'
import { isFailure } from '../failure/failure.ts'
import type { ReportedFailure } from '../failure/report-failure.ts'
import { countAnswer, refusesCount } from '../usage/count-tokens.ts'
import { estimatedPrompt } from '../usage/estimated-prompt.ts'
import { ask } from './ask.ts'
import { type AttemptOutcome, failover } from './failover.ts'
import type { Received } from './receive.ts'

/** An answer, and how it was asked for. */
export interface Exchange {
  prepared: Prepared
  received: Received
}

/**
 * Sends the call to one channel of the route after the other until one answers, each with the caller's
 * original body. When none answers, gives the failure that is of most use to the client.
 */
export async function attempt(
  call: Call,
  route: Route,
  prepare: (channel: Channel, key: ChannelKey) => Prepared | Promise<Prepared>,
  meter: Meter,
  parts: RelayParts,
): Promise<Exchange | ReportedFailure> {
  let asked: Prepared | null = null

  async function askChannel(
    channel: Channel,
    key: ChannelKey,
    isAsChat = false,
  ): Promise<AttemptOutcome<Exchange>> {
    const made = prepare(channel, key)
    const prepared = made instanceof Promise ? await made : made
    asked = prepared
    meter.upstreamModel = prepared.upstreamModel
    const converted = prepared.translation ?? prepared.way
    meter.conversion = converted && { format: converted.format, losses: converted.loss.entries }
    const { cache = null } = prepared
    meter.cache = cache instanceof CacheUse ? cache.note : cache
    const received = prepared.ready
      ? readyAnswer(prepared.ready, meter)
      : await ask(call, prepared, meter, parts)
    if (!isFailure(received)) return { answer: { prepared, received }, status: received.status }
    if (!isAsChat && noteChatOnly(call, channel, received.status ?? 0))
      return askAsChat(channel, key)
    return { failure: received }
  }

  /** Only an answer shows that it was no completions that the upstream lacks, and not the model. */
  async function askAsChat(channel: Channel, key: ChannelKey): Promise<AttemptOutcome<Exchange>> {
    let isAnswered = false
    try {
      const outcome = await askChannel(channel, key, true)
      isAnswered = 'answer' in outcome
      return outcome
    } finally {
      if (!isAnswered) forgetChatOnly(call, channel)
    }
  }

  const ending = await failover(call, route, meter, parts, askChannel)
  if ('answer' in ending) {
    route.keepAfter(ending.answer.received)
    return ending.answer
  }
  if (
    call.verb === 'count-tokens' &&
    asked &&
    !refusesCount(ending.reported.failure.refusal?.status ?? 0)
  ) {
    // A vendor that cannot count is no reason to leave the client without a number.
    const tokens = estimatedPrompt(call)
    return { prepared: asked, received: readyAnswer(countAnswer(call, tokens), meter) }
  }
  return ending.reported
}

/** An answer of the gateway's own. */
function readyAnswer(content: Buffer, meter: Meter): Received {
  meter.isEstimated = true
  const headers = { 'content-type': 'application/json' }
  return { status: 200, headers, content, response: null, way: null }
}
