import { type Ending, newId, type WireFormat } from '../desk/chat-record.ts'

/** A part of an answer, the same in all wire formats. */
export type ChatEvent =
  | { type: 'text'; delta: string }
  /** `goesBack`: it came in `reasoning_content`, which belongs before a call's result. */
  | { type: 'reasoning'; delta: string; goesBack?: true }
  /** `key` names the call within the answer; `id`, `name` and arguments come in any number of pieces. */
  | { type: 'call'; key: string; id?: string; name?: string; delta: string }
  | { type: 'usage'; input?: number; output?: number }
  /** It ended before the model was through. */
  | { type: 'ending'; ending: Ending }
  | { type: 'error'; error: unknown }
  | { type: 'end' }

type Json = Record<string, unknown>
type EventReader = (event: Json) => ChatEvent[]

const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}
const asList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asObject) : [])
const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

function text(type: 'text' | 'reasoning', value: unknown): ChatEvent[] {
  const delta = asText(value)
  return delta === '' ? [] : [{ type, delta }]
}

function usage(input: unknown, output: unknown): ChatEvent[] {
  const counts = {
    ...(typeof input === 'number' ? { input } : {}),
    ...(typeof output === 'number' ? { output } : {}),
  }
  return Object.keys(counts).length > 0 ? [{ type: 'usage', ...counts }] : []
}

function call(key: string, id: unknown, name: unknown, delta: unknown): ChatEvent {
  return {
    ...{ type: 'call', key },
    ...(asText(id) ? { id: asText(id) } : {}),
    ...(asText(name) ? { name: asText(name) } : {}),
    delta: asText(delta),
  }
}

/** By the vendors' own words for it, in any format. */
const endings: Readonly<Record<string, Ending>> = {
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  MAX_TOKENS: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'filter',
  refusal: 'filter',
  SAFETY: 'filter',
  RECITATION: 'filter',
  BLOCKLIST: 'filter',
  PROHIBITED_CONTENT: 'filter',
  SPII: 'filter',
}

function ending(reason: unknown): ChatEvent[] {
  const known = Object.hasOwn(endings, asText(reason)) ? endings[asText(reason)] : undefined
  return known ? [{ type: 'ending', ending: known }] : []
}

function chatThoughts({ reasoning_content, reasoning }: Json): ChatEvent[] {
  const delta = asText(reasoning_content)
  if (delta !== '') return [{ type: 'reasoning', delta, goesBack: true }]
  return text('reasoning', reasoning)
}

/** https://platform.openai.com/docs/api-reference/chat-streaming */
const chat: EventReader = (event) => {
  const [choice = {}] = asList(event.choices)
  const delta = asObject(choice.delta)
  const told = asObject(event.usage)
  return [
    ...(event.error ? [{ type: 'error', error: event.error } as const] : []),
    ...chatThoughts(delta),
    ...text('text', delta.content),
    ...text('text', delta.refusal),
    ...asList(delta.tool_calls).map((one) => {
      const { name, arguments: json } = asObject(one.function)
      return call(String(one.index ?? 0), one.id, name, json)
    }),
    ...usage(told.prompt_tokens, told.completion_tokens),
    ...ending(choice.finish_reason),
    ...(choice.finish_reason ? [{ type: 'end' } as const] : []),
  ]
}

/** Anthropic counts what was read from a cache and written to it apart. */
function readOf(told: Json): number | undefined {
  if (typeof told.input_tokens !== 'number') return undefined
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = told
  return [input_tokens, cache_read_input_tokens, cache_creation_input_tokens]
    .map((count) => (typeof count === 'number' ? count : 0))
    .reduce((sum, count) => sum + count, 0)
}

/** https://docs.anthropic.com/en/api/messages-streaming */
function createMessagesReader(): EventReader {
  // Tools that Anthropic runs itself stream their arguments the same way, and nobody answers them.
  const own = new Set<string>()
  return (event) => {
    const key = String(event.index ?? 0)
    const delta = asObject(event.delta)
    const block = asObject(event.content_block)
    const started = asObject(asObject(event.message).usage)
    const told = asObject(event.usage)
    switch (event.type) {
      case 'message_start':
        // Its output tokens are those of the beginning alone.
        return usage(readOf(started), undefined)
      case 'content_block_start':
        if (block.type !== 'tool_use') {
          return [...text('text', block.text), ...text('reasoning', block.thinking)]
        }
        own.add(key)
        return [call(key, block.id, block.name, '')]
      case 'content_block_delta':
        if (delta.type !== 'input_json_delta') {
          return [...text('text', delta.text), ...text('reasoning', delta.thinking)]
        }
        return own.has(key) ? [call(key, undefined, undefined, delta.partial_json)] : []
      case 'message_delta':
        return [...usage(readOf(told), told.output_tokens), ...ending(delta.stop_reason)]
      case 'message_stop':
        return [{ type: 'end' }]
      case 'error':
        return [{ type: 'error', error: event.error }]
      default:
        return []
    }
  }
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const responses: EventReader = (event) => {
  const item = asObject(event.item)
  const key = String(event.output_index ?? 0)
  const response = asObject(event.response)
  const told = asObject(response.usage)
  switch (event.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return text('text', event.delta)
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return text('reasoning', event.delta)
    case 'response.reasoning_summary_part.added':
      return event.summary_index === 0 ? [] : text('reasoning', '\n\n')
    case 'response.output_item.added':
      return item.type === 'function_call' ? [call(key, item.call_id, item.name, '')] : []
    case 'response.function_call_arguments.delta':
      return [call(key, undefined, undefined, event.delta)]
    case 'response.completed':
    case 'response.incomplete':
      return [
        ...usage(told.input_tokens, told.output_tokens),
        ...ending(asObject(response.incomplete_details).reason),
        { type: 'end' },
      ]
    case 'response.failed':
      return [{ type: 'error', error: response.error }]
    case 'error':
      return [{ type: 'error', error: event.error ?? event }]
    default:
      return []
  }
}

/** https://ai.google.dev/api/generate-content */
function createGoogleReader(): EventReader {
  // Google's calls often have no id, and a conversation's must differ.
  const own = newId().slice(0, 8)
  let calls = 0
  return (event) => {
    const [candidate = {}] = asList(event.candidates)
    const told = asObject(event.usageMetadata)
    const thoughts = typeof told.thoughtsTokenCount === 'number' ? told.thoughtsTokenCount : 0
    const output = told.candidatesTokenCount
    return [
      ...(event.error ? [{ type: 'error', error: event.error } as const] : []),
      ...asList(asObject(candidate.content).parts).flatMap((part) => {
        const asked = asObject(part.functionCall)
        if (!asked.name) return text(part.thought === true ? 'reasoning' : 'text', part.text)
        const key = `call_${own}_${++calls}`
        return [call(key, asked.id ?? key, asked.name, JSON.stringify(asked.args ?? {}))]
      }),
      ...usage(told.promptTokenCount, typeof output === 'number' ? output + thoughts : undefined),
      ...ending(candidate.finishReason),
      ...(candidate.finishReason ? [{ type: 'end' } as const] : []),
    ]
  }
}

/** A reader for one answer. */
export const eventReaders: Readonly<Record<WireFormat, () => EventReader>> = {
  chat: () => chat,
  messages: createMessagesReader,
  responses: () => responses,
  'generate-content': createGoogleReader,
}
