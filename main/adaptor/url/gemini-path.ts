import type { CallFormat } from '../../convert/call-format.ts'
import type { UpstreamCall } from '../adaptor.ts'
import { pathName } from './path-name.ts'

/** Formats whose path holds the model's name and, behind a colon, a verb. */
type GeminiFormat = 'generate-content' | 'embed-content' | 'batch-embed-contents'

/** Has the format a path of Gemini's? */
export const isGeminiFormat = (format: CallFormat): format is GeminiFormat =>
  format === 'generate-content' || format === 'embed-content' || format === 'batch-embed-contents'

function verbOf({ format, verb, stream, altSse }: Omit<UpstreamCall, 'model' | 'query'>): string {
  if (format === 'embed-content') return 'embedContent'
  if (format === 'batch-embed-contents') return 'batchEmbedContents'
  if (verb === 'count-tokens') return 'countTokens'
  return stream ? `streamGenerateContent${altSse ? '?alt=sse' : ''}` : 'generateContent'
}

/**
 * The path of a Gemini call behind the version. Names may hold slashes (`vendor/name`) and may say
 * their collection (`models/x`, `tunedModels/x`): https://ai.google.dev/api/generate-content and
 * https://ai.google.dev/api/embeddings
 */
export function geminiPath(call: Omit<UpstreamCall, 'query'>): string {
  const isFullName = call.model.startsWith('models/') || call.model.startsWith('tunedModels/')
  const name = call.model.split('/').map(pathName).join('/')
  return `/${isFullName ? '' : 'models/'}${name}:${verbOf(call)}`
}
