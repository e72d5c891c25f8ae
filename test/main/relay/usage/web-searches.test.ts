import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

const model = 'gpt-5.5'
let pair: Pair

beforeAll(async () => {
  pair = await startPair({ empty: true })
  const settings = { endpoint_types: ['openai-response'] }
  pair.addChannelOf('responses', { models: [model], settings })
})
afterAll(() => pair.close())

const search = (id: string, action?: object) => ({
  ...{ type: 'web_search_call', id, status: 'completed' },
  ...(action ? { action } : {}),
})
const output = [
  search('ws_1', { type: 'search', query: 'a' }),
  search('ws_2', { type: 'open_page', url: 'https://a.example' }),
  search('ws_3', { type: 'find_in_page', url: 'https://a.example', pattern: 'b' }),
  search('ws_4'),
  {
    ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
    content: [{ type: 'output_text', text: 'Found.', annotations: [] }],
  },
]
const answer = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model, output },
  usage: { input_tokens: 5000, output_tokens: 30, total_tokens: 5030 },
}

const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const stream = [
  event('response.created', { response: { ...answer, status: 'in_progress', output: [] } }),
  ...output.map((item, output_index) => event('response.output_item.done', { output_index, item })),
  event('response.completed', { response: answer }),
]

const clients = [
  ['/v1/responses', { input: 'Hi', store: false }],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
] as const
const calls = clients.flatMap(([path, body]) => [false, true].map((one) => [path, one, body]))

test.each(calls)(
  'a client of %s (stream: %s) pays for each search, not for pages read',
  async (path, isStream, body) => {
    pair.upstream.script(isStream ? { chunks: stream } : { body: answer })
    const told = await pair.send(String(path), {
      body: { model, stream: isStream, ...(body as object) },
    })
    expect(told.status, told.text).toBe(200)
    const [row] = pair.rowsOf(told)
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({
      web_search_call_count: 2,
      web_search_price: 0.01,
    })
    expect(row?.quota).toBeGreaterThan(2 * 0.01 * 500_000)
  },
)

const drawn = { input_tokens: 100, output_tokens: 800, total_tokens: 900 }
test.each(calls)(
  'a client of %s (stream: %s) pays for the searches that the vendor says it charges, and what the image tool and the cache took is told',
  async (path, isStream, body) => {
    const input_tokens_details = {
      ...{ cached_tokens: 0, cache_write_tokens: 4000 },
      cache_write_tokens_details: { ttl_12h_tokens: 3000, ttl_30m_tokens: 1000 },
    }
    const usage = { ...answer.usage, input_tokens_details }
    const tool_usage = { web_search: { num_requests: 1 }, image_gen: drawn }
    // A vendor that streamed all of it may leave the list empty.
    const last = event('response.completed', {
      response: { ...answer, usage, tool_usage, output: [] },
    })
    pair.upstream.script(
      isStream
        ? { chunks: [...stream.slice(0, -1), last] }
        : { body: { ...answer, usage, tool_usage } },
    )
    const told = await pair.send(String(path), {
      body: { model, stream: isStream, ...(body as object) },
    })
    expect(told.status, told.text).toBe(200)
    expect(JSON.parse(pair.rowsOf(told)[0]?.other ?? '{}')).toMatchObject({
      ...{ web_search_call_count: 1, web_search_price: 0.01, image_tool_tokens: 900 },
      ...{ cache_creation_tokens: 4000, cache_creation_tokens_12h: 3000 },
    })
  },
)

test('a search that the vendor doesn’t charge costs nothing', async () => {
  const tool_usage = { web_search: { num_requests: 0 } }
  pair.upstream.script({ body: { ...answer, tool_usage } })
  const told = await pair.send('/v1/responses', { body: { model, input: 'Hi', store: false } })
  const other = JSON.parse(pair.rowsOf(told)[0]?.other ?? '{}')
  expect(other).toMatchObject({ model_ratio: expect.any(Number) })
  expect(other).not.toHaveProperty('web_search_call_count')
})
