import type { SocketCall } from '../../adaptor/adaptor.ts'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { endpointTypeOf } from '../../adaptor/url/endpoint-types.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Sentence } from '../../base/reason.ts'
import { carriesMark } from '../../convert/reasoning/reasoning-state.ts'
import type { Channel } from '../../store/records/channels.ts'
import { nameOf, shortNameOf } from '../call/asked-model.ts'
import { type Call, type Caller, ownerOf } from '../call/call.ts'
import { endpointsOf } from '../channel/channel-format.ts'
import { targetOf } from '../channel/channel-target.ts'
import { groupsOf, servingIn } from '../channel/groups.ts'
import type { RelayServices } from '../relay-services.ts'

/** Where a session in this format would go. */
const anyCall = (format: SocketCall['format']): SocketCall => ({ format, model: '', query: '' })

/** Does the channel's upstream take this format over a WebSocket, as it comes? */
export function takesSocket(channel: Channel, format: SocketCall['format']): boolean {
  const adaptor = adaptorOf(channel.type)
  const endpoint = endpointTypeOf(format)
  if (!adaptor || !endpointsOf(channel).includes(endpoint)) return false
  if (adaptor.local) return adaptor.local.openSession !== undefined
  try {
    return adaptor.socketTarget?.(targetOf(channel), anyCall(format)) !== undefined
  } catch {
    return false
  }
}

/**
 * May this caller hope for an upstream that takes Responses over a WebSocket? The model is not known
 * before the first message, so that this is all that can be said at the door.
 */
export function hopesForResponsesSocket(
  caller: Caller,
  services: Pick<RelayServices, 'channels' | 'settings'>,
): boolean {
  const { token, pinnedChannel } = caller
  const groups = groupsOf({ caller }, services.settings.current)
  return services.channels.all().some((channel) => {
    if (channel.status !== 1 || !takesSocket(channel, 'responses')) return false
    if (pinnedChannel !== null) return channel.id === pinnedChannel
    if (!channel.groups.some((group) => groups.includes(group))) return false
    return (
      !token?.modelLimitsEnabled ||
      channel.models.some((model) => token.modelLimits.includes(model))
    )
  })
}

/** Throws for a route: each call of it may have another model, and a session has one. */
export function refuseRoute(call: Call, { routes }: Pick<RelayServices, 'routes'>): void {
  if (!routes.byName(call.model)) return
  throw new GatewayError('format_not_served', {
    message: `${nameOf(call)} is a route, and routes have no realtime sessions. Name a model.`,
    reason: { code: 'route_without_realtime', route: shortNameOf(call) },
    field: 'model',
  })
}

/** Codex takes this status for the word to go on over HTTP, where every model is served. */
export const socketNotServed = (
  { message, reason: why }: Sentence,
  cause?: unknown,
): GatewayError =>
  new GatewayError('websocket_not_served', {
    message: `${message} Use HTTP with "stream": true.`,
    reason: { code: 'websocket_unserved', why },
    ...(cause === undefined ? {} : { cause }),
  })

/** Codex opens another connection when it reads this code, and sends the whole conversation again. */
export const connectAnew = ({ message, reason: why }: Sentence): GatewayError =>
  new GatewayError('invalid_request', {
    message: `${message} Open another connection to go on.`,
    reason: { code: 'connection_over', why },
    vendorCode: 'websocket_connection_limit_reached',
  })

export const modelOverHttp = (call: Call): Sentence => ({
  message: `The model ${nameOf(call)} is not served over a WebSocket here.`,
  reason: { code: 'model_over_http', model: shortNameOf(call) },
})

export const connectionAtLimit = (): GatewayError =>
  connectAnew({
    message: 'The connection has reached its longest duration of 60 minutes.',
    reason: { code: 'connection_at_limit' },
  })

/**
 * Can this call of Responses only be served over HTTP? Its model's channels speak another format, or it
 * goes on from what another vendor has said, so that it has to be converted. Says why, or null.
 */
export function httpOnlyReason(
  call: Call,
  services: Pick<RelayServices, 'channels' | 'routes' | 'settings' | 'responses'>,
): Sentence | null {
  // Each of its calls may have another model, and a connection has one upstream.
  if (services.routes.byName(call.model)) return modelOverHttp(call)
  const { pinnedChannel } = call.caller
  const pinned = pinnedChannel === null ? undefined : services.channels.byId(pinnedChannel)
  const serving = pinned ? [pinned] : servingIn(call, services)
  if (serving.length > 0 && !serving.some((channel) => takesSocket(channel, 'responses'))) {
    return modelOverHttp(call)
  }
  const previous = call.body.get('previous_response_id')
  const isOurs = typeof previous === 'string' && services.responses.resolve(ownerOf(call), previous)
  return isOurs || carriesMark(call.body)
    ? {
        message:
          'This conversation holds what another vendor has said, which is converted over HTTP only.',
        reason: { code: 'conversation_over_http' },
      }
    : null
}
