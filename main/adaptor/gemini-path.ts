import type { UpstreamCall } from './adaptor.ts'

/**
 * The path of a Gemini call behind the version. Names may hold slashes (`vendor/name`) and may say
 * their collection (`models/x`, `tunedModels/x`): https://ai.google.dev/api/generate-content
 */
export function geminiPath(
  call: Pick<UpstreamCall, 'model' | 'verb' | 'stream' | 'altSse'>,
): string {
  const isFullName = call.model.startsWith('models/') || call.model.startsWith('tunedModels/')
  const name = call.model.split('/').map(encodeURIComponent).join('/')
  const path = `/${isFullName ? '' : 'models/'}${name}`
  if (call.verb === 'count-tokens') return `${path}:countTokens`
  if (!call.stream) return `${path}:generateContent`
  return `${path}:streamGenerateContent${call.altSse ? '?alt=sse' : ''}`
}
