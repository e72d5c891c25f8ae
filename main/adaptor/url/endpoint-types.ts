import { type CallFormat, wireFormats } from '../../convert/call-format.ts'
import type { WireFormat } from '../../convert/exchange.ts'
import { type ChannelTarget, ENDPOINT_TYPES, type EndpointType } from '../adaptor.ts'

/** Endpoint type that a channel must list to get a wire format as it is. */
export const ENDPOINT_OF_FORMAT: Readonly<Partial<Record<WireFormat, EndpointType>>> = {
  chat: 'openai',
  messages: 'anthropic',
  'generate-content': 'gemini',
  responses: 'openai-response',
}

/** Endpoint types that a channel must list for a call of a format, or of one that it is converted to. */
export const ENDPOINT_OF_CALL: Readonly<Partial<Record<CallFormat, EndpointType>>> = {
  ...ENDPOINT_OF_FORMAT,
  completions: 'openai',
  compact: 'openai-response',
  embeddings: 'embeddings',
  'embed-content': 'embeddings',
  'batch-embed-contents': 'embeddings',
  'cohere-embed': 'embeddings',
  'jina-embed': 'embeddings',
  'ollama-embed': 'embeddings',
  images: 'image-generation',
  'image-edits': 'image-generation',
  'image-variations': 'image-generation',
  transcriptions: 'audio',
  translations: 'audio',
  speech: 'audio',
  rerank: 'jina-rerank',
  'cohere-rerank': 'jina-rerank',
  'tei-rerank': 'jina-rerank',
  'voyage-rerank': 'jina-rerank',
  realtime: 'realtime',
}

/** The same; a wire format that is not listed is an endpoint type of its own name. */
export const endpointTypeOf = (format: CallFormat): EndpointType =>
  ENDPOINT_OF_CALL[format] ?? (format as EndpointType)

/** Endpoints that OpenAI serves at its own host. */
export const OPENAI_ENDPOINTS: readonly EndpointType[] = [
  'openai',
  'openai-response',
  'embeddings',
  'image-generation',
  'jina-rerank',
  'audio',
  'realtime',
]

/** Formats assumed of an OpenAI-compatible host. */
export const COMPATIBLE_ENDPOINTS: readonly EndpointType[] = OPENAI_ENDPOINTS.filter(
  (type) => type !== 'openai-response' && type !== 'realtime',
)

const isEndpointType = (value: unknown): value is EndpointType =>
  ENDPOINT_TYPES.some((type) => type === value) || wireFormats.has(value as WireFormat)

/** The owner's own list, `settings.endpoint_types`; null when there is none. */
export function chosenEndpoints({
  settings,
}: Pick<ChannelTarget, 'settings'>): readonly EndpointType[] | null {
  const chosen = settings.endpoint_types
  const known = Array.isArray(chosen) ? chosen.filter(isEndpointType) : []
  return known.length > 0 ? known : null
}

/**
 * Result of `read`, else `usual`: what a channel serves is known although its base URL cannot be used, so
 * that it is reported when it is called and does not stop the choice among other channels.
 */
export function readOr<Value>(read: () => Value, usual: Value): Value {
  try {
    return read()
  } catch {
    return usual
  }
}
