import { adaptorOf } from '../adaptor/adaptors.ts'
import { ENDPOINT_OF_FORMAT } from '../adaptor/endpoint-types.ts'
import type { WireFormat } from '../convert/exchange.ts'
import type { Channel } from '../store/channels.ts'

const formats = new Map<string, WireFormat>(
  Object.entries(ENDPOINT_OF_FORMAT).map(([format, type]) => [type, format as WireFormat]),
)

/** Does the channel's upstream take this wire format as it is? */
export const speaks = (channel: Channel, format: WireFormat): boolean =>
  adaptorOf(channel.type)?.endpointTypes(channel).includes(ENDPOINT_OF_FORMAT[format]) ?? false

/**
 * The wire format in which a channel is sent a call: the client's own where the upstream speaks it, else
 * the first chat-like one that it does; null for an upstream that holds no conversations.
 */
export function formatFor(channel: Channel, format: WireFormat): WireFormat | null {
  if (speaks(channel, format)) return format
  for (const type of adaptorOf(channel.type)?.endpointTypes(channel) ?? []) {
    const other = formats.get(type)
    if (other) return other
  }
  return null
}
