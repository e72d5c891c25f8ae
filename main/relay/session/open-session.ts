import type { SocketCall } from '../../adaptor/adaptor.ts'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { GatewayError } from '../../base/errors.ts'
import type { FrameSocket } from '../../base/frame-socket.ts'
import type { Channel } from '../../store/channels.ts'
import type { UpstreamHeaders } from '../../upstream/request.ts'
import { openSocket, type SocketAnswer } from '../../upstream/socket.ts'
import { answerHeaders } from '../answer-headers.ts'
import type { Call, RelayParts } from '../call.ts'
import type { ChannelKey } from '../channel-keys.ts'
import {
  type AttemptFailure,
  failedAttempt,
  failureOfError,
  failureOfRefusal,
} from '../failed-attempt.ts'
import { overrideHeaders } from '../header-override.ts'
import { mapModel } from '../map-model.ts'
import type { Meter } from '../meter.ts'
import { targetOf } from '../prepare.ts'
import { retriesFailure, retriesStatus } from '../retry-rule.ts'
import { explainRefusal, foreignRefusal, type Refusal, refusesKey } from '../vendor-refusal.ts'

/** A session's upstream, connected. */
export interface UpstreamSession {
  socket: FrameSocket
  channel: Channel
  /** The channel's key that it was opened with. */
  key: ChannelKey
  /** The model's name there. */
  model: string
  /** The vendor's headers of the upgrade that are the client's to see. */
  headers: Record<string, string | string[]>
}

/** Headers of an upgrade itself, which each side has its own of; a browser's even hold its key. */
const isHandshake = (name: string): boolean => name.startsWith('sec-websocket-')

/** Betas of OpenAI that change what the messages are called, so that the client's word decides. */
const SOCKET_BETA = /^(?:realtime=|responses_websockets=)/

/** The client's headers that may go along, the channel's own key, then what the owner overrides. */
function headersFor(
  call: Call,
  channel: Channel,
  key: ChannelKey,
  vendorHeaders: Readonly<Record<string, string>>,
): Record<string, string> {
  const adaptor = adaptorOf(channel.type)
  const target = targetOf(channel, key)
  const headers: Record<string, string> = { ...vendorHeaders }
  const sent = Object.fromEntries(
    Object.entries(call.headers).filter(([name]) => !isHandshake(name)),
  )
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value !== 'string') continue
    const isBeta = name === 'openai-beta' && SOCKET_BETA.test(value)
    if (isBeta || adaptor?.passesHeader(name, target, call.format)) headers[name] = value
  }
  overrideHeaders(headers, channel, target.key, sent)
  return headers
}

function open(
  call: Call,
  channel: Channel,
  key: ChannelKey,
  wanted: SocketCall,
): Promise<SocketAnswer> {
  const adaptor = adaptorOf(channel.type)
  const socket = adaptor?.local?.openSession?.(wanted)
  if (socket) {
    return Promise.resolve({ status: 101, headers: {}, socket, body: Buffer.alloc(0) })
  }
  const target = adaptor?.socketTarget?.(targetOf(channel, key), wanted)
  if (!target) {
    throw new GatewayError('format_not_served', {
      message: `Channel "${channel.name}" takes no WebSockets.`,
    })
  }
  const headers = headersFor(call, channel, key, target.headers)
  return openSocket({ url: target.url, headers, cancellation: call.cancellation })
}

/** What the client is told of a vendor that refused the upgrade. */
function refusalOf(refusal: Refusal, channel: Channel, call: Call): GatewayError {
  const explained = explainRefusal(refusal, channel)
  if (refusal.status < 300) {
    return new GatewayError('upstream_invalid', {
      message: `The upstream of channel "${channel.name}" answered the WebSocket upgrade with status ${refusal.status}. It does not speak WebSocket there: check the channel's base URL and endpoint types.`,
    })
  }
  return explained ?? foreignRefusal(refusal, channel, call.format)
}

function headersToShow(upstream: UpstreamHeaders): Record<string, string | string[]> {
  const shown = answerHeaders(upstream)
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !isHandshake(name)))
}

/**
 * Opens a session at one channel after the other until one takes it, by the rules for every call: as often
 * as `RetryTimes` says, none twice. Throws the last refusal (with the vendor's status and sentence) or
 * failure.
 */
export async function openUpstreamSession(
  call: Call,
  channels: Iterable<Channel>,
  meter: Meter,
  parts: RelayParts,
): Promise<UpstreamSession> {
  const settings = parts.settings.current
  let left = settings.RetryTimes
  let last: GatewayError | null = null
  for (const channel of channels) {
    if (call.cancellation.reason) throw call.cancellation.reason
    meter.channel = channel
    meter.tried.push(channel.id)
    meter.keyIndex = null
    let key: ChannelKey | null = null
    const noteFailure = (failure: AttemptFailure | null) => {
      if (failure) parts.onFailedAttempt(failedAttempt(channel.id, key?.text ?? null, failure))
    }
    try {
      key = parts.keyTurns.choose(channel)
      if (channel.multiKeyMode !== null) meter.keyIndex = key.index
      const model = mapModel(call.model, channel)
      meter.upstreamModel = model
      const format = call.format === 'realtime' ? 'realtime' : 'responses'
      const answer = await open(call, channel, key, { format, model, query: call.query })
      const id = answer.headers['x-request-id']
      meter.upstreamRequestId = typeof id === 'string' ? id : null
      const { status, headers, socket, body } = answer
      if (socket) return { socket, channel, key, model, headers: headersToShow(headers) }
      const refusal = { status, headers, body }
      noteFailure(failureOfRefusal(refusal))
      last = refusalOf(refusal, channel, call)
      if (!retriesStatus(status, settings) && !refusesKey(refusal)) break
    } catch (error) {
      if (call.cancellation.reason) throw call.cancellation.reason
      if (!(error instanceof GatewayError)) throw error
      noteFailure(failureOfError(error))
      last = error
      if (!retriesFailure(error, settings)) break
    }
    if (left-- <= 0) break
  }
  throw last ?? new GatewayError('no_channel', { message: 'No channel is left to try.' })
}
