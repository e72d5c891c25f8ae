import type { EndpointType } from '../adaptor/adaptor.ts'
import { adaptorOf } from '../adaptor/adaptors.ts'
import type { WireFormat } from '../convert/exchange.ts'
import type { Channel } from '../store/channels.ts'

/** What a channel has to list to be sent a wire format untouched (design §1.9). */
const endpointTypes: Readonly<Record<WireFormat, EndpointType>> = {
  chat: 'openai',
  messages: 'anthropic',
  'generate-content': 'gemini',
  responses: 'openai-response',
}

const formats = new Map<string, WireFormat>(
  Object.entries(endpointTypes).map(([format, type]) => [type, format as WireFormat]),
)

/** Does the channel's upstream take this wire format as it is? */
export const speaks = (channel: Channel, format: WireFormat): boolean =>
  adaptorOf(channel.type)?.endpointTypes(channel).includes(endpointTypes[format]) ?? false

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
