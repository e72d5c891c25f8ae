/**
 * Sent when the client names no version. The oldest one that all clients and compatible hosts know:
 * https://docs.anthropic.com/en/api/versioning
 */
const DEFAULT_VERSION = '2023-06-01'

export type AnthropicAuth = 'x-api-key' | 'bearer' | 'both'

/** The owner's choice in `settings.anthropic_auth`, else `usual`. */
export const anthropicAuth = (chosen: unknown, usual: AnthropicAuth): AnthropicAuth =>
  chosen === 'x-api-key' || chosen === 'bearer' || chosen === 'both' ? chosen : usual

/** Headers of a call in Anthropic's format. */
export function anthropicHeaders(key: string, auth: AnthropicAuth): Record<string, string> {
  const headers: Record<string, string> = { 'anthropic-version': DEFAULT_VERSION }
  if (key === '') return headers
  if (auth !== 'bearer') headers['x-api-key'] = key
  if (auth !== 'x-api-key') headers.authorization = `Bearer ${key}`
  return headers
}

/** Claude Code asks with `?beta=true`, and the vendor may see that. */
export const messagesQuery = (query: string): string =>
  /(?:^|[?&])beta=true(?:&|$)/.test(query) ? '?beta=true' : ''
