import { reasoningFields } from '../decode-reasoning.ts'

/** Fields of an answer's message, or of a stream's delta, that the exchange has words for. */
export const knownOfMessage: ReadonlySet<string> = new Set([
  ...['role', 'content', 'refusal', 'tool_calls', 'function_call', 'annotations', 'audio'],
  ...['images', 'extra_content', ...reasoningFields],
])
