import type { SocketCall } from '../../adaptor/adaptor.ts'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { GatewayError } from '../../base/errors.ts'
import type { FrameSocket } from '../../base/net/frame-socket.ts'
import type { Channel } from '../../store/records/channels.ts'
import { openSocket, type SocketAnswer } from '../../upstream/connect/socket.ts'
import type { Route } from '../2-route/route.ts'
import { failover } from '../4-attempt/failover.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import { answerHeaders, requestIdIn } from '../channel/answer-headers.ts'
import { connectionOf } from '../channel/channel-connection.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import { channelSecrets } from '../channel/channel-secrets.ts'
import { targetOf } from '../channel/channel-target.ts'
import { mapModel } from '../channel/map-model.ts'
import { overrideHeaders } from '../channel/override/header-override.ts'
import { failureOfRefusal } from '../failure/failure-of-refusal.ts'
import { type ReportedFailure, reportAsError } from '../failure/report-failure.ts'
import { statuses } from '../failure/vendor-codes.ts'
import { markHop } from '../limits/hop-mark.ts'
import type { RelayServices } from '../relay-services.ts'

/** A session's upstream, connected. */
export interface UpstreamSession {
  socket: FrameSocket
  /** Where it is; null where it is the gateway itself. */
  url: string | null
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

async function open(
  call: Call,
  channel: Channel,
  key: ChannelKey,
  wanted: SocketCall,
  services: RelayServices,
): Promise<SocketAnswer & Pick<UpstreamSession, 'url'>> {
  const adaptor = adaptorOf(channel.type)
  const socket = adaptor?.local?.openSession?.(wanted)
  if (socket) {
    return { status: 101, headers: {}, socket, body: Buffer.alloc(0), url: null }
  }
  const place = targetOf(channel, key)
  const target = adaptor?.socketTarget?.(place, wanted)
  if (!target) {
    throw new GatewayError('format_not_served', {
      message: `Channel "${channel.name}" takes no WebSockets.`,
      reason: { code: 'channel_without_websockets', channel: channel.name },
    })
  }
  const headers = headersFor(call, channel, key, target.headers)
  markHop(headers, call, channel, services)
  const { url } = target
  const connection = connectionOf(channel, url, services)
  const { cancellation } = call
  const secrets = channelSecrets(channel, place)
  const asked = { url, headers, cancellation, ...connection, secrets }
  return { ...(await openSocket(asked)), url }
}

/** The client's error for an upgrade that its vendor did not take. */
function upgradeError(reported: ReportedFailure, call: Call): GatewayError {
  const { refusal, kind } = reported.failure
  if (!refusal || kind !== 'invalid') return reportAsError(reported, call.format)
  return new GatewayError('upstream_invalid', {
    message: `The upstream of channel "${reported.channel.name}" answered the WebSocket upgrade with status ${refusal.status}. It does not speak WebSocket there: check the channel's base URL and endpoint types.`,
    reason: {
      ...{ code: 'upstream_upgrade_refused', channel: reported.channel.name },
      status: refusal.status,
    },
  })
}

/** Is it the answer of a host that has no WebSocket? */
export const hasNoSocket = (status: number): boolean =>
  statuses.noSocket.some((one) => one === status)

/**
 * Opens a session at one channel of the route after the other until one takes it, by the rules for every call.
 * Throws the refusal (with the vendor's status and sentence) or failure that is of most use to the client.
 */
export async function openUpstreamSession(
  call: Call,
  route: Route,
  record: CallRecord,
  services: RelayServices,
): Promise<UpstreamSession> {
  const ending = await failover<UpstreamSession>(
    call,
    route,
    record,
    services,
    async (channel, key, own) => {
      const model = mapModel(call.model, channel)
      own.upstreamModel = model
      const format = call.format === 'realtime' ? 'realtime' : 'responses'
      const wanted = { format, model, query: call.query } as const
      const answer = await open(call, channel, key, wanted, services)
      own.upstreamRequestId = requestIdIn(answer.headers)
      const { status, headers, socket, body, url } = answer
      if (!socket) {
        const failure = failureOfRefusal({ status, headers, body, url: url ?? '' })
        return { failure, isBlameless: hasNoSocket(status) }
      }
      const session = { socket, url, channel, key, model, headers: answerHeaders(headers) }
      return { answer: session, status }
    },
  )
  if ('reported' in ending) throw upgradeError(ending.reported, call)
  return ending.answer
}
