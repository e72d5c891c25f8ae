import type { Adaptor, ChannelTarget } from '../adaptor/adaptor.ts'
import type { Channel } from '../store/channels.ts'
import type { Call } from './call.ts'
import { overrideHeaders } from './header-override.ts'

/** Media types that an answer is asked for in. */
export const EVENTS = 'text/event-stream'
export const JSON_TYPE = 'application/json'
export const ANYTHING = '*/*'

/** The vendor's own headers, the client's that this vendor may see, then what the owner overrides. */
export function outgoingHeaders(
  call: Call,
  { channel, adaptor, target }: { channel: Channel; adaptor: Adaptor; target: ChannelTarget },
  vendorHeaders: Readonly<Record<string, string>>,
  accept: string,
  keepsFormat: boolean,
): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': JSON_TYPE, ...vendorHeaders }
  // In another format the client's own headers mean nothing, or the wrong thing.
  for (const name in keepsFormat ? call.headers : {}) {
    const value = call.headers[name]
    if (typeof value === 'string' && adaptor.passesHeader(name, target, call.format))
      headers[name] = value
  }
  headers.accept = accept
  // Plain bytes: what is relayed has to be read on the way.
  headers['accept-encoding'] = 'identity'
  overrideHeaders(headers, channel, target.key, call.headers)
  return headers
}
