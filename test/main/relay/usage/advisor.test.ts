import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'

/** Quota units of a US dollar, and of a million tokens that cost one. */
const DOLLAR = 500_000
const MILLION = 1_000_000

let gateway: TestGateway
let upstream: ScriptedUpstream

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTestGateway()
  gateway.addChannel({
    type: 14,
    baseUrl: upstream.url,
    models: ['claude-sonnet-5-5', 'claude-opus-5-5', 'my-advisor'],
    modelMapping: { 'my-advisor': 'claude-opus-5-5' },
  })
  gateway.set({ ModelRatio: { 'my-advisor': 0.5 }, CompletionRatio: { 'my-advisor': 2 } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const cached = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0, cache_creation: null }
const consulted = {
  ...{ type: 'advisor_message', model: 'claude-opus-5-5', input_tokens: 2500 },
  ...{ output_tokens: 350, ...cached },
}
const usage = {
  ...{ input_tokens: 1000, output_tokens: 2000, ...cached },
  iterations: [
    { type: 'message', input_tokens: 500, output_tokens: 1000, ...cached },
    consulted,
    consulted,
    { type: 'message', input_tokens: 500, output_tokens: 1000, ...cached },
  ],
}
const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-5-5' },
  ...{ content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn', usage },
}
const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const replies: readonly [string, boolean, Reply][] = [
  ['whole', false, { body: message }],
  [
    'streamed',
    true,
    {
      chunks: [
        event('message_start', {
          message: { ...message, content: [], usage: { input_tokens: 500, output_tokens: 1 } },
        }),
        event('message_delta', { delta: { stop_reason: 'end_turn' }, usage }),
        event('message_stop', {}),
      ],
    },
  ],
]

async function send(advisor: string, stream: boolean, reply: Reply, key = gateway.key) {
  upstream.script(reply)
  const answer = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'anthropic-version': '2023-06-01', 'x-api-key': key },
    body: JSON.stringify({
      ...{ model: 'claude-sonnet-5-5', max_tokens: 100, stream },
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'advisor_20260301', name: 'advisor', model: advisor }],
    }),
  })
  await answer.text()
  return answer.status
}

async function rowOf(advisor: string, stream: boolean, reply: Reply) {
  const before = gateway.rows().length
  await send(advisor, stream, reply)
  const [row] = await gateway.rowsWhen(before + 1)
  return row
}

const sonnet = ((1000 * 2 + 2000 * 10) / MILLION) * DOLLAR

test.each(replies)('what Claude’s advisor used costs what its model does, %s', async (...args) => {
  const [, stream, reply] = args
  const row = await rowOf('claude-opus-5-5', stream, reply)
  expect(row?.quota).toBe(sonnet + ((5000 * 4 + 700 * 20) / MILLION) * DOLLAR)
  expect(row).toMatchObject({ promptTokens: 1000, completionTokens: 2000, isUnpriced: false })
  expect(JSON.parse(row?.other ?? '{}').beside).toMatchObject([{ models: ['claude-opus-5-5'] }])
})

test.each(replies)('an advisor with a name of its own here has its price, %s', async (...args) => {
  const [, stream, reply] = args
  const row = await rowOf('my-advisor', stream, reply)
  expect(row?.quota).toBe(sonnet + (5000 + 700 * 2) * 0.5)
})

test.each(replies)(
  'an advisor’s tokens count towards the limit of a minute, %s',
  async (...args) => {
    const [, stream, reply] = args
    const { full } = gateway.addToken({ tokensPerMinute: 5000 })
    expect(await send('claude-opus-5-5', stream, reply, full)).toBe(200)
    // 3000 of Claude's own, and 5700 of the advisor's.
    expect(await send('claude-opus-5-5', stream, reply, full)).toBe(429)
  },
)
