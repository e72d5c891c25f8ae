import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import { unmarked, withoutThreads } from '../../../support/gateway/without-threads.ts'
import { watchTurns } from '../../../support/upstreams/watch-turns.ts'

let pair: Pair

const MEBIBYTE = 1024 * 1024
const long = 'Some words of a long conversation, with "quotes", \n breaks and \u{1F600}. '.repeat(
  20_000,
)
const image = `data:image/png;base64,${Buffer.alloc(MEBIBYTE).toString('base64')}`
const vendorAnswer = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'x', input: { a: 1 } }],
  stop_reason: 'tool_use',
  usage: { input_tokens: 10, output_tokens: 5 },
}
const thinking = { type: 'thinking', thinking: 'I should read it.', signature: 'c2lnbmF0dXJl' }
const vendorEvents = [
  { type: 'message_start', message: { ...vendorAnswer, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Fine.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)

const longName = `mcp__${'server_with_a_long_name_'.repeat(7)}__read`
const chatTool = (name: string) => ({
  type: 'function',
  function: { name, description: 'Reads.', parameters: { type: 'object', properties: {} } },
})
const user = (content: unknown) => ({ role: 'user', content })

/** Bodies that another thread translates: whom, and what. */
const bodies: Record<string, { path: string; body: object }> = {
  'a picture': {
    path: '/v1/chat/completions',
    body: {
      messages: [
        user([
          { type: 'text', text: 'What?' },
          { type: 'image_url', image_url: { url: image } },
        ]),
      ],
    },
  },
  'tools with long names, calls of them, and what the vendor lacks': {
    path: '/v1/chat/completions',
    body: {
      seed: 7,
      tools: [chatTool(longName), chatTool('plain')],
      messages: [
        user(long),
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call.1',
              type: 'function',
              function: { name: longName, arguments: '{"id":12345678901234567890}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call.1', content: 'Read.' },
      ],
    },
  },
  'a stream': { path: '/v1/chat/completions', body: { stream: true, messages: [user(long)] } },
  'a stream that tells its usage': {
    path: '/v1/chat/completions',
    body: { stream: true, stream_options: { include_usage: true }, messages: [user(long)] },
  },
  'Responses that are kept': {
    path: '/v1/responses',
    body: {
      instructions: 'Be brief.',
      metadata: { a: 'b' },
      tools: [
        {
          type: 'function',
          name: 'x',
          parameters: { type: 'object', properties: {} },
          strict: false,
        },
      ],
      input: [{ role: 'user', content: long }],
    },
  },
  'Responses that are streamed': {
    path: '/v1/responses',
    body: { stream: true, store: false, input: [{ role: 'user', content: long }] },
  },
  contents: {
    path: '/v1beta/models/claude:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: long }] }],
      tools: [{ functionDeclarations: [{ name: 'x' }] }],
    },
  },
  'what cannot be converted': {
    path: '/v1/chat/completions',
    body: {
      messages: [
        user(long),
        { role: 'assistant', content: 'And' },
        { role: 'user', content: [{ type: 'nothing' }] },
      ],
    },
  },
  'what is no JSON inside': {
    path: '/v1/chat/completions',
    body: { messages: [user(long), 'BROKEN'] },
  },
}

async function send(path: string, body: object) {
  const before = pair.upstream.requests.length
  const text = JSON.stringify({ model: 'claude', ...body }).replace('"BROKEN"', '{"role":tru}')
  const answer = await pair.send(path, { body: text })
  const [row] = pair.rowsOf(answer)
  const { loss, upstream_format } = JSON.parse(row?.other ?? '{}')
  return {
    status: answer.status,
    loss: answer.headers['x-switchyard-loss'],
    text: unmarked(answer.text),
    sent: pair.upstream.requests.slice(before).map((one) => one.body.toString()),
    row: { status: row?.status, prompt: row?.promptTokens, loss, upstream_format },
  }
}

beforeAll(async () => {
  pair = await startPair({
    handler: (request) =>
      request.body.includes('"stream":true')
        ? { headers: { 'content-type': 'text/event-stream' }, chunks: vendorEvents }
        : { body: vendorAnswer },
  })
  pair.addChannelOf('messages', { models: ['claude'], paramOverride: { temperature: 0.5 } })
})
afterAll(() => pair.close())

describe('a large body', () => {
  test.each(Object.keys(bodies))(
    'is translated by a thread as by the gateway itself: %s',
    async (name) => {
      const { path, body } = bodies[name] as { path: string; body: object }
      const there = await send(path, body)
      const here = await withoutThreads(pair, () => send(path, body))
      expect(there).toEqual(here)
    },
  )

  test('gets thoughts back that its client did not send, from what is remembered', async () => {
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'toolu_9', type: 'function', function: { name: 'x', arguments: '{"a":1}' } },
      ],
    }
    pair.upstream.script({
      body: {
        ...vendorAnswer,
        content: [thinking, { type: 'tool_use', id: 'toolu_9', name: 'x', input: { a: 1 } }],
      },
    })
    const tools = [chatTool('x')]
    await send('/v1/chat/completions', { tools, messages: [user('Read it.')] })
    const { sent } = await send('/v1/chat/completions', {
      tools,
      messages: [user(long), call, { role: 'tool', tool_call_id: 'toolu_9', content: 'Read.' }],
    })
    const { messages } = JSON.parse(sent[0] ?? '') as { messages: { content: object[] }[] }
    expect(messages[1]?.content[0]).toEqual(thinking)
  })

  test('may be gone on from by its id', async () => {
    const { path, body } = bodies['Responses that are kept'] as { path: string; body: object }
    pair.upstream.script({
      body: {
        ...vendorAnswer,
        content: [{ type: 'text', text: 'Fine.' }],
        stop_reason: 'end_turn',
      },
    })
    const first = await pair.send(path, { body: { model: 'claude', ...body } })
    const { id } = first.json<{ id: string }>()
    const next = await send(path, { previous_response_id: id, input: 'And now?' })
    expect(next.status).toBe(200)
    expect(next.sent[0]).toContain('Some words of a long conversation')
  })

  test('may name an item of an answer before it in place of its words', async () => {
    const path = '/v1/responses'
    const content = [{ type: 'text', text: 'What was answered.' }]
    pair.upstream.script({ body: { ...vendorAnswer, content, stop_reason: 'end_turn' } })
    const first = await pair.send(path, { body: { model: 'claude', input: 'Hi' } })
    const [message] = first.json<{ output: { id: string }[] }>().output
    const input = [user('Hi'), { type: 'item_reference', id: message?.id }, user(long)]
    const next = await send(path, { input })
    expect(next.status).toBe(200)
    expect(next.sent[0]).toContain('What was answered.')
  })

  test('does not hold up the calls beside it', async () => {
    const messages = Array.from({ length: 40_000 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${index} ${'and so on and so forth, '.repeat(20)}`,
    }))
    const body = Buffer.from(
      JSON.stringify({ model: 'claude', messages: [...messages, user('Hi')] }),
    )
    await pair.send('/v1/chat/completions', { body })
    // The thread is there by now. The same once more, watched, and then as it would be without one.
    const measure = async () => {
      const stop = watchTurns()
      expect((await pair.send('/v1/chat/completions', { body })).status).toBe(200)
      return stop()
    }
    const there = await measure()
    const here = await withoutThreads(pair, measure)
    expect(there).toBeLessThan(here / 2)
  })
})
