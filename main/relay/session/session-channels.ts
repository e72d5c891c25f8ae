import type { SocketCall } from '../../adaptor/adaptor.ts'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { endpointTypeOf } from '../../adaptor/url/endpoint-types.ts'
import { GatewayError } from '../../base/errors.ts'
import { carriesMark } from '../../convert/reasoning/reasoning-state.ts'
import type { Channel } from '../../store/records/channels.ts'
import { nameOf } from '../call/asked-model.ts'
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

/** Codex takes this status for the word to go on over HTTP, where every model is served. */
export const socketNotServed = (reason: string, cause?: unknown): GatewayError =>
  new GatewayError('websocket_not_served', {
    message: `${reason} Use HTTP with "stream": true.`,
    ...(cause === undefined ? {} : { cause }),
  })

/** Codex opens another connection when it reads this code, and sends the whole conversation again. */
export const connectAnew = (message: string): GatewayError =>
  new GatewayError('invalid_request', {
    message: `${message} Open another connection to go on.`,
    vendorCode: 'websocket_connection_limit_reached',
  })

/**
 * Can this call of Responses only be served over HTTP? Its model's channels speak another format, or it
 * goes on from what another vendor has said, so that it has to be converted. Gives the reason, or null.
 */
export function httpOnlyReason(
  call: Call,
  services: Pick<RelayServices, 'channels' | 'settings' | 'responses'>,
): string | null {
  const { pinnedChannel } = call.caller
  const pinned = pinnedChannel === null ? undefined : services.channels.byId(pinnedChannel)
  const serving = pinned ? [pinned] : servingIn(call, services)
  if (serving.length > 0 && !serving.some((channel) => takesSocket(channel, 'responses'))) {
    return `The model ${nameOf(call)} is not served over a WebSocket here.`
  }
  const previous = call.body.get('previous_response_id')
  const isOurs = typeof previous === 'string' && services.responses.resolve(ownerOf(call), previous)
  return isOurs || carriesMark(call.body)
    ? 'This conversation holds what another vendor has said, which is converted over HTTP only.'
    : null
}
