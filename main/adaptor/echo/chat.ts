import { unixSeconds } from '../../base/clock.ts'
import { randomText } from '../../base/ids.ts'
import { openaiRefusal } from './echo-endpoint.ts'
import type { EchoFormat, EchoRequest } from './echo-format.ts'
import { inputTokens } from './input-tokens.ts'
import { asArray, asLimit, asObject, asText, asTexts, type Json } from './json-access.ts'
import type { EchoReply } from './reply/echo-reply.ts'
import type { EchoTurn } from './reply/echo-turn.ts'
import { resultText, spokenText } from './reply/part-text.ts'
import { pieces } from './reply/pieces.ts'

const finishReasons = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  tool: 'tool_calls',
} as const

function readToolChoice(choice: unknown): EchoTurn['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice
  const name = asText(asObject(asObject(choice).function).name)
  return name === '' ? 'auto' : { name }
}

function readJson(format: Json): Json | null {
  if (format.type === 'json_object') return {}
  return format.type === 'json_schema' ? asObject(asObject(format.json_schema).schema) : null
}

function read(body: Json): EchoTurn | string {
  if (!Array.isArray(body.messages) || body.messages.length === 0) return 'messages'
  const messages = body.messages.map(asObject)
  const last = messages.at(-1)
  const effort = body.reasoning_effort
  return {
    text: spokenText(messages.findLast(({ role }) => role === 'user')?.content),
    toolResult:
      last?.role === 'tool' || last?.role === 'function' ? resultText(last.content) : null,
    tools: asArray(body.tools)
      .map((tool) => asObject(asObject(tool).function))
      .filter((tool) => asText(tool.name) !== '')
      .map((tool) => ({ name: asText(tool.name), schema: asObject(tool.parameters) })),
    toolChoice: readToolChoice(body.tool_choice),
    maxTokens: asLimit(body.max_completion_tokens ?? body.max_tokens),
    stop: asTexts(body.stop),
    thinking: typeof effort === 'string' && effort !== 'none',
    json: readJson(asObject(body.response_format)),
    inputTokens: inputTokens([body.messages, body.tools]),
  }
}

const usageOf = ({ usage }: EchoReply): Json => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: usage.reasoning,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})

const frame = (model: string, object: string): Json => ({
  id: `chatcmpl-${randomText(29)}`,
  object,
  created: unixSeconds(),
  model,
  system_fingerprint: null,
})

function write(reply: EchoReply, { model }: EchoRequest): Json {
  const { toolCall } = reply
  const message: Json = {
    role: 'assistant',
    content: reply.text,
    refusal: null,
    annotations: [],
  }
  // No field of OpenAI's: what DeepSeek, Qwen and others call their reasoning.
  if (reply.thinking !== '') message.reasoning_content = reply.thinking
  if (toolCall) {
    const call = { name: toolCall.name, arguments: JSON.stringify(toolCall.arguments) }
    message.tool_calls = [{ id: `call_${toolCall.id}`, type: 'function', function: call }]
  }
  const finish_reason = finishReasons[reply.finish]
  return {
    ...frame(model, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: usageOf(reply),
  }
}

function* stream(reply: EchoReply, { model, body }: EchoRequest): Iterable<string> {
  const base = frame(model, 'chat.completion.chunk')
  const asksUsage = asObject(body.stream_options).include_usage === true
  const usage = asksUsage ? { usage: null } : {}
  const chunk = (delta: Json, finish_reason: string | null = null): string => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }]
    return `data: ${JSON.stringify({ ...base, choices, ...usage })}\n\n`
  }

  yield chunk({ role: 'assistant', content: '', refusal: null })
  for (const piece of pieces(reply.thinking)) yield chunk({ reasoning_content: piece })
  for (const piece of pieces(reply.text)) yield chunk({ content: piece })
  if (reply.toolCall) {
    const { id, name } = reply.toolCall
    const call = { name, arguments: '' }
    yield chunk({ tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: call }] })
    for (const piece of pieces(JSON.stringify(reply.toolCall.arguments))) {
      yield chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
    }
  }
  yield chunk({}, finishReasons[reply.finish])
  if (asksUsage) {
    yield `data: ${JSON.stringify({ ...base, choices: [], usage: usageOf(reply) })}\n\n`
  }
  yield 'data: [DONE]\n\n'
}

/** Echo in OpenAI's Chat Completions: https://platform.openai.com/docs/api-reference/chat */
export const chat: EchoFormat = {
  read,
  write,
  stream,
  count: () => null,
  refuse: openaiRefusal,
  idHeader: 'x-request-id',
}
