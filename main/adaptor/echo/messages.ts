import { randomText } from '../../base/ids.ts'
import type { EchoFormat, EchoRequest } from './echo-format.ts'
import { inputTokens } from './input-tokens.ts'
import { asArray, asLimit, asObject, asText, asTexts, type Json } from './json-access.ts'
import type { EchoReply } from './reply/echo-reply.ts'
import type { EchoTurn } from './reply/echo-turn.ts'
import { resultText, spokenText } from './reply/part-text.ts'
import { pieces } from './reply/pieces.ts'

const stopReasons = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  tool: 'tool_use',
} as const

function readToolChoice(choice: Json): EchoTurn['toolChoice'] {
  if (choice.type === 'tool') return { name: asText(choice.name) }
  if (choice.type === 'any') return 'required'
  return choice.type === 'none' ? 'none' : 'auto'
}

function read(body: Json): EchoTurn | string {
  if (!Array.isArray(body.messages) || body.messages.length === 0) return 'messages'
  // A system turn may stand among the others and says nothing about whose turn it is.
  const turns = body.messages.map(asObject).filter(({ role }) => role !== 'system')
  const results = asArray(turns.at(-1)?.content)
    .map(asObject)
    .filter(({ type }) => type === 'tool_result')
  const format = asObject(asObject(body.output_config).format ?? body.output_format)
  const thinking = asObject(body.thinking).type
  return {
    text: spokenText(turns.findLast(({ role }) => role === 'user')?.content),
    toolResult:
      results.length > 0 ? results.map(({ content }) => resultText(content)).join(' ') : null,
    tools: asArray(body.tools)
      .map(asObject)
      .filter((tool) => tool.input_schema !== undefined)
      .map((tool) => ({ name: asText(tool.name), schema: asObject(tool.input_schema) })),
    toolChoice: readToolChoice(asObject(body.tool_choice)),
    maxTokens: asLimit(body.max_tokens),
    stop: asTexts(body.stop_sequences),
    thinking: thinking === 'enabled' || thinking === 'adaptive',
    json: format.type === 'json_schema' ? asObject(format.schema) : null,
    inputTokens: inputTokens([body.system, body.messages, body.tools]),
  }
}

const usageOf = (reply: EchoReply, outputTokens: number): Json => ({
  input_tokens: reply.usage.input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: outputTokens,
  output_tokens_details: { thinking_tokens: reply.usage.reasoning },
  server_tool_use: null,
  service_tier: 'standard',
  speed: null,
  inference_geo: null,
})

/** Every field is there, null rather than absent: the 1.x SDKs type them so. */
const frame = (model: string, usage: Json): Json => ({
  id: `msg_${randomText(24)}`,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage,
})

const signatureOf = (thinking: string): string => Buffer.from(`echo:${thinking}`).toString('base64')

/** Thinking that its client does not want to see is a block with a signature and no text. */
const shownThinking = (reply: EchoReply, body: Json): string =>
  asObject(body.thinking).display === 'omitted' ? '' : reply.thinking

function toolUse(call: NonNullable<EchoReply['toolCall']>, input: Json): Json {
  const { id, name } = call
  return { type: 'tool_use', id: `toolu_${id}`, name, input, caller: { type: 'direct' } }
}

function write(reply: EchoReply, { model, body }: EchoRequest): Json {
  const content: Json[] = []
  if (reply.thinking !== '') {
    const thinking = shownThinking(reply, body)
    content.push({ type: 'thinking', thinking, signature: signatureOf(reply.thinking) })
  }
  if (reply.text !== '') content.push({ type: 'text', text: reply.text, citations: null })
  if (reply.toolCall) content.push(toolUse(reply.toolCall, reply.toolCall.arguments))
  return {
    ...frame(model, usageOf(reply, reply.usage.output)),
    content,
    stop_reason: stopReasons[reply.finish],
    stop_sequence: reply.stopSequence,
  }
}

const event = (data: Json): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

/** One block: start, its deltas, stop. */
function* block(index: number, content_block: Json, deltas: Json[]): Iterable<string> {
  yield event({ type: 'content_block_start', index, content_block })
  if (index === 0) yield event({ type: 'ping' })
  for (const delta of deltas) yield event({ type: 'content_block_delta', index, delta })
  yield event({ type: 'content_block_stop', index })
}

function* stream(reply: EchoReply, { model, body }: EchoRequest): Iterable<string> {
  let index = 0
  yield event({ type: 'message_start', message: frame(model, usageOf(reply, 1)) })
  if (reply.thinking !== '') {
    const deltas: Json[] = pieces(shownThinking(reply, body)).map((thinking) => ({
      type: 'thinking_delta',
      thinking,
    }))
    deltas.push({ type: 'signature_delta', signature: signatureOf(reply.thinking) })
    yield* block(index++, { type: 'thinking', thinking: '', signature: '' }, deltas)
  }
  if (reply.text !== '') {
    const deltas = pieces(reply.text).map((text) => ({ type: 'text_delta', text }))
    yield* block(index++, { type: 'text', text: '', citations: null }, deltas)
  }
  if (reply.toolCall) {
    const parts = ['', ...pieces(JSON.stringify(reply.toolCall.arguments))]
    const deltas = parts.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    yield* block(index++, toolUse(reply.toolCall, {}), deltas)
  }
  yield event({
    type: 'message_delta',
    delta: {
      stop_reason: stopReasons[reply.finish],
      stop_sequence: reply.stopSequence,
      stop_details: null,
      container: null,
    },
    usage: usageOf(reply, reply.usage.output),
  })
  yield event({ type: 'message_stop' })
}

/** Echo in Anthropic's Messages: https://docs.anthropic.com/en/api/messages */
export const messages: EchoFormat = {
  read,
  write,
  stream,
  count: (tokens) => ({ input_tokens: tokens }),
  refuse: (message) => ({
    type: 'error',
    error: { type: 'invalid_request_error', message, details: null },
    request_id: `req_${randomText(24)}`,
  }),
  idHeader: 'request-id',
}
