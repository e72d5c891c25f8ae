import type { WireFormat } from '../../main/convert/exchange.ts'
import type { Json } from '../support/strict/requests/refusal.ts'

export type BodyKind = 'request' | 'answer' | 'error' | 'event'

export interface RecognizedBody {
  format: WireFormat
  kind: BodyKind
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const first = (value: unknown): Json => (Array.isArray(value) && isObject(value[0]) ? value[0] : {})

/** Some have it in an address alone: https://docs.claude.com/en/api/claude-on-amazon-bedrock */
const addresses: readonly [RegExp, WireFormat][] = [
  [/\/chat\/completions/, 'chat'],
  [/\/messages\b/, 'messages'],
  [/\/responses\b/, 'responses'],
  [/:(?:streamG|g)enerateContent/, 'generate-content'],
]

const blockTypes = new Set(['tool_use', 'tool_result', 'thinking', 'document', 'image'])

/** Do these turns hold what only Anthropic's format has? */
const hasBlocks = (turns: unknown): boolean =>
  Array.isArray(turns) &&
  turns.some(
    (turn) =>
      isObject(turn) &&
      Array.isArray(turn.content) &&
      turn.content.some((block) => isObject(block) && blockTypes.has(String(block.type))),
  )

/** Chat and Messages both have `messages`; a short call can be read as either. */
function conversationFormat(body: Json, address: string): WireFormat | null {
  if (/\/(?:embed|rerank|moderations|invoke|converse)|cohere|:11434|\/api\/chat/.test(address))
    return null
  const told = addresses.find(([pattern]) => pattern.test(address))?.[1]
  if (told) return told === 'chat' || told === 'messages' ? told : null
  if (typeof body.model !== 'string' || !isObject(first(body.messages))) return null
  if (first(body.tools).function !== undefined) return 'chat'
  const isClaude = /^claude/.test(body.model) && typeof body.max_tokens === 'number'
  return isClaude || hasBlocks(body.messages) ? 'messages' : 'chat'
}

const settings = ['instructions', 'reasoning', 'max_output_tokens', 'store', 'include', 'text']

function requestFormat(body: Json, address: string): WireFormat | null {
  if (Array.isArray(body.messages)) return conversationFormat(body, address)
  if (Array.isArray(body.contents)) {
    const isCall = address === '' || /enerateContent/.test(address)
    return isCall && 'parts' in first(body.contents) ? 'generate-content' : null
  }
  if (body.input === undefined || typeof body.model !== 'string') return null
  const isAddressed = /\/responses(?:\?|$)/.test(address)
  const isShaped = settings.some((name) => name in body) || isObject(first(body.input).content)
  return isAddressed || (address === '' && isShaped) ? 'responses' : null
}

function answerFormat(body: Json): RecognizedBody | null {
  if (body.type === 'message' && Array.isArray(body.content) && 'stop_reason' in body)
    return { format: 'messages', kind: 'answer' }
  if (body.object === 'response' && Array.isArray(body.output))
    return { format: 'responses', kind: 'answer' }
  if (Array.isArray(body.choices)) {
    if ('message' in first(body.choices)) return { format: 'chat', kind: 'answer' }
    const isChunk = 'delta' in first(body.choices) || body.object === 'chat.completion.chunk'
    return isChunk ? { format: 'chat', kind: 'event' } : null
  }
  const isGoogle = 'content' in first(body.candidates) || 'finishReason' in first(body.candidates)
  if (isGoogle || (isObject(body.promptFeedback) && 'usageMetadata' in body))
    return { format: 'generate-content', kind: 'answer' }
  return null
}

const eventTypes = /^(?:message_start|content_block_(?:start|delta|stop)|message_(?:delta|stop))$/

/** Google's stands in none: its chunks are answers. */
function eventFormat(body: Json): WireFormat | null {
  if (typeof body.type !== 'string') return null
  if (eventTypes.test(body.type)) return 'messages'
  return /^response\.(?:\w+\.)?\w+$/.test(body.type) ? 'responses' : null
}

function errorFormat(body: Json, address: string): WireFormat | null {
  const { error } = body
  if (!isObject(error) || typeof error.message !== 'string') return null
  if (body.type === 'error') return 'messages'
  if (typeof error.code === 'number' && typeof error.status === 'string') return 'generate-content'
  if (!('type' in error) || !('param' in error)) return null
  return /\/responses/.test(address) ? 'responses' : 'chat'
}

/** The format and kind of a JSON value, by its shape and the address it went to or came from; null if unknown. */
export function recognizeBody(value: unknown, address = ''): RecognizedBody | null {
  if (!isObject(value)) return null
  const answer = answerFormat(value)
  if (answer) return answer
  const event = eventFormat(value)
  if (event) return { format: event, kind: 'event' }
  const error = errorFormat(value, address)
  if (error) return { format: error, kind: 'error' }
  const request = requestFormat(value, address)
  return request ? { format: request, kind: 'request' } : null
}
