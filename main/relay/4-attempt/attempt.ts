import type { Channel } from '../../store/records/channels.ts'
import type { Route } from '../2-route/route.ts'
import type { Prepared } from '../3-prepare/prepare.ts'
import type { Call, RelayParts } from '../call/call.ts'
import type { Meter } from '../call/call-record.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import { forgetChatOnly, noteChatOnly } from '../channel/chat-only.ts'
import { CacheUse } from '../explicit-cache/cache-use.ts'
import { isRefusal, type Refusal } from '../failure/refusal.ts'
import { explainRefusal, foreignFailure, foreignRefusal } from '../failure/vendor-refusal.ts'
import { countAnswer, refusesCount } from '../usage/count-tokens.ts'
import { estimatedPrompt } from '../usage/estimated-prompt.ts'
import { ask } from './ask.ts'
import { failover, type Said } from './failover.ts'
import type { Received } from './receive.ts'

/** What an attempt brought: an answer, or the vendor's refusal as it came. */
export interface Exchange {
  prepared: Prepared
  received: Received | Refusal
}

/**
 * Sends the call to one channel of the route after the other until one answers, each with the caller's
 * original body. When none answers, the failure that is of most use to the client is the result.
 */
export async function attempt(
  call: Call,
  route: Route,
  prepare: (channel: Channel, key: ChannelKey) => Prepared | Promise<Prepared>,
  meter: Meter,
  parts: RelayParts,
): Promise<Exchange> {
  let asked: Prepared | null = null

  async function askChannel(
    channel: Channel,
    key: ChannelKey,
    isAsChat = false,
  ): Promise<Said<Exchange>> {
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
    const refusal = isRefusal(received) ? received : null
    if (refusal && !isAsChat && noteChatOnly(call, channel, refusal.status))
      return askAsChat(channel, key)
    return { value: { prepared, received }, status: received.status, refusal }
  }

  /** Only an answer shows that it was no completions that the upstream lacks, and not the model. */
  async function askAsChat(channel: Channel, key: ChannelKey): Promise<Said<Exchange>> {
    let isAnswered = false
    try {
      const said = await askChannel(channel, key, true)
      isAnswered = said.refusal === null
      return said
    } finally {
      if (!isAnswered) forgetChatOnly(call, channel)
    }
  }

  const ending = await failover(call, route, meter, parts, askChannel)
  if ('answer' in ending) {
    const { received } = ending.answer
    if (!isRefusal(received)) route.keepAfter(received)
    return ending.answer
  }
  const { value, refusal, error, isForeign } = ending.told
  if (call.verb === 'count-tokens' && asked && !refusesCount(refusal?.status ?? 0)) {
    // A vendor that cannot count is no reason to leave the client without a number.
    const tokens = estimatedPrompt(call)
    return { prepared: asked, received: readyAnswer(countAnswer(call, tokens), meter) }
  }
  if (error) throw isForeign ? foreignFailure(error, call.format) : error
  const { channel, url } = value.prepared
  const explained = explainRefusal(refusal, channel, url)
  if (explained) throw explained
  if (isForeign) throw foreignRefusal(refusal, channel, call.format)
  return value
}

/** An answer of the gateway's own. */
function readyAnswer(content: Buffer, meter: Meter): Received {
  meter.isEstimated = true
  const headers = { 'content-type': 'application/json' }
  return { status: 200, headers, content, response: null, way: null }
}
