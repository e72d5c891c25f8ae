import type { IncomingHttpHeaders } from 'node:http'
import { formatAtPath } from '../../convert/codecs.ts'
import type { WireFormat } from '../../convert/exchange.ts'
import type { ModelPath } from './model-path.ts'

/** Error shape of a path: a wire format's, or the management API's envelope. */
export type PathFamily = WireFormat | 'cohere-rerank' | 'manage'

/** The family of a path with or without its query; unknown model paths are OpenAI's. */
export function pathFamily(path: string): PathFamily {
  if (path.startsWith('/v1beta/openai/')) return 'chat'
  if (path.startsWith('/v1beta')) return 'generate-content'
  const own = formatAtPath(path)
  if (own !== null) return own
  // A model's own tag (`qwen:7b`) is no verb.
  if (/^\/v1\/models\/[^?]*:[a-z]+[A-Z]\w*(\?|$)/.test(path)) return 'generate-content'
  if (path.startsWith('/v2/rerank')) return 'cohere-rerank'
  if (/^\/(?:v1|rerank|dashboard\/billing)(?:[/?]|$)/.test(path)) return 'chat'
  return 'manage'
}

/** Whose client asks, by its headers and query, on a path that several have; null where nothing tells. */
export function clientFamily(
  headers: IncomingHttpHeaders,
  query: URLSearchParams | null,
): 'messages' | 'generate-content' | null {
  if (headers['anthropic-version'] || (headers['x-api-key'] && !headers.authorization)) {
    return 'messages'
  }
  return headers['x-goog-api-key'] || query?.has('key') ? 'generate-content' : null
}

/** The family for an error: the client's own where its path doesn't tell, as under `/v1` with Google's SDK 3. */
export function errorFamily(
  found: ModelPath | null,
  url: string,
  headers: IncomingHttpHeaders,
): PathFamily {
  const family = pathFamily(url)
  const isShared = url.startsWith('/v1/') && (found === null || found.kind === 'model-list')
  if (family !== 'chat' || !isShared) return family
  const mark = url.indexOf('?')
  const query = mark < 0 ? null : new URLSearchParams(url.slice(mark))
  return clientFamily(headers, query) ?? family
}
