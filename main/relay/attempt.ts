import { GatewayError } from '../base/errors.ts'
import { estimateInput } from '../convert/estimate-input.ts'
import type { Channel } from '../store/channels.ts'
import { ask } from './ask.ts'
import type { Call, RelayParts } from './call.ts'
import type { ChannelKey } from './channel-keys.ts'
import { forgetChatOnly, noteChatOnly } from './chat-only.ts'
import { countAnswer, refusesCount } from './count-tokens.ts'
import {
  type AttemptFailure,
  failedAttempt,
  failureOfError,
  failureOfRefusal,
} from './failed-attempt.ts'
import type { Meter } from './meter.ts'
import type { Prepared } from './prepare.ts'
import type { Received } from './receive.ts'
import { retriesFailure, retriesStatus } from './retry-rule.ts'
import { decodedRequest } from './translation.ts'
import {
  explainRefusal,
  foreignFailure,
  foreignRefusal,
  isRefusal,
  type Refusal,
  refusesKey,
} from './vendor-refusal.ts'

/** What an attempt brought: an answer, or the vendor's refusal as it came. */
export interface Exchange {
  prepared: Prepared
  received: Received | Refusal
}

interface Refused {
  prepared: Prepared
  received: Refusal
}

/**
 * Sends the call to one channel after the other until one answers. Another is tried only while nothing
 * has gone to the client, as often as `RetryTimes` says, each with the caller's original body. When none
 * answers, the last refusal or failure is the result.
 */
export async function attempt(
  call: Call,
  channels: Iterable<Channel>,
  prepare: (channel: Channel, key: ChannelKey) => Prepared | Promise<Prepared>,
  meter: Meter,
  parts: RelayParts,
): Promise<Exchange> {
  const settings = parts.settings.current
  let left = settings.RetryTimes
  let asked: Prepared | null = null
  let last: { refusal: Refused } | { failure: GatewayError; isForeign: boolean } | null = null

  async function askChannel(channel: Channel, key: ChannelKey): Promise<Exchange> {
    const made = prepare(channel, key)
    const prepared = made instanceof Promise ? await made : made
    asked = prepared
    meter.upstreamModel = prepared.upstreamModel
    const converted = prepared.translation ?? prepared.way
    meter.conversion = converted && { format: converted.format, losses: converted.loss.entries }
    if (prepared.ready) return readyExchange(prepared, prepared.ready, meter)
    return { prepared, received: await ask(call, prepared, meter, parts) }
  }

  /** Only an answer shows that it was no completions that the upstream lacks, and not the model. */
  async function askAsChat(channel: Channel, key: ChannelKey): Promise<Exchange> {
    let isAnswered = false
    try {
      const exchange = await askChannel(channel, key)
      isAnswered = !isRefusal(exchange.received)
      return exchange
    } finally {
      if (!isAnswered) forgetChatOnly(call, channel)
    }
  }

  for (const channel of channels) {
    if (call.cancellation.reason) throw call.cancellation.reason
    meter.channel = channel
    meter.tried.push(channel.id)
    meter.conversion = null
    meter.keyIndex = null
    let key: ChannelKey | null = null
    const noteFailure = (failure: AttemptFailure | null) => {
      if (failure) parts.onFailedAttempt(failedAttempt(channel.id, key?.text ?? null, failure))
    }
    try {
      key = parts.keyTurns.choose(channel)
      if (channel.multiKeyMode !== null) meter.keyIndex = key.index
      let { prepared, received } = await askChannel(channel, key)
      if (isRefusal(received) && noteChatOnly(call, channel, received.status))
        ({ prepared, received } = await askAsChat(channel, key))
      if (!isRefusal(received)) return { prepared, received }
      noteFailure(failureOfRefusal(received))
      last = { refusal: { prepared, received } }
      if (!retriesStatus(received.status, settings) && !refusesKey(received)) break
    } catch (error) {
      if (call.cancellation.reason) throw call.cancellation.reason
      if (!(error instanceof GatewayError)) throw error
      noteFailure(failureOfError(error))
      // What is wrong with the form itself no other channel can help.
      if (call.form?.failure) throw call.form.failure
      // What this channel's format cannot hold, another's may; nothing was sent, and a failure of one that
      // could hold it says more.
      if (error.code === 'invalid_request') {
        last ??= { failure: error, isForeign: meter.conversion !== null }
        continue
      }
      last = { failure: error, isForeign: meter.conversion !== null }
      if (!retriesFailure(error, settings)) break
    }
    if (left-- <= 0) break
  }
  if (last === null) throw new GatewayError('no_channel', { message: 'No channel is left to try.' })
  const status = 'refusal' in last ? last.refusal.received.status : 0
  if (call.verb === 'count-tokens' && asked && !refusesCount(status)) {
    // A vendor that cannot count is no reason to leave the client without a number.
    const tokens = estimateInput(decodedRequest(call))
    return readyExchange(asked, countAnswer(call, tokens), meter)
  }
  if ('failure' in last)
    throw last.isForeign ? foreignFailure(last.failure, call.format) : last.failure
  const { prepared, received } = last.refusal
  const explained = explainRefusal(received, prepared.channel)
  if (explained) throw explained
  if (prepared.translation || prepared.way)
    throw foreignRefusal(received, prepared.channel, call.format)
  return last.refusal
}

/** An answer of the gateway's own. */
function readyExchange(prepared: Prepared, content: Buffer, meter: Meter): Exchange {
  meter.isEstimated = true
  const headers = { 'content-type': 'application/json' }
  return { prepared, received: { status: 200, headers, content, response: null, way: null } }
}
