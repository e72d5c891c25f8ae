import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { markState } from '../../../../main/convert/reasoning/reasoning-state.ts'
import { type Pair, startPair, type Whole } from '../../../support/gateway/pair.ts'

let pair: Pair

const chatAnswer = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'vendor-name',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 60 },
  },
}
const chatEvents = [
  { ...chatAnswer, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello.' } }] },
  { ...chatAnswer, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .concat('data: [DONE]\n\n')

const turns = [{ role: 'user', content: 'How are you?' }]
const anthropic = (model: string, more: object = {}, path = '/v1/messages') =>
  pair.send(path, {
    body: { model, max_tokens: 50, messages: turns, ...more },
    headers: { 'anthropic-version': '2023-06-01' },
  })
const otherOf = (answer: Whole) => JSON.parse(pair.rowsOf(answer)[0]?.other ?? '{}')
const sent = () => pair.upstream.last().json() as Record<string, unknown>

beforeEach(async () => {
  pair = await startPair()
})
afterEach(() => pair.close())

describe('a converted call', () => {
  test('is booked with the usage of the vendor, both formats, and what was left out', async () => {
    pair.upstream.script({ body: chatAnswer })
    const answer = await anthropic('chat-model', { top_k: 5 })
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({
      type: 'message',
      model: 'chat-model',
      content: [{ type: 'text', text: 'Hello.' }],
      usage: { input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 20 },
    })
    expect(answer.headers['x-switchyard-loss']).toContain('top_k')
    expect(answer.headers['request-id']).toBe(answer.id)
    expect(pair.rowsOf(answer)).toMatchObject([
      { type: 2, status: 200, promptTokens: 100, completionTokens: 20 },
    ])
    expect(otherOf(answer)).toMatchObject({
      wire_format: 'messages',
      upstream_format: 'chat',
      cache_tokens: 60,
      loss: [{ path: 'top_k', kind: 'dropped' }],
    })
  })

  test('goes to the model that its channel maps the name to, where the address names it', async () => {
    const modelMapping = { alias: 'gemini-model' }
    pair.addChannelOf('generate-content', { models: ['alias'], modelMapping })
    await anthropic('alias')
    expect(pair.upstream.last().url).toBe('/v1beta/models/gemini-model:generateContent')
  })

  test('that one channel’s format cannot hold goes to another that can', async () => {
    pair.addChannelOf('messages', { models: ['both'], priority: 5 })
    pair.addChannelOf('chat', { models: ['both'] })
    const body = { model: 'both', messages: turns, n: 2 }
    pair.upstream.script({ body: chatAnswer })
    const answer = await pair.send('/v1/chat/completions', { body })
    expect(answer.status).toBe(200)
    expect(pair.upstream.requests.map(({ url }) => url)).toEqual(['/v1/chat/completions'])
  })

  test('that no channel’s format can hold is refused by its field, and nothing is sent', async () => {
    const body = { model: 'messages-model', messages: turns, n: 2 }
    const refused = await pair.send('/v1/chat/completions', { body })
    expect(refused.status).toBe(400)
    expect(refused.json()).toMatchObject({ error: { param: 'n' } })
    expect(pair.upstream.requests).toHaveLength(0)
  })

  test('has the vendor’s headers kept from the client, and the client’s from the vendor', async () => {
    pair.upstream.script({ body: chatAnswer, headers: { 'openai-processing-ms': '5' } })
    const answer = await pair.send('/v1/messages', {
      body: { model: 'chat-model', max_tokens: 5, messages: turns },
      headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'some-beta-1' },
    })
    expect(answer.headers['openai-processing-ms']).toBeUndefined()
    expect(pair.upstream.last().headers['anthropic-beta']).toBeUndefined()
  })
})

describe('a vendor that knows only one of whole answers and streams', () => {
  test('never streams: a client that wants a stream gets one', async () => {
    pair.addChannelOf('chat', { models: ['whole'], settings: { upstream_stream: 'never' } })
    pair.upstream.script({ body: chatAnswer })
    const answer = await anthropic('whole', { stream: true })
    expect(sent().stream ?? false).toBe(false)
    expect(answer.text).toContain('event: content_block_delta')
    expect(answer.text).toContain('event: message_stop')
    expect(pair.rowsOf(answer)).toMatchObject([{ promptTokens: 100, completionTokens: 20 }])
  })

  test('always streams: a client that wants one answer gets it whole', async () => {
    pair.addChannelOf('chat', { models: ['events'], settings: { upstream_stream: 'always' } })
    pair.upstream.script({ chunks: chatEvents })
    const answer = await anthropic('events')
    expect(sent().stream).toBe(true)
    expect(answer.json()).toMatchObject({ content: [{ text: 'Hello.' }], stop_reason: 'end_turn' })
  })

  test('always streams, in the client’s own format', async () => {
    pair.addChannelOf('chat', { models: ['events'], settings: { upstream_stream: 'always' } })
    pair.upstream.script({ chunks: chatEvents })
    const body = { model: 'events', messages: turns }
    const answer = await pair.send('/v1/chat/completions', { body })
    expect(answer.json()).toMatchObject({
      model: 'events',
      choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100 },
    })
  })

  test('a stream that is cut is no whole answer', async () => {
    pair.addChannelOf('chat', { models: ['events'], settings: { upstream_stream: 'always' } })
    pair.gateway.set({ RetryTimes: 0 })
    pair.upstream.script({ chunks: chatEvents.slice(0, 1), ending: 'cut' })
    expect((await anthropic('events')).status).toBe(502)
  })
})

describe('counting tokens', () => {
  const path = '/v1/messages/count_tokens'
  const count = (model: string) => anthropic(model, {}, path)

  test('is asked of a vendor that can', async () => {
    pair.upstream.script({ body: { totalTokens: 1234 } })
    const answer = await count('gemini-model')
    expect(pair.upstream.last().url).toBe('/v1beta/models/gemini-model:countTokens')
    expect(sent()).toMatchObject({
      generateContentRequest: { model: 'models/gemini-model', contents: [{ role: 'user' }] },
    })
    expect(answer.json()).toEqual({ input_tokens: 1234 })
  })

  test('is no stream, also where the vendor always streams', async () => {
    pair.addChannelOf('messages', { models: ['events'], settings: { upstream_stream: 'always' } })
    pair.upstream.script({ body: { input_tokens: 12 } })
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
    const answer = await pair.send('/v1beta/models/events:countTokens', { body })
    expect(pair.upstream.last().url).toBe('/v1/messages/count_tokens')
    expect(sent()).not.toHaveProperty('stream')
    expect(pair.upstream.last().headers.accept).toBe('application/json')
    expect(answer.json()).toEqual({ totalTokens: 12 })
  })

  test('is estimated where the vendor has no such call, which is not bothered', async () => {
    const answer = await count('chat-model')
    expect(answer.status).toBe(200)
    expect(answer.json<{ input_tokens: number }>().input_tokens).toBeGreaterThan(3)
    expect(pair.upstream.requests).toHaveLength(0)
    expect(otherOf(answer)).toMatchObject({ estimated: true })
  })

  test('is estimated when the vendor of the client’s own format answers 404', async () => {
    pair.upstream.script({ status: 404, body: { error: { message: 'No such path.' } } })
    const answer = await count('messages-model')
    expect(answer.status).toBe(200)
    expect(answer.json<{ input_tokens: number }>().input_tokens).toBeGreaterThan(3)
  })

  test('is estimated when the vendor cannot be reached', async () => {
    pair.addChannelOf('messages', { models: ['away'], baseUrl: 'http://127.0.0.1:9' })
    const answer = await count('away')
    expect(answer.status).toBe(200)
    expect(answer.json<{ input_tokens: number }>().input_tokens).toBeGreaterThan(3)
  })

  test('keeps what the vendor says is wrong with the call', async () => {
    pair.upstream.script({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message: 'No such role.' } },
    })
    const refused = await count('messages-model')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('No such role.')
  })

  test('of a Gemini client, on a chat vendor', async () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'How many tokens are these?' }] }] }
    const answer = await pair.send('/v1beta/models/chat-model:countTokens', { body })
    expect(answer.json<{ totalTokens: number }>().totalTokens).toBeGreaterThan(5)
  })
})

describe('the choice among channels of one priority', () => {
  const formatsOf = async (calls: number) => {
    const paths = new Set<string>()
    for (let index = 0; index < calls; index++) {
      pair.upstream.script({ body: { ...chatAnswer, type: 'message', content: [], usage: {} } })
      await anthropic('both')
      paths.add(pair.upstream.last().url)
    }
    return [...paths].sort()
  }

  test('falls on one that speaks the client’s format', async () => {
    pair.addChannelOf('chat', { models: ['both'], weight: 100 })
    pair.addChannelOf('messages', { models: ['both'], weight: 1 })
    expect(await formatsOf(8)).toEqual(['/v1/messages'])
  })

  test('is by weight alone where the owner wants that', async () => {
    pair.gateway.set({ PreferNativeFormat: false })
    pair.addChannelOf('chat', { models: ['both'], weight: 100 })
    pair.addChannelOf('messages', { models: ['both'], weight: 0 })
    expect(await formatsOf(5)).toEqual(['/v1/chat/completions'])
  })

  test('leaves a higher priority its place', async () => {
    pair.addChannelOf('chat', { models: ['both'], priority: 2 })
    pair.addChannelOf('messages', { models: ['both'], priority: 1 })
    expect(await formatsOf(4)).toEqual(['/v1/chat/completions'])
  })
})

test('thoughts of another vendor are taken out before Claude sees them', async () => {
  const signature = markState({
    origin: 'generate-content',
    kind: 'signature',
    model: 'gemini-3-pro',
    data: 'AAEC',
  })
  const messages = [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature },
        { type: 'text', text: 'Hello.' },
      ],
    },
    { role: 'user', content: 'Go on' },
  ]
  pair.upstream.script({
    body: { id: 'm', type: 'message', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  })
  await anthropic('messages-model', { messages, unknown_field: { kept: [1, 2] } })
  expect(JSON.stringify(sent())).not.toContain(signature)
  expect(sent()).toMatchObject({ unknown_field: { kept: [1, 2] } })
  expect(JSON.stringify(sent().messages)).toContain('Hello.')
})

test('a number that a double cannot hold passes a conversion', async () => {
  pair.upstream.script({ body: chatAnswer })
  const body = JSON.stringify({
    model: 'chat-model',
    max_tokens: 5,
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'find', input: { id: 'BIG' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
    ],
  }).replace('"BIG"', '9007199254740993')
  await pair.send('/v1/messages', {
    body,
    headers: { 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
  })
  expect(pair.upstream.last().body.toString()).toContain('9007199254740993')
})

test('a plain GET of the Responses endpoint is told that it takes a WebSocket', async () => {
  const probe = await pair.send('/v1/responses', { method: 'GET' })
  expect(probe.status).toBe(426)
  expect(probe.json()).toMatchObject({ error: { code: 'upgrade_required' } })
})

test('a model’s rules can be set for a channel', async () => {
  pair.addChannelOf('messages', {
    models: ['claude-opus-5-5'],
    settings: { model_rules: { 'claude-opus-5-5': { sampling: true } } },
  })
  const answer = {
    id: 'm',
    type: 'message',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  pair.upstream.script({ body: answer })
  const body = { model: 'claude-opus-5-5', messages: turns, temperature: 0.5 }
  await pair.send('/v1/chat/completions', { body })
  expect(sent().temperature).toBe(0.5)
})
