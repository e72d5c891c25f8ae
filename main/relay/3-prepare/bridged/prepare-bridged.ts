import type { FormatBridge } from '../../../convert/other/bridge.ts'
import type { Call } from '../../call/call.ts'
import type { ConnectionServices } from '../../channel/channel-connection.ts'
import { ANYTHING, EVENTS } from '../../channel/outgoing-headers.ts'
import type { HopServices } from '../../limits/hop-mark.ts'
import { BridgeCall } from '../../translate/bridge-call.ts'
import { bridgeRequest } from '../../translate/bridge-request.ts'
import type { Place } from '../prepared-call.ts'
import { requestHeaders } from '../request-headers.ts'
import { Bridged } from './bridged.ts'

/** A call that goes to its upstream as one of another kind. */
export async function prepareBridged(
  call: Call,
  place: Place,
  bridge: FormatBridge,
  services: ConnectionServices & HopServices,
): Promise<Bridged> {
  const { channel, adaptor, target, upstreamModel } = place
  const bridged = new BridgeCall(bridge, await bridgeRequest(call), {
    model: upstreamModel,
    settings: channel.settings,
    storesUnasked: adaptor.storesUnasked?.(target) ?? false,
  })
  const format = bridge.to
  const stream = bridged.streams
  const wanted = { verb: 'generate', stream, altSse: true, query: '' } as const
  const { url, headers } = adaptor.target(target, { ...wanted, format, model: upstreamModel })
  const accept = stream ? EVENTS : ANYTHING
  const request = {
    format,
    stream,
    altSse: !call.asArray,
    url,
    headers: requestHeaders(call, place, headers, accept, false, services),
    body: [],
    form: null,
  }
  return new Bridged(call, place, request, bridged, services)
}
