import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair

const answerOf = (message: object, finish = 'stop') => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'vendor-name-2026',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
})
const chatAnswer = answerOf({ content: 'Hello.' })
const chatEvents = [
  { ...chatAnswer, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello.' } }] },
  { ...chatAnswer, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .concat('data: [DONE]\n\n')
const sent = () => pair.upstream.last().json() as Record<string, unknown>

beforeEach(async () => {
  pair = await startPair()
})
afterEach(() => pair.close())

describe('a body of the Responses format at /v1/chat/completions', () => {
  const tool = {
    type: 'function',
    name: 'get',
    parameters: { type: 'object', properties: {} },
    strict: false,
  }
  const body = { input: 'Hi', instructions: 'Be brief.', tools: [tool], max_output_tokens: 50 }
  const ask = (model: string, more: object = {}) =>
    pair.send('/v1/chat/completions', { body: { model, ...body, ...more } })

  test('reaches a Chat upstream as Chat, whose answer goes back as it came', async () => {
    pair.upstream.script({ body: chatAnswer })
    const answer = await ask('chat-model')
    expect(answer.json()).toEqual(chatAnswer)
    expect(sent()).toMatchObject({
      model: 'chat-model',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ type: 'function', function: { name: 'get' } }],
      max_tokens: 50,
    })
    expect(sent()).not.toHaveProperty('input')
  })

  test('streams in the shape of Chat, with usage only where it is asked for', async () => {
    pair.upstream.script({ chunks: chatEvents })
    const answer = await ask('chat-model', { stream: true })
    expect(answer.text).toContain('"content":"Hello."')
    expect(answer.text).toContain('data: [DONE]')
    const claude = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'c',
      stop_reason: 'end_turn',
    }
    const content = [{ type: 'text', text: 'Hello.' }]
    const usage = { input_tokens: 5, output_tokens: 2 }
    for (const options of [undefined, { include_usage: true }]) {
      pair.upstream.script({ body: { ...claude, content, usage } })
      const streamed = await ask('messages-model', { stream: true, stream_options: options })
      expect(streamed.text).toContain('chat.completion.chunk')
      expect(streamed.text.includes('"prompt_tokens"')).toBe(options !== undefined)
      expect(streamed.headers['x-switchyard-loss'] ?? '').not.toContain('stream_options')
    }
  })

  test('is refused by its own fields', async () => {
    const refused = await ask('messages-model', { conversation: 'conv_1' })
    expect(refused.status).toBe(400)
    expect(refused.json()).toMatchObject({ error: { param: 'conversation' } })
    const empty = await pair.send('/v1/chat/completions', { body: { model: 'chat-model' } })
    expect(empty.json()).toMatchObject({ error: { param: 'messages' } })
  })
})

test('stream_options are not sent, converted or not, where the channel’s vendor takes none', async () => {
  pair.addChannelOf('chat', { models: ['bare'], settings: { stream_options: false } })
  pair.upstream.script({ chunks: chatEvents })
  const answer = await pair.send('/v1/messages', {
    body: {
      model: 'bare',
      max_tokens: 5,
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    },
    headers: { 'anthropic-version': '2023-06-01' },
  })
  expect(answer.text).toContain('Hello.')
  expect(sent()).toMatchObject({ stream: true })
  expect(sent()).not.toHaveProperty('stream_options')
})

test('reasoning details of a Chat vendor go back to the model that made them, and to no other', async () => {
  pair.addChannelOf('chat', { models: ['first-model', 'second-model'] })
  const detail = { type: 'reasoning.encrypted', data: 'secret', id: 'r1', format: 'vendor-v1' }
  const calls = [{ id: 't1', type: 'function', function: { name: 'get', arguments: '{}' } }]
  const headers = { 'anthropic-version': '2023-06-01' }
  const tools = [{ name: 'get', input_schema: { type: 'object', properties: {} } }]
  const messages: object[] = [{ role: 'user', content: 'Hi' }]
  const ask = (model: string) =>
    pair.send('/v1/messages', { body: { model, max_tokens: 500, tools, messages }, headers })
  const message = { content: null, reasoning_details: [detail], tool_calls: calls }
  pair.upstream.script({ body: answerOf(message, 'tool_calls') })
  const first = await ask('first-model')
  const { content } = first.json<{ content: unknown[] }>()
  expect(content).toMatchObject([
    { type: expect.stringMatching(/thinking$/) },
    { type: 'tool_use' },
  ])
  messages.push(
    { role: 'assistant', content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
  )
  pair.upstream.script({ body: chatAnswer })
  await ask('first-model')
  expect(sent().messages).toMatchObject([{}, { reasoning_details: [detail] }, {}])
  pair.upstream.script({ body: chatAnswer })
  const other = await ask('second-model')
  expect(JSON.stringify(sent())).not.toContain('secret')
  expect(other.headers['x-switchyard-loss']).toContain('dropped messages[1].content[0]')
})
