import type { WireFormat } from '../convert/exchange.ts'

/** Whose error shape a path answers in: a wire format's, or the management API's envelope. */
export type PathFamily = WireFormat | 'cohere-rerank' | 'manage'

const QUOTA_OF_TOKEN = /^\/api\/usage\/token\/?(?:\?|$)/

/** Is it answered on the model side: with a token, whatever shape its errors have? */
export const isModelSide = (path: string): boolean =>
  pathFamily(path) !== 'manage' || QUOTA_OF_TOKEN.test(path)

/** The family of a path with or without its query; unknown model paths are OpenAI's. */
export function pathFamily(path: string): PathFamily {
  if (path.startsWith('/v1beta/openai/')) return 'chat'
  if (path.startsWith('/v1beta')) return 'generate-content'
  if (path.startsWith('/v1/messages')) return 'messages'
  if (path.startsWith('/v1/responses')) return 'responses'
  // A model's own tag (`qwen:7b`) is no verb.
  if (/^\/v1\/models\/[^?]*:[a-z]+[A-Z]\w*(\?|$)/.test(path)) return 'generate-content'
  if (path.startsWith('/v2/rerank')) return 'cohere-rerank'
  if (/^\/(?:v1|rerank|dashboard\/billing)(?:[/?]|$)/.test(path)) return 'chat'
  return 'manage'
}
