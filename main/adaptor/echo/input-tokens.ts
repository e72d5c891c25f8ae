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
  let tokens = 0
  // No recursion: a schema may be nested deeper than the stack is high.
  const left: unknown[] = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string') tokens += estimateTokens(one)
    else if (Array.isArray(one)) for (const part of one) left.push(part)
    else if (typeof one !== 'object' || one === null) tokens += one === undefined ? 0 : 1
    else {
      // Two for the marks around a message or a part.
      tokens += 2
      for (const [name, part] of Object.entries(one)) {
        tokens += MEDIA.has(name) ? MEDIA_TOKENS : name === 'text' ? 0 : 1
        if (!MEDIA.has(name)) left.push(part)
      }
    }
  }
  return tokens
}
