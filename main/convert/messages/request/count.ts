import type { CountConversion } from '../../conversion.ts'
import { asCount, asObject } from '../../json/json-value.ts'

/** Fields of the counting call (https://docs.anthropic.com/en/api/messages-count-tokens). */
const counted = [
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'cache_control',
  'speed',
  'context_management',
  'mcp_servers',
]

/** POST /v1/messages/count_tokens: the same body without what only an answer needs. */
export const messagesCount: CountConversion = {
  unwrapRequest: (body) => body,
  wrapRequest(body, model) {
    const kept = counted.flatMap((name) => (name in body ? [[name, body[name]] as const] : []))
    return { model, ...Object.fromEntries(kept) }
  },
  decodeResponse: (body) => asCount(asObject(body)?.input_tokens) ?? null,
  encodeResponse: (tokens) => ({ input_tokens: tokens }),
}
