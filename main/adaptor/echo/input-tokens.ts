import { estimateTokens } from '../../base/estimate-tokens.ts'

/** Tokens of a picture or a file, whatever its size. */
const MEDIA_TOKENS = 300

/** Under these names come media, as base64, data URL or address, and not text. */
const MEDIA = new Set([
  'data',
  'image_url',
  'file_data',
  'fileUri',
  'file_uri',
  'input_audio',
  'inlineData',
  'inline_data',
])

/** About how many tokens the texts, names and schemas anywhere inside a request's parts make. */
export function inputTokens(value: unknown): number {
  if (typeof value === 'string') return estimateTokens(value)
  if (Array.isArray(value)) return value.reduce((sum: number, part) => sum + inputTokens(part), 0)
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1
  // Two for the marks around a message or a part.
  let tokens = 2
  for (const [name, part] of Object.entries(value)) {
    tokens += MEDIA.has(name) ? MEDIA_TOKENS : inputTokens(part) + (name === 'text' ? 0 : 1)
  }
  return tokens
}
