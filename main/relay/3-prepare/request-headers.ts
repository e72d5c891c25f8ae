import type { Call } from '../call/call.ts'
import { outgoingHeaders } from '../channel/outgoing-headers.ts'
import { type HopServices, markHop } from '../limits/hop-mark.ts'
import type { Place } from './prepared-call.ts'

/** As `outgoingHeaders`, with this gateway's mark. */
export function requestHeaders(
  call: Call,
  place: Place,
  vendorHeaders: Readonly<Record<string, string>>,
  accept: string,
  keepsFormat: boolean,
  services: HopServices,
): Record<string, string> {
  const headers = outgoingHeaders(call, place, vendorHeaders, accept, keepsFormat)
  markHop(headers, call, place.channel, services)
  return headers
}
