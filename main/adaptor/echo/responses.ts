import { unixSeconds } from '../../base/clock.ts'
import { randomText } from '../../base/ids.ts'
import { openaiRefusal } from './echo-endpoint.ts'
import type { EchoFormat, EchoRequest } from './echo-format.ts'
import { asArray, asObject, type Json } from './json-access.ts'
import { readResponses } from './read-responses.ts'
import type { EchoReply } from './reply/echo-reply.ts'
import { pieces } from './reply/pieces.ts'

const usageOf = ({ usage }: EchoReply): Json => ({
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: usage.input + usage.output,
})

/** The response before anything was said; most of the request is repeated in it. */
function frame({ model, body }: EchoRequest): Json {
  return {
    id: `resp_${randomText(48)}`,
    object: 'response',
    created_at: unixSeconds(),
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: null, summary: null, ...asObject(body.reasoning) },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: { type: 'text' }, verbosity: 'medium', ...asObject(body.text) },
    tool_choice: body.tool_choice ?? 'auto',
    tools: asArray(body.tools),
    top_logprobs: 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: null,
    user: body.user ?? null,
    metadata: asObject(body.metadata),
  }
}

function finished(response: Json, reply: EchoReply, output: Json[]): Json {
  const isCut = reply.finish === 'length'
  return {
    ...response,
    status: isCut ? 'incomplete' : 'completed',
    completed_at: isCut ? null : unixSeconds(),
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output,
    usage: usageOf(reply),
  }
}

/** Reasoning in plain text, as a summary; its sealed form only where the client asks to keep it. */
function reasoningItem(reply: EchoReply, body: Json): Json {
  const keeps = asArray(body.include).includes('reasoning.encrypted_content')
  return {
    id: `rs_${randomText(48)}`,
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: reply.thinking }],
    ...(keeps
      ? { encrypted_content: Buffer.from(`echo:${reply.thinking}`).toString('base64') }
      : {}),
  }
}

const messageItem = (reply: EchoReply): Json => ({
  id: `msg_${randomText(48)}`,
  type: 'message',
  status: reply.finish === 'length' ? 'incomplete' : 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: reply.text, annotations: [], logprobs: [] }],
})

const callItem = ({ id, name, arguments: args }: NonNullable<EchoReply['toolCall']>): Json => ({
  id: `fc_${randomText(48)}`,
  type: 'function_call',
  status: 'completed',
  call_id: `call_${id}`,
  name,
  arguments: JSON.stringify(args),
})

function itemsOf(reply: EchoReply, body: Json): Json[] {
  const items: Json[] = []
  if (reply.thinking !== '') items.push(reasoningItem(reply, body))
  if (reply.text !== '') items.push(messageItem(reply))
  if (reply.toolCall) items.push(callItem(reply.toolCall))
  return items
}

/** The events of one item between `added` and `done`, without their places. */
function* deltasOf(item: Json, reply: EchoReply): Iterable<Json> {
  if (item.type === 'function_call') {
    for (const delta of pieces(String(item.arguments))) {
      yield { type: 'response.function_call_arguments.delta', delta }
    }
    const { name, arguments: whole } = item
    yield { type: 'response.function_call_arguments.done', name, arguments: whole }
    return
  }
  const isMessage = item.type === 'message'
  const text = isMessage ? reply.text : reply.thinking
  const kind = isMessage ? 'output_text' : 'reasoning_summary_text'
  const partKind = isMessage ? 'content_part' : 'reasoning_summary_part'
  const place = isMessage ? { content_index: 0 } : { summary_index: 0 }
  const extra = isMessage ? { logprobs: [] } : {}
  const part = (value: string): Json =>
    isMessage
      ? { type: 'output_text', text: value, annotations: [], logprobs: [] }
      : { type: 'summary_text', text: value }
  yield { type: `response.${partKind}.added`, ...place, part: part('') }
  for (const delta of pieces(text))
    yield { type: `response.${kind}.delta`, ...place, delta, ...extra }
  yield { type: `response.${kind}.done`, ...place, text, ...extra }
  yield { type: `response.${partKind}.done`, ...place, part: part(text) }
}

/** An item as it is announced: there, and still empty. */
function emptyItem(item: Json): Json {
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' }
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  return { ...item, summary: [] }
}

function* events(reply: EchoReply, request: EchoRequest): Iterable<Json> {
  const response = frame(request)
  const items = itemsOf(reply, request.body)
  yield { type: 'response.created', response }
  yield { type: 'response.in_progress', response }
  for (const [output_index, item] of items.entries()) {
    yield { type: 'response.output_item.added', output_index, item: emptyItem(item) }
    for (const { type, ...delta } of deltasOf(item, reply)) {
      yield { type, item_id: item.id, output_index, ...delta }
    }
    yield { type: 'response.output_item.done', output_index, item }
  }
  const type = reply.finish === 'length' ? 'response.incomplete' : 'response.completed'
  yield { type, response: finished(response, reply, items) }
}

function* stream(reply: EchoReply, request: EchoRequest): Iterable<string> {
  let sequence_number = 0
  for (const { type, ...rest } of events(reply, request)) {
    const data = JSON.stringify({ type, sequence_number, ...rest })
    sequence_number++
    yield `event: ${type}\ndata: ${data}\n\n`
  }
}

/** Echo in OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses */
export const responses: EchoFormat = {
  read: readResponses,
  write: (reply, request) => finished(frame(request), reply, itemsOf(reply, request.body)),
  stream,
  count: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  refuse: openaiRefusal,
  idHeader: 'x-request-id',
}
