import { formatAtPath } from '../../convert/codecs.ts'
import type { WireFormat } from '../../convert/exchange.ts'

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
