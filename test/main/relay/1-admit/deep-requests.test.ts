import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
  pair.gateway.set({ ChannelFailureCount: 0, RetryTimes: 0 })
})
afterAll(() => pair.close())

const HEADERS = { 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }

/** `inner` within this many of what opens and closes. */
const nested = (open: string, inner: string, close: string, depth = 3000): string =>
  open.repeat(depth) + inner + close.repeat(depth)

const chat = (model: string, models: string): string =>
  `{"model":"${model}","messages":[{"role":"user","content":"hi"}],"models":[${models}]}`

const messages = (model: string, content: string): string =>
  `{"model":"${model}","max_tokens":9,"messages":[{"role":"user","content":${content}}]}`

const result = '[{"type":"tool_result","tool_use_id":"x","content":'

const requests: readonly [what: string, path: string, body: string][] = [
  [
    'models within models',
    '/v1/chat/completions',
    chat(modelOf.chat, nested('{"model":"m","models":[', '', ']}')),
  ],
  [
    'lists of models within lists',
    '/v1/chat/completions',
    chat(modelOf.chat, nested('{"m":[', '', ']}')),
  ],
  [
    'results of tools within results, for a vendor of another format',
    '/v1/messages',
    messages(modelOf.chat, nested(result, '"a"', '}]')),
  ],
  [
    'results within results, not quite so deep',
    '/v1/messages',
    messages(modelOf.chat, nested(result, '"a"', '}]', 1500)),
  ],
]

describe('a request nested deeper than can be read is told so, and is the client’s to mend', () => {
  test.each(requests)('%s', async (_what, path, body) => {
    const { status, text } = await pair.send(path, { body, headers: HEADERS })
    expect([status, text]).toEqual([400, expect.stringContaining('nested too deep')])
  })
})

test('a tool whose schema is as deep is read by Echo all the same', async () => {
  pair.gateway.addChannel({ type: 900, name: 'echo', models: ['echo'] })
  const schema = nested('{"type":"object","properties":{"a":', '{"type":"string"}', '}}', 4900)
  const tools = `"tools":[{"name":"f","input_schema":${schema}}]`
  const body = messages('echo', '"Hello"').replace('"max_tokens":9', `"max_tokens":9,${tools}`)
  const { status, text } = await pair.send('/v1/messages', { body, headers: HEADERS })
  expect([status, text]).toEqual([200, expect.stringContaining('Echo: Hello')])
})
