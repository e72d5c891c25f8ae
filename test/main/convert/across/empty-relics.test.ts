import { describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { smallCall } from '../../../support/stages/converting-through.ts'
import { eventsOf, pass } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'

const formats: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']

/** An answer that says `Hello` with fields of its vendor's beside it, and the same as a stream. */
interface Vendor {
  whole(relic: Json): Json
  stream(relic: Json): string
}

const events = (...data: readonly Json[]) =>
  data
    .map((one) => {
      const name = typeof one.type === 'string' ? `event: ${one.type}\n` : ''
      return `${name}data: ${JSON.stringify(one)}\n\n`
    })
    .join('')

const chatHead = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
const chat: Vendor = {
  whole: ({ answer, ...relic }) => ({
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', ...(answer as Json) },
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', ...relic },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  }),
  stream: ({ answer, ...relic }) =>
    `${events(
      { ...chatHead, choices: [{ index: 0, delta: { role: 'assistant', content: '', ...relic } }] },
      {
        ...chatHead,
        ...(answer as Json),
        choices: [{ index: 0, delta: { content: 'Hel', ...relic } }],
      },
      { ...chatHead, choices: [{ index: 0, delta: { content: 'lo', ...relic } }] },
      { ...chatHead, choices: [{ index: 0, delta: { ...relic }, finish_reason: 'stop' }] },
      {
        ...chatHead,
        choices: [],
        usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
      },
    )}data: [DONE]\n\n`,
}

const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm' },
  usage: { input_tokens: 3, output_tokens: 1 },
}
const messages: Vendor = {
  whole: ({ blocks, text, ...relic }) => ({
    ...message,
    content: [{ type: 'text', text: 'Hello', ...(text as Json) }, ...((blocks as Json[]) ?? [])],
    stop_reason: 'end_turn',
    ...relic,
  }),
  stream: ({ blocks, text, ...relic }) =>
    events(
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, ...relic } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '', ...(text as Json) },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
      { type: 'content_block_stop', index: 0 },
      ...((blocks as Json[]) ?? []).flatMap((content_block, position) => [
        { type: 'content_block_start', index: position + 1, content_block },
        { type: 'content_block_stop', index: position + 1 },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', ...relic },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ),
}

const google = ({ parts, ...relic }: Json, text: string, finish: Json): Json => {
  const { promptFeedback, ...candidate } = relic
  return {
    candidates: [
      {
        content: { role: 'model', parts: [{ text }, ...((parts as Json[]) ?? [])] },
        index: 0,
        ...finish,
        ...candidate,
      },
    ],
    ...(promptFeedback === undefined ? {} : { promptFeedback }),
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
    modelVersion: 'm',
    responseId: 'g',
  }
}
const gemini: Vendor = {
  whole: (relic) => google(relic, 'Hello', { finishReason: 'STOP' }),
  stream: (relic) =>
    events(google(relic, 'Hel', {}), google(relic, 'lo', { finishReason: 'STOP' })),
}

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
}
const itemsUsage = { input_tokens: 3, output_tokens: 1, total_tokens: 4 }
const spoken = (part: Json) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text: 'Hello', annotations: [], ...part }],
})
const responses: Vendor = {
  whole: ({ items, part, ...relic }) => ({
    ...response,
    output: [spoken(part as Json), ...((items as Json[]) ?? [])],
    usage: itemsUsage,
    ...relic,
  }),
  stream: ({ items, part, ...relic }) => {
    const output = [spoken(part as Json), ...((items as Json[]) ?? [])]
    return events(
      { type: 'response.created', response: { ...response, status: 'in_progress', ...relic } },
      ...output.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        { type: 'response.output_item.done', output_index, item },
      ]),
      {
        type: 'response.completed',
        response: { ...response, output, usage: itemsUsage, ...relic },
      },
    )
  },
}

const vendors: Readonly<Record<WireFormat, Vendor>> = {
  chat,
  messages,
  'generate-content': gemini,
  responses,
}

/** Fields and pieces that vendors have sent beside a good answer, and that say nothing. */
const relics: Readonly<Record<WireFormat, readonly Json[]>> = {
  chat: [
    { function_call: { arguments: '', name: '' } },
    { function_call: {} },
    { function_call: null },
    { tool_calls: [] },
    { tool_calls: null },
    { tool_calls: [{}] },
    { tool_calls: [null] },
    { tool_calls: [{ id: '', type: 'function', function: { name: '', arguments: '' } }] },
    { tool_calls: [{ id: null, type: null, function: { name: null, arguments: null } }] },
    { tool_calls: [{ index: 0, function: {} }] },
    { audio: null },
    { audio: {} },
    { audio: { id: '', data: '', transcript: '' } },
    { images: null },
    { images: [] },
    { refusal: '' },
    { refusal: null },
    { reasoning: '' },
    { reasoning_content: '' },
    { reasoning: null, reasoning_content: null },
    { reasoning_details: null },
    { reasoning_details: [] },
    { reasoning_details: [{}] },
    { reasoning_details: [{ type: 'reasoning.text', text: '' }] },
    { reasoning_details: [{ type: 'reasoning.text', text: null, signature: null }] },
    { thinking_blocks: [] },
    { thinking_blocks: [{ type: 'thinking', thinking: '', signature: '' }] },
    { annotations: null },
    { annotations: [] },
    { annotations: [{}] },
    { extra_content: {} },
    { extra_content: null },
    { answer: { error: null } },
    { answer: { error: '' } },
    { answer: { error: {} } },
    { answer: { error: { message: '', type: null } } },
  ],
  messages: [
    { blocks: [{ type: 'text', text: '' }] },
    { blocks: [{ type: 'thinking', thinking: '', signature: '' }] },
    { blocks: [{ type: 'tool_use', id: '', name: '', input: {} }] },
    { blocks: [{}] },
    { text: { citations: null } },
    { text: { citations: [] } },
    { stop_sequence: '' },
    { stop_details: {} },
    { stop_details: null },
    { container: null },
  ],
  'generate-content': [
    { parts: [{}] },
    { parts: [{ text: '' }] },
    { parts: [{ text: '', thought: true }] },
    { parts: [{ text: '', thoughtSignature: '' }] },
    { parts: [{ functionCall: {} }] },
    { parts: [{ functionCall: null }] },
    { parts: [{ functionCall: { name: '', args: {} } }] },
    { parts: [{ inlineData: null }] },
    { parts: [{ inlineData: { mimeType: '', data: '' } }] },
    { parts: [{ executableCode: {} }] },
    { safetyRatings: null },
    { groundingMetadata: {} },
    { groundingMetadata: null },
    { citationMetadata: {} },
    { finishMessage: '' },
    { promptFeedback: {} },
    { promptFeedback: null },
    { promptFeedback: { blockReason: '' } },
  ],
  responses: [
    { items: [{ type: 'message', role: 'assistant', content: [] }] },
    { items: [{ type: 'message', role: 'assistant', content: null }] },
    {
      items: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '' }] }],
    },
    {
      items: [{ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: '' }] }],
    },
    { items: [{ type: 'reasoning', summary: [] }] },
    { items: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: '' }] }] },
    { items: [{ type: 'reasoning', summary: null, content: null, encrypted_content: '' }] },
    { items: [{ type: 'function_call', call_id: '', name: '', arguments: '' }] },
    { items: [{ type: 'function_call' }] },
    { part: { annotations: null } },
    { part: { logprobs: null } },
    { error: null },
    { incomplete_details: {} },
    { incomplete_details: { reason: null } },
    { incomplete_details: { reason: '' } },
  ],
}

/** The answer as a client of one format gets it, whole and streamed, in that client's own words. */
const heard = (client: WireFormat, upstream: WireFormat, relic: Json) => {
  const { whole, stream, collected } = smallCall(client, upstream)
  const streamed = eventsOf(vendors[upstream].stream(relic))
  return {
    whole: whole(vendors[upstream].whole(relic)),
    streamed: stream(streamed),
    collected: collected(streamed),
  }
}

describe.each(formats)('what a %s vendor leaves empty beside a good answer', (upstream) => {
  const clients = formats.filter((format) => format !== upstream)

  test.each(relics[upstream].map((relic) => [JSON.stringify(relic), relic] as const))(
    '%s says nothing to anybody',
    (_name, relic) => {
      for (const client of clients) {
        expect(heard(client, upstream, relic), client).toEqual(heard(client, upstream, {}))
      }
    },
  )
})

test('a client may send an empty relic back with the history', () => {
  const answer = { role: 'assistant', content: 'Hello', function_call: { name: '', arguments: '' } }
  const body = (...messages: Json[]) => ({ model: 'm', messages: [...messages, hi] })
  const hi = { role: 'user', content: 'Hi' }
  const { content } = answer
  for (const upstream of formats.filter((format) => format !== 'chat')) {
    expect(pass('chat', upstream, body(hi, answer, hi)).body).toEqual(
      pass('chat', upstream, body(hi, { role: 'assistant', content }, hi)).body,
    )
  }
})

test.each([
  { function: { name: 'look', arguments: '{}' }, custom: { name: '', input: '' } },
  { custom: { name: 'look', input: '{}' }, function: { name: '', arguments: '' } },
])('a call of one kind beside an empty place for the other is that call: %j', (kinds) => {
  const { whole, spread } = smallCall('messages', 'chat')
  const relic = { tool_calls: [{ index: 0, id: 'call_1', ...kinds }] }
  const calls = [{ type: 'tool_use', name: 'look' }]
  expect(whole(chat.whole(relic)).content).toMatchObject([{ text: 'Hello' }, ...calls])
  const streamed = smallCall('messages', 'chat').stream(eventsOf(chat.stream(relic)))
  expect(streamed).toContain('"name":"look"')
  expect(spread(chat.whole(relic))).toContain('look')
})

describe('a call that says something but no name is an error still', () => {
  const named = (call: Json): readonly [string, Json] => [JSON.stringify(call), call]

  test.each([
    named({ function_call: { name: '', arguments: '{"x":1}' } }),
    named({ tool_calls: [{ id: 'call_1', function: { name: '', arguments: '' } }] }),
    named({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
  ])('%s', (_name, relic) => {
    const { whole, stream } = smallCall('messages', 'chat')
    expect(() => whole(chat.whole(relic))).toThrow(/without saying which/)
    expect(() => stream(eventsOf(chat.stream(relic)))).toThrow(/without saying which/)
  })

  test('of the other formats too', () => {
    const call = { type: 'function_call', call_id: 'call_1', name: '', arguments: '{}' }
    expect(() => smallCall('chat', 'responses').whole(responses.whole({ items: [call] }))).toThrow()
  })
})
