import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import { formats } from '../../../support/strict/loops/stage.ts'
import { formatOfRequest } from '../../../support/upstreams/recorded-vendor.ts'
import type { RecordedRequest, Reply } from '../../../support/upstreams/scripted-upstream.ts'

/** Milliseconds between two events of a vendor. */
const PAUSE = 60

const sse = (data: object, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`
const named = (type: string, fields: object = {}) => sse({ type, ...fields }, type)
const chunk = (delta: object, finish: string | null = null) =>
  sse({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })

/** Streams that open with two events without content: the first token is the third. */
const streams: Readonly<Record<WireFormat, readonly string[]>> = {
  chat: [
    chunk({ role: 'assistant' }),
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'Hm' }),
    chunk({ content: 'Yes' }, 'stop'),
    'data: [DONE]\n\n',
  ],
  messages: [
    named('message_start', {
      message: {
        ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', content: [] },
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
    named('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } }),
    named('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } }),
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
    named('message_stop'),
  ],
  responses: [
    named('response.created', { response: { id: 'r', status: 'in_progress', output: [] } }),
    named('response.output_item.added', {
      output_index: 0,
      item: { id: 'f', type: 'function_call', call_id: 'c', name: 'ls', arguments: '' },
    }),
    named('response.function_call_arguments.delta', { item_id: 'f', output_index: 0, delta: '{}' }),
    named('response.output_item.done', {
      output_index: 0,
      item: { id: 'f', type: 'function_call', call_id: 'c', name: 'ls', arguments: '{}' },
    }),
    named('response.completed', {
      response: {
        ...{ id: 'r', status: 'completed', usage: { input_tokens: 1, output_tokens: 1 } },
        output: [{ id: 'f', type: 'function_call', call_id: 'c', name: 'ls', arguments: '{}' }],
      },
    }),
  ],
  'generate-content': [
    sse({ candidates: [{ content: { role: 'model', parts: [] }, index: 0 }] }),
    sse({ candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, index: 0 }] }),
    sse({ candidates: [{ content: { role: 'model', parts: [{ text: 'Yes' }] }, index: 0 }] }),
    sse({ candidates: [{ content: { parts: [{ text: '!' }] }, index: 0, finishReason: 'STOP' }] }),
  ],
}

const reply = (request: RecordedRequest): Reply => {
  const events = streams[formatOfRequest(request)]
  if (request.url.includes('streamGenerateContent') && !request.url.includes('alt=sse')) {
    const items = events.map((event) => event.slice(6).trim())
    const chunks = items.map((item, at) => `${at === 0 ? '[' : ',\n'}${item}`)
    return {
      headers: { 'content-type': 'application/json' },
      chunks: [...chunks, ']'],
      pause: PAUSE,
    }
  }
  return { headers: { 'content-type': 'text/event-stream' }, chunks: events, pause: PAUSE }
}

const asks: Readonly<Record<WireFormat, (model: string) => [string, object]>> = {
  chat: (model) => ['/v1/chat/completions', { messages: [{ role: 'user', content: 'x' }], model }],
  messages: (model) => [
    '/v1/messages',
    { model, max_tokens: 99, messages: [{ role: 'user', content: 'x' }] },
  ],
  responses: (model) => ['/v1/responses', { model, input: 'x' }],
  'generate-content': (model) => [
    `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
  ],
}

const channels = {
  chat: { type: 1, endpoint: 'openai' },
  responses: { type: 1, endpoint: 'openai-response' },
  messages: { type: 14, endpoint: 'anthropic' },
  'generate-content': { type: 24, endpoint: 'gemini' },
}

let pair: Pair
beforeAll(async () => {
  pair = await startPair({ empty: true, handler: reply })
  for (const format of formats) {
    const { type, endpoint } = channels[format]
    const settings = { endpoint_types: [endpoint] }
    pair.addChannelOf(format, { type, models: [`to-${format}`], settings })
  }
})
afterAll(() => pair?.close())

const firstTokenOf = (id: string): number | undefined =>
  JSON.parse(pair.rowsOf(id)[0]?.other ?? '{}').frt

test.each(formats.flatMap((client) => formats.map((vendor) => [client, vendor] as const)))(
  'the time to first token of %s from %s is not that of an opening event',
  async (client, vendor) => {
    const [path, body] = asks[client](`to-${vendor}`)
    const stream = client === 'generate-content' ? {} : { stream: true }
    const answer = await pair.send(path, {
      body: { ...body, ...stream },
      headers: { 'anthropic-version': '2023-06-01' },
    })
    expect(answer.status).toBe(200)
    expect(firstTokenOf(answer.id)).toBeGreaterThanOrEqual(2 * PAUSE - 5)
  },
)

test('of a JSON array as well', async () => {
  const answer = await pair.send('/v1beta/models/to-generate-content:streamGenerateContent', {
    body: asks['generate-content']('')[1],
  })
  expect(answer.status).toBe(200)
  expect(firstTokenOf(answer.id)).toBeGreaterThanOrEqual(2 * PAUSE - 5)
})

test('an answer in one piece has no first token', async () => {
  pair.upstream.script({
    body: { choices: [{ index: 0, message: { role: 'assistant', content: 'x' } }], usage: {} },
  })
  const answer = await pair.send('/v1/chat/completions', { body: asks.chat('to-chat')[1] })
  expect(answer.status).toBe(200)
  expect(firstTokenOf(answer.id)).toBeUndefined()
})
