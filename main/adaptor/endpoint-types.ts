import type { WireFormat } from '../convert/exchange.ts'
import { type ChannelTarget, ENDPOINT_TYPES, type EndpointType } from './adaptor.ts'

/** What a channel has to list to be sent a wire format as it is (design §1.9). */
export const ENDPOINT_OF_FORMAT: Readonly<Record<WireFormat, EndpointType>> = {
  chat: 'openai',
  messages: 'anthropic',
  'generate-content': 'gemini',
  responses: 'openai-response',
}

/** What OpenAI serves at its own host. */
export const OPENAI_ENDPOINTS: readonly EndpointType[] = [
  'openai',
  'openai-response',
  'embeddings',
  'image-generation',
  'jina-rerank',
  'audio',
  'realtime',
]

/** What a host is taken to serve that calls itself OpenAI-compatible. */
export const COMPATIBLE_ENDPOINTS: readonly EndpointType[] = OPENAI_ENDPOINTS.filter(
  (type) => type !== 'openai-response' && type !== 'realtime',
)

const isEndpointType = (value: unknown): value is EndpointType =>
  ENDPOINT_TYPES.some((type) => type === value)

/** The owner's own list, `settings.endpoint_types`; null when there is none. */
export function chosenEndpoints(channel: ChannelTarget): readonly EndpointType[] | null {
  const chosen = channel.settings.endpoint_types
  const known = Array.isArray(chosen) ? chosen.filter(isEndpointType) : []
  return known.length > 0 ? known : null
}

/**
 * What `read` finds, else `usual`: a channel whose base URL cannot be used still has endpoint types,
 * so that it is reported when it is called and does not stop the choice among other channels.
 */
export function endpointsOr(
  read: () => readonly EndpointType[],
  usual: readonly EndpointType[],
): readonly EndpointType[] {
  try {
    return read()
  } catch {
    return usual
  }
}
