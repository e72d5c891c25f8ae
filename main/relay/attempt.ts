import { GatewayError } from '../base/errors.ts'
import { estimateInput } from '../convert/estimate-input.ts'
import type { Channel } from '../store/channels.ts'
import { readAll } from '../upstream/body.ts'
import { localAnswer } from '../upstream/local-answer.ts'
import { sendUpstream, type UpstreamAnswer } from '../upstream/request.ts'
import type { Call, RelayParts } from './call.ts'
import { countAnswer, refusesCount } from './count-tokens.ts'
import type { Meter } from './meter.ts'
import type { Prepared } from './prepare.ts'
import { type Received, receive } from './receive.ts'
import { retriesFailure, retriesStatus } from './retry-rule.ts'
import { decodedRequest } from './translation.ts'
import {
  explainRefusal,
  foreignFailure,
  foreignRefusal,
  type Refusal,
  refusesKey,
} from './vendor-refusal.ts'

/** What an attempt brought: an answer, or the vendor's refusal as it came. */
export interface Exchange {
  prepared: Prepared
  received: Received | Refusal
}

/** A refusal's body is a sentence or two; more than this is not one. */
const REFUSAL_LIMIT = 1024 * 1024

async function send(call: Call, prepared: Prepared, parts: RelayParts): Promise<UpstreamAnswer> {
  const { adaptor, url, headers, body, upstreamModel } = prepared
  if (!adaptor.local) {
    const idleLimit = (parts.settings.current.UpstreamIdleSeconds || Infinity) * 1000
    return sendUpstream({
      method: 'POST',
      url,
      headers,
      body,
      cancellation: call.cancellation,
      idleLimit,
    })
  }
  const controller = new AbortController()
  call.cancellation.listen((reason) => controller.abort(reason))
  const { format, stream, translation } = prepared
  const source = adaptor.local.answer({
    format,
    verb: call.verb,
    stream,
    body: Buffer.isBuffer(body) ? JSON.parse(body.toString()) : call.body.parse(),
    model: upstreamModel,
    altSse: translation !== null || !call.asArray,
    signal: controller.signal,
  })
  return localAnswer(source, () => controller.abort())
}

/**
 * Sends the call to one channel after the other until one answers. Another is tried only while nothing
 * has gone to the client, as often as `RetryTimes` says, each with the caller's original body. When none
 * answers, the last refusal or failure is the result.
 */
export async function attempt(
  call: Call,
  channels: Iterable<Channel>,
  prepare: (channel: Channel) => Prepared,
  meter: Meter,
  parts: RelayParts,
): Promise<Exchange> {
  const settings = parts.settings.current
  let left = settings.RetryTimes
  let asked: Prepared | null = null
  let last: { refusal: Exchange } | { failure: GatewayError; isForeign: boolean } | null = null
  for (const channel of channels) {
    if (call.cancellation.reason) throw call.cancellation.reason
    meter.channel = channel
    meter.tried.push(channel.id)
    meter.conversion = null
    try {
      const prepared = prepare(channel)
      asked = prepared
      meter.upstreamModel = prepared.upstreamModel
      const { translation } = prepared
      meter.conversion = translation && {
        format: translation.format,
        losses: translation.loss.entries,
      }
      if (prepared.ready) return readyExchange(prepared, prepared.ready, meter)
      const answer = await send(call, prepared, parts)
      const id = answer.headers['x-request-id'] ?? answer.headers['request-id']
      meter.upstreamRequestId = typeof id === 'string' ? id : null
      if (answer.status >= 200 && answer.status < 300) {
        return { prepared, received: await receive(answer, call, prepared, parts) }
      }
      const { status, headers } = answer
      const refusal = { status, headers, body: await readAll(answer.body, REFUSAL_LIMIT) }
      last = { refusal: { prepared, received: refusal } }
      if (!retriesStatus(status, settings) && !refusesKey(refusal)) break
    } catch (error) {
      if (call.cancellation.reason) throw call.cancellation.reason
      if (!(error instanceof GatewayError)) throw error
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
  const explained = explainRefusal(received as Refusal, prepared.channel)
  if (explained) throw explained
  if (prepared.translation) throw foreignRefusal(received as Refusal, prepared.channel, call.format)
  return last.refusal
}

/** An answer of the gateway's own. */
function readyExchange(prepared: Prepared, content: Buffer, meter: Meter): Exchange {
  meter.isEstimated = true
  return { prepared, received: { status: 200, headers: {}, content, response: null } }
}
