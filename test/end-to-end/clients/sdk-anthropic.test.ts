import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../support/gateway/pair.ts'
import { readFixture, recordedStreams } from '../../support/recordings/fixtures.ts'
import { errorStatuses, statusSeen } from '../convert/error-statuses.ts'

let pair: Pair
let client: Anthropic

const model = 'messages-model'
const messages = [{ role: 'user' as const, content: 'Hello' }]
const plain = { model, messages, max_tokens: 100 }
const fixture = (name: string) => JSON.parse(String(readFixture(`anthropic-messages/${name}`)))
const event = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const start = event('message_start', {
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens: 1 },
  },
})
const half = [
  start,
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', {
    index: 0,
    delta: { type: 'text_delta', text: 'Half of the answer' },
  }),
]
const vendorError = (status: number) => ({
  type: 'error',
  error: { type: `type_${status}`, message: `The vendor says ${status}.` },
  request_id: 'req_vendor',
})

beforeAll(async () => {
  pair = await startPair()
  client = new Anthropic({ apiKey: pair.gateway.key, baseURL: pair.gateway.url, maxRetries: 0 })
})
afterAll(() => pair.close())

async function read(stream: AsyncIterable<unknown>, into: unknown[] = []) {
  for await (const one of stream) into.push(one)
  return into
}

describe('a whole answer', () => {
  test.each([
    ['parallel-tools-turn1', 'tool calls'],
    ['parallel-tools-turn2', 'all tool results in one message'],
    ['thinking-tool-turn1', 'thinking and a tool call'],
    ['thinking-tool-turn2', 'the thinking block goes back unchanged'],
    ['cache-read', 'a prompt cache that was hit'],
    ['mid-conversation-system', 'a system message in the middle'],
  ])('%s: %s', async (name) => {
    const request = fixture(`${name}.request.json`)
    const response = fixture(`${name}.response.json`)
    pair.upstream.script({ body: response, headers: { 'request-id': 'req_vendor' } })
    const row = await pair.rowAfter(async () => {
      const { data, request_id } = await client.messages
        .create({ ...request, model, stream: false })
        .withResponse()
      expect(data).toMatchObject(response)
      expect(request_id).toBe('req_vendor')
    })
    expect(pair.upstream.last().json()).toEqual({ ...request, model, stream: false })
    const { usage } = response
    expect(row).toMatchObject({
      status: 200,
      promptTokens:
        usage.input_tokens +
        (usage.cache_read_input_tokens ?? 0) +
        (usage.cache_creation_input_tokens ?? 0),
      completionTokens: usage.output_tokens,
    })
  })

  test('the vendor gets its own key and the client’s beta headers, never the client’s key', async () => {
    pair.upstream.script({ body: fixture('refusal.json') })
    await client.beta.messages.create({ ...plain, betas: ['context-1m-2025-08-07', 'b-2'] })
    const { headers, url } = pair.upstream.last()
    expect(url).toBe('/v1/messages')
    expect(headers).toMatchObject({
      'x-api-key': 'vendor-key',
      'anthropic-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      'anthropic-beta': 'context-1m-2025-08-07,b-2',
    })
    expect(JSON.stringify(headers)).not.toContain(pair.gateway.key)
  })

  test('images and documents of several MB in the request, a long answer back', async () => {
    const data = Buffer.alloc(4_000_000, 9).toString('base64')
    const long = '长 '.repeat(600_000)
    const answer = fixture('tool-no-args.json')
    answer.content = [{ type: 'text', text: long }]
    pair.upstream.script({ body: answer })
    const message = await client.messages.create({
      ...plain,
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
        },
      ],
    })
    expect(message.content[0]).toEqual({ type: 'text', text: long })
    expect(pair.upstream.last().body.includes(data)).toBe(true)
  })
})

describe('a stream', () => {
  test.each(recordedStreams.filter((stream) => stream.format === 'messages'))(
    '$name reads the same as at the vendor',
    async ({ bytes }) => {
      const direct = new Anthropic({ apiKey: 'x', baseURL: pair.upstream.url, maxRetries: 0 })
      pair.upstream.script({ chunks: [bytes] }, { chunks: [bytes], cutSeed: 2 })
      const expected = await read(await direct.messages.create({ ...plain, stream: true }))
      expect(await read(await client.messages.create({ ...plain, stream: true }))).toEqual(expected)
      expect(expected.length).toBeGreaterThan(2)
    },
  )

  test('thinking comes with its signature through the stream helper', async () => {
    pair.upstream.script({
      chunks: [readFixture('anthropic-messages/thinking-stream.response.sse')],
    })
    const { stream: _, ...request } = fixture('thinking-stream.request.json')
    const message = await client.messages.stream({ ...request, model }).finalMessage()
    const [thinking, text] = message.content
    expect(thinking?.type === 'thinking' && thinking.signature.length).toBeGreaterThan(100)
    expect(text?.type === 'text' && text.text).toContain('crosswalk')
  })
})

describe('an error', () => {
  test.each(errorStatuses)('%i: the right class and the vendor’s sentence', async (status) => {
    pair.upstream.script({ status, body: vendorError(status) })
    let thrown: unknown
    const row = await pair.rowAfter(async () => {
      thrown = await client.messages.create(plain).catch((error) => error)
    })
    const seen = statusSeen(status)
    expect(thrown).toBeInstanceOf(Anthropic.APIError)
    const error = thrown as InstanceType<typeof Anthropic.APIError>
    expect(error.status).toBe(seen)
    expect(error.constructor.name).toBe(
      Anthropic.APIError.generate(seen, vendorError(seen), undefined, new Headers()).constructor
        .name,
    )
    expect(error.message).toContain(`The vendor says ${status}.`)
    if (seen === status) expect(error.error).toEqual(vendorError(status))
    expect(row).toMatchObject({ status: seen, type: 5, quota: 0 })
  })

  test('as a stream’s first event is a real status', async () => {
    const overloaded = { error: { type: 'overloaded_error', message: 'Overloaded' } }
    pair.upstream.script({ chunks: [event('error', overloaded)] })
    const error = await client.messages.create({ ...plain, stream: true }).catch((one) => one)
    expect(error).toBeInstanceOf(Anthropic.InternalServerError)
    expect(error.status).toBe(529)
    expect(error.message).toContain('Overloaded')
    expect(error.error.error.type).toBe('overloaded_error')
  })

  test('in the middle of a stream throws with the vendor’s sentence', async () => {
    pair.upstream.script({ chunks: [...half, event('error', vendorError(529))], pause: 50 })
    const row = await pair.rowAfter(async () => {
      const stream = await client.messages.create({ ...plain, stream: true })
      await expect(read(stream)).rejects.toThrow('The vendor says 529.')
    })
    expect(row).toMatchObject({ content: 'The vendor says 529.', promptTokens: 12 })
  })

  test.each(['cut', undefined] as const)(
    'a stream without its last event throws instead of ending well (%s)',
    async (ending) => {
      pair.upstream.script({ chunks: half, ...(ending && { ending }) })
      const row = await pair.rowAfter(async () => {
        const stream = await client.messages.create({ ...plain, stream: true })
        await expect(read(stream)).rejects.toBeInstanceOf(Anthropic.APIError)
      })
      expect(row.promptTokens).toBe(12)
      expect(row.completionTokens).toBeGreaterThan(1)
    },
  )
})

describe('the SDK’s own retries', () => {
  test('obey x-should-retry: the vendor’s, and the gateway’s on what is hopeless', async () => {
    const retrying = client.withOptions({ maxRetries: 2 })
    const before = pair.upstream.requests.length
    pair.upstream.script({
      status: 529,
      headers: { 'x-should-retry': 'false' },
      body: vendorError(529),
    })
    await expect(retrying.messages.create(plain)).rejects.toThrow('The vendor says 529.')
    expect(pair.upstream.requests.length - before).toBe(1)

    pair.upstream.script(
      {
        status: 400,
        headers: { 'x-should-retry': 'true', 'retry-after-ms': '1' },
        body: vendorError(400),
      },
      { body: fixture('refusal.json') },
    )
    expect((await retrying.messages.create(plain)).stop_reason).toBe('refusal')

    const rows = pair.gateway.rows().length
    await expect(retrying.messages.create({ ...plain, model: 'unknown' })).rejects.toBeInstanceOf(
      Anthropic.NotFoundError,
    )
    expect(pair.gateway.rows().length - rows).toBe(1)
  })
})

describe('a client that leaves', () => {
  test('in the middle of a stream ends the vendor’s call and pays what it got', async () => {
    pair.upstream.script({ chunks: half, ending: 'hang' })
    const row = await pair.rowAfter(async () => {
      const stream = await client.messages.create({ ...plain, stream: true })
      for await (const one of stream) {
        if (one.type === 'content_block_delta') stream.controller.abort()
      }
      expect(await pair.upstream.last().ended).toBe('gone')
    })
    expect(row).toMatchObject({ status: 499, type: 2, isStream: true, promptTokens: 12 })
    expect(row.completionTokens).toBeGreaterThan(2)
    expect(JSON.parse(row.other)).toMatchObject({ cancelled: true, estimated: true })
  })

  test('before the first byte ends the vendor’s call', async () => {
    const before = pair.upstream.requests.length
    pair.upstream.script({ ending: 'hang-before-headers' })
    const row = await pair.rowAfter(async () => {
      const leaving = new AbortController()
      const call = client.messages.create(plain, { signal: leaving.signal })
      while (pair.upstream.requests.length === before) await new Promise((go) => setTimeout(go, 5))
      leaving.abort()
      await expect(call).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
      expect(await pair.upstream.last().ended).toBe('gone')
    })
    expect(row.status).toBe(499)
  })
})

test('tokens are counted by the vendor and cost nothing', async () => {
  const request = fixture('count-tokens.request.json')
  pair.upstream.script({ body: fixture('count-tokens.response.json') })
  const row = await pair.rowAfter(async () => {
    const count = await client.messages.countTokens({ ...request, model })
    expect(count).toMatchObject(fixture('count-tokens.response.json'))
  })
  expect(pair.upstream.last().url).toBe('/v1/messages/count_tokens')
  expect(pair.upstream.last().json()).toEqual({ ...request, model })
  expect(row).toMatchObject({ quota: 0, promptTokens: 0, completionTokens: 0 })
})

test('models are listed and found by their names', async () => {
  const page = await client.models.list({ limit: 1000 })
  expect(page.data.map((one) => one.id)).toEqual(['chat-model', 'gemini-model', 'messages-model'])
  expect(page.hasNextPage()).toBe(false)
  expect(await client.models.retrieve(model)).toMatchObject({ id: model, type: 'model' })
  await expect(client.models.retrieve('nothing')).rejects.toBeInstanceOf(Anthropic.NotFoundError)
})
