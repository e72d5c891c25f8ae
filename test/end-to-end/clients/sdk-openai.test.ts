import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../support/gateway/pair.ts'
import { readFixture, recordedStreams } from '../../support/recordings/fixtures.ts'
import { errorStatuses, statusSeen } from '../convert/error-statuses.ts'

let pair: Pair
let client: OpenAI

const model = 'chat-model'
const messages = [{ role: 'user' as const, content: 'Hello' }]
const fixture = (name: string) => JSON.parse(String(readFixture(`openai-chat/${name}`)))
const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model,
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  })}\n\n`
const vendorError = (status: number) => ({
  error: {
    message: `The vendor says ${status}.`,
    type: 'some_type',
    param: 'p',
    code: `c${status}`,
  },
})

beforeAll(async () => {
  pair = await startPair()
  client = new OpenAI({
    apiKey: pair.gateway.key,
    baseURL: `${pair.gateway.url}/v1`,
    maxRetries: 0,
  })
})
afterAll(() => pair.close())

async function read(stream: AsyncIterable<OpenAI.ChatCompletionChunk>, into: unknown[] = []) {
  for await (const one of stream) into.push(one)
  return into as OpenAI.ChatCompletionChunk[]
}

describe('a whole answer', () => {
  test('comes as the vendor wrote it, with its usage and request id', async () => {
    pair.upstream.script({ body: fixture('text.json'), headers: { 'x-request-id': 'req_vendor' } })
    const row = await pair.rowAfter(async () => {
      const { data, request_id } = await client.chat.completions
        .create({ model, messages })
        .withResponse()
      expect(data).toMatchObject(fixture('text.json'))
      expect(request_id).toBe('req_vendor')
    })
    expect(pair.upstream.last().headers.authorization).toBe('Bearer vendor-key')
    expect(row).toMatchObject({ status: 200, promptTokens: 16, completionTokens: 363 })
  })

  test.each([
    ['image-after-tool-turn2', 'an image and a tool result in the request'],
    ['native-json-schema', 'a JSON schema'],
  ])('%s: %s', async (name) => {
    const request = fixture(`${name}.request.json`)
    pair.upstream.script({ body: fixture(`${name}.response.json`) })
    const completion = await client.chat.completions.create({ ...request, model })
    expect(completion).toMatchObject(fixture(`${name}.response.json`))
    expect(pair.upstream.last().json()).toEqual({ ...request, model })
  })

  test('a request and an answer of several MB arrive whole', async () => {
    const image = `data:image/png;base64,${Buffer.alloc(4_000_000, 7).toString('base64')}`
    const long = 'größer '.repeat(400_000)
    const answer = fixture('text.json')
    answer.choices[0].message.content = long
    pair.upstream.script({ body: answer })
    const completion = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] }],
    })
    expect(completion.choices[0]?.message.content === long).toBe(true)
    expect(pair.upstream.last().body.length).toBeGreaterThan(5_000_000)
    expect(pair.upstream.last().body.includes(image)).toBe(true)
  })
})

describe('a stream', () => {
  test.each(recordedStreams.filter((stream) => stream.format === 'chat'))(
    '$name reads the same as at the vendor',
    async ({ bytes }) => {
      const body = {
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
      } as const
      const direct = new OpenAI({ apiKey: 'x', baseURL: `${pair.upstream.url}/v1`, maxRetries: 0 })
      pair.upstream.script({ chunks: [bytes] }, { chunks: [bytes], cutSeed: 1 })
      const expected = await read(await direct.chat.completions.create(body))
      expect(await read(await client.chat.completions.create(body))).toEqual(expected)
      expect(expected.length).toBeGreaterThan(2)
    },
  )

  test('tool calls come together through the stream helper, turn after turn', async () => {
    for (const turn of ['turn1', 'turn2']) {
      pair.upstream.script({
        chunks: [readFixture(`openai-chat/tool-call-stream-${turn}.response.sse`)],
      })
      const request = fixture(`tool-call-stream-${turn}.request.json`)
      const { stream: _, ...body } = { ...request, model }
      const final = await client.chat.completions.stream(body).finalChatCompletion()
      const [choice] = final.choices
      if (turn === 'turn1') {
        expect(choice?.finish_reason).toBe('tool_calls')
        expect(choice?.message.tool_calls?.[0]).toMatchObject({
          function: { name: 'get_capital', arguments: '{"country":"UK"}' },
        })
      } else expect(choice?.message.content).toContain('London')
      expect(final.usage?.total_tokens).toBeGreaterThan(0)
    }
  })
})

describe('an error', () => {
  test.each(errorStatuses)('%i: the right class and the vendor’s sentence', async (status) => {
    pair.upstream.script({ status, body: vendorError(status) })
    let thrown: unknown
    const row = await pair.rowAfter(async () => {
      thrown = await client.chat.completions.create({ model, messages }).catch((error) => error)
    })
    const seen = statusSeen(status)
    expect(thrown).toBeInstanceOf(OpenAI.APIError)
    const error = thrown as InstanceType<typeof OpenAI.APIError>
    expect(error.status).toBe(seen)
    expect(error.message).toContain(`The vendor says ${status}.`)
    expect(error.constructor.name).toBe(
      OpenAI.APIError.generate(seen, vendorError(seen), undefined, new Headers()).constructor.name,
    )
    if (seen === status)
      expect(error).toMatchObject({ code: `c${status}`, param: 'p', type: 'some_type' })
    expect(row).toMatchObject({ status: seen, type: 5, quota: 0 })
    expect(row.content).toContain(`The vendor says ${status}.`)
  })

  test('as a stream’s first event is a real status', async () => {
    pair.upstream.script({
      chunks: [
        `data: ${JSON.stringify({ error: { message: 'Too many.', type: 'rate_limit_error' } })}\n\n`,
      ],
    })
    const error = await client.chat.completions
      .create({ model, messages, stream: true })
      .catch((one) => one)
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(error.message).toContain('Too many.')
  })

  test('in the middle of a stream throws with the vendor’s sentence', async () => {
    pair.upstream.script({
      chunks: [chunk('Hel'), `data: ${JSON.stringify(vendorError(500))}\n\n`],
      pause: 100,
    })
    const seen: OpenAI.ChatCompletionChunk[] = []
    const row = await pair.rowAfter(async () => {
      const stream = await client.chat.completions.create({ model, messages, stream: true })
      await expect(read(stream, seen)).rejects.toThrow('The vendor says 500.')
    })
    expect(seen).toHaveLength(1)
    expect(row.content).toBe('The vendor says 500.')
  })

  test('a stream that the vendor cuts throws instead of ending well', async () => {
    pair.upstream.script({ chunks: [chunk('Hel')], ending: 'cut' })
    const row = await pair.rowAfter(async () => {
      const stream = await client.chat.completions.create({ model, messages, stream: true })
      await expect(read(stream)).rejects.toBeInstanceOf(OpenAI.APIError)
    })
    expect(JSON.parse(row.other)).toMatchObject({ estimated: true })
    expect(row.completionTokens).toBeGreaterThan(0)
  })
})

describe('the SDK’s own retries', () => {
  const retrying = () => client.withOptions({ maxRetries: 2 })

  test('obey the vendor’s x-should-retry above the status', async () => {
    const before = pair.upstream.requests.length
    pair.upstream.script({
      status: 429,
      headers: { 'x-should-retry': 'false' },
      body: vendorError(429),
    })
    await expect(retrying().chat.completions.create({ model, messages })).rejects.toBeInstanceOf(
      OpenAI.RateLimitError,
    )
    expect(pair.upstream.requests.length - before).toBe(1)
    pair.upstream.script(
      {
        status: 400,
        headers: { 'x-should-retry': 'true', 'retry-after-ms': '1' },
        body: vendorError(400),
      },
      { body: fixture('text.json') },
    )
    expect((await retrying().chat.completions.create({ model, messages })).object).toBe(
      'chat.completion',
    )
    expect(pair.upstream.requests.length - before).toBe(3)
  })

  test('leave alone what the gateway knows to be hopeless', async () => {
    const rows = pair.gateway.rows().length
    await expect(
      retrying().chat.completions.create({ model: 'unknown', messages }),
    ).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    expect(pair.gateway.rows().length - rows).toBe(1)
  })
})

describe('a client that leaves', () => {
  test('in the middle of a stream ends the vendor’s call and pays what it got', async () => {
    pair.upstream.script({ chunks: [chunk('Half of the answer')], ending: 'hang' })
    const row = await pair.rowAfter(async () => {
      const stream = await client.chat.completions.create({ model, messages, stream: true })
      for await (const _ of stream) stream.controller.abort()
      expect(await pair.upstream.last().ended).toBe('gone')
    })
    expect(row).toMatchObject({ status: 499, type: 2, isStream: true })
    expect(row.completionTokens).toBeGreaterThan(2)
    expect(row.promptTokens).toBeGreaterThan(0)
    expect(JSON.parse(row.other)).toMatchObject({ cancelled: true, estimated: true })
  })

  test.each([false, true])(
    'before the first byte ends the vendor’s call (stream: %s)',
    async (stream) => {
      const before = pair.upstream.requests.length
      pair.upstream.script({ ending: 'hang-before-headers' })
      const row = await pair.rowAfter(async () => {
        const leaving = new AbortController()
        const call = client.chat.completions.create(
          { model, messages, stream },
          { signal: leaving.signal },
        )
        while (pair.upstream.requests.length === before)
          await new Promise((go) => setTimeout(go, 5))
        leaving.abort()
        await expect(call).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
        expect(await pair.upstream.last().ended).toBe('gone')
      })
      expect(row).toMatchObject({ status: 499, promptTokens: 0, completionTokens: 0 })
    },
  )
})

test('models are listed and found by their names', async () => {
  const page = await client.models.list()
  expect(page.data.map((one) => one.id)).toEqual(['chat-model', 'gemini-model', 'messages-model'])
  expect(await client.models.retrieve(model)).toMatchObject({ id: model, object: 'model' })
  await expect(client.models.retrieve('nothing/here')).rejects.toBeInstanceOf(OpenAI.NotFoundError)
})
