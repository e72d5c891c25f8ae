import type { Adaptor, ChannelTarget } from '../../adaptor/adaptor.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Call } from '../call/call.ts'
import { overrideHeaders } from './override/header-override.ts'

/** Media types that an answer is asked for in. */
export const EVENTS = 'text/event-stream'
export const JSON_TYPE = 'application/json'
export const ANYTHING = '*/*'

/** Names of clients' headers that are remembered for one vendor and format: clients can make up any. */
const MOST_NAMES = 200

/** Which headers of clients pass, worked out once for a channel's key and a format: they are the same call after call. */
const passing = new WeakMap<ChannelTarget, Map<CallFormat, Map<string, boolean>>>()

function passingOf(target: ChannelTarget, format: CallFormat): Map<string, boolean> {
  let formats = passing.get(target)
  if (!formats) {
    formats = new Map()
    passing.set(target, formats)
  }
  let names = formats.get(format)
  if (!names) {
    names = new Map()
    formats.set(format, names)
  }
  return names
}

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
  if (keepsFormat) {
    const passes = passingOf(target, call.format)
    for (const name in call.headers) {
      let doesPass = passes.get(name)
      if (doesPass === undefined) {
        doesPass = adaptor.passesHeader(name, target, call.format)
        if (passes.size < MOST_NAMES) passes.set(name, doesPass)
      }
      const value = doesPass ? call.headers[name] : undefined
      if (typeof value === 'string') headers[name] = value
    }
  }
  headers.accept = accept
  // Plain bytes: what is relayed has to be read on the way.
  headers['accept-encoding'] = 'identity'
  overrideHeaders(headers, channel, target.key, call.headers)
  return headers
}
