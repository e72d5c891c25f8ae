import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vendorClients } from '../../support/clients/vendor-clients.ts'
import { modelOf, type Pair, startPair } from '../../support/gateway/pair.ts'
import { errorStatuses, statusSeen } from '../convert/error-statuses.ts'

let pair: Pair
let openai: OpenAI

const model = modelOf.responses
const settings = { endpoint_types: ['openai-response'] }
const input: OpenAI.Responses.ResponseInputItem[] = [
  { role: 'user', content: 'Größe zählt.' },
  { role: 'assistant', content: 'Yes.' },
  { role: 'user', content: 'And now?' },
]

beforeAll(async () => {
  pair = await startPair()
  pair.addChannelOf('responses', { settings })
  openai = vendorClients(pair.gateway).openai
})
afterAll(() => pair.close())

const compacted = {
  id: 'resp_1',
  object: 'response.compaction',
  created_at: 1_790_000_000,
  output: [
    { id: 'msg_1', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
    { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAAABpM0Yj' },
  ],
  usage: {
    input_tokens: 139,
    input_tokens_details: { cached_tokens: 100 },
    output_tokens: 438,
    output_tokens_details: { reasoning_tokens: 64 },
    total_tokens: 577,
  },
}

describe('POST /v1/responses/compact at a Responses upstream', () => {
  test('goes there and back as it is', async () => {
    pair.upstream.script({ body: compacted })
    const body = `{ "model":"${model}",  "input":[{"role":"user","content":"Hi"}],"x_new":1.0 }`
    const answer = await pair.send('/v1/responses/compact', { body })
    expect(answer.json()).toEqual(compacted)
    expect(pair.upstream.last().url).toBe('/v1/responses/compact')
    expect(pair.upstream.last().body.toString()).toBe(body)
    expect(pair.upstream.last().headers.authorization).toBe('Bearer vendor-key')
  })

  test('gives the SDK its items, and the row what it used', async () => {
    pair.upstream.script({ body: compacted })
    const row = await pair.rowAfter(async () => {
      const answer = await openai.responses.compact({ model, input, instructions: 'Be brief.' })
      expect(answer.output[1]).toEqual(compacted.output[1])
      expect(answer.usage.total_tokens).toBe(577)
    })
    expect(pair.upstream.last().json()).toEqual({ model, input, instructions: 'Be brief.' })
    expect(row).toMatchObject({
      status: 200,
      type: 2,
      promptTokens: 139,
      completionTokens: 438,
      isStream: false,
    })
    expect(JSON.parse(row.other)).toMatchObject({
      wire_format: 'compact',
      request_path: '/v1/responses/compact',
      cache_tokens: 100,
      reasoning_tokens: 64,
    })
  })

  test('under another name of the model', async () => {
    pair.addChannelOf('responses', {
      settings,
      models: ['my-model'],
      modelMapping: { 'my-model': model },
    })
    pair.upstream.script({ body: compacted })
    await openai.responses.compact({ model: 'my-model', input })
    expect(pair.upstream.last().json()).toEqual({ model, input })
  })

  test.each(errorStatuses)('refused with %i, in the vendor’s words', async (status) => {
    const message = `The vendor says ${status}.`
    pair.upstream.script({
      status,
      body: { error: { message, type: 'x', param: null, code: 'y' } },
    })
    let thrown: unknown
    const row = await pair.rowAfter(async () => {
      thrown = await openai.responses.compact({ model, input }).catch((error: unknown) => error)
    })
    expect(thrown).toBeInstanceOf(OpenAI.APIError)
    expect(thrown).toMatchObject({ status: statusSeen(status) })
    expect((thrown as Error).message).toContain(message)
    expect(row).toMatchObject({ status: statusSeen(status), type: 5, quota: 0 })
  })

  test('passes a channel of conversations by, whatever its priority', async () => {
    const shared = { models: ['shared'], priority: 9 }
    pair.addChannelOf('chat', { ...shared, settings: { endpoint_types: ['openai'] } })
    for (const priority of [1, 2]) pair.addChannelOf('responses', { ...shared, priority, settings })
    const asked = pair.upstream.requests.length
    pair.upstream.script({ status: 500, body: { error: { message: 'Broken.' } } })
    pair.upstream.script({ body: compacted })
    const row = await pair.rowAfter(() => openai.responses.compact({ model: 'shared', input }))
    expect(pair.upstream.requests.slice(asked).map(({ url }) => url)).toEqual([
      '/v1/responses/compact',
      '/v1/responses/compact',
    ])
    expect(row).toMatchObject({ status: 200, promptTokens: 139 })
  })

  test('ends with its client', async () => {
    pair.upstream.script({ ending: 'hang-before-headers' })
    const before = pair.upstream.requests.length
    const leaving = new AbortController()
    const row = await pair.rowAfter(async () => {
      const asking = openai.responses.compact({ model, input }, { signal: leaving.signal })
      asking.catch(() => {})
      while (pair.upstream.requests.length === before) await sleep(5)
      leaving.abort()
      await expect(asking).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
      expect(await pair.upstream.last().ended).toBe('gone')
    })
    expect(row).toMatchObject({ status: 499, promptTokens: 0 })
  })

  test('is no stream, and says so', async () => {
    const answer = await pair.send('/v1/responses/compact', {
      body: { model, input, stream: true },
    })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: { param: 'stream' } })
  })

  test('is refused to a token without quota', async () => {
    const { full } = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: 0 })
    const spent = vendorClients({ url: pair.gateway.url, key: full }).openai
    const row = await pair.rowAfter(async () => {
      await expect(spent.responses.compact({ model, input })).rejects.toMatchObject({
        status: 401,
        code: 'insufficient_quota',
      })
    })
    expect(row).toMatchObject({ status: 401, type: 5 })
  })
})

describe('POST /v1/responses/compact at an upstream without it', () => {
  test.each(['chat', 'messages', 'generate-content'] as const)(
    '%s: is not found',
    async (format) => {
      const before = pair.upstream.requests.length
      const row = await pair.rowAfter(async () => {
        const thrown = await openai.responses
          .compact({ model: modelOf[format], input })
          .catch((error: unknown) => error)
        expect(thrown).toBeInstanceOf(OpenAI.NotFoundError)
        expect(thrown).toMatchObject({ param: 'model', type: 'invalid_request_error' })
        expect(
          (thrown as InstanceType<typeof OpenAI.NotFoundError>).headers.get('x-should-retry'),
        ).toBe('false')
        expect((thrown as Error).message).toMatch(/serves .*endpoint type openai-response/)
      })
      expect(row).toMatchObject({ status: 404, type: 5, quota: 0 })
      expect(pair.upstream.requests).toHaveLength(before)
    },
  )
})

describe('POST /v1/responses/input_tokens', () => {
  const count = (named: string, more: OpenAI.Responses.InputTokenCountParams = {}) =>
    openai.responses.inputTokens.count({ model: named, input, ...more })
  const counted = { object: 'response.input_tokens', input_tokens: 42 }

  test('is counted by a Responses upstream, and costs nothing', async () => {
    pair.gateway.set({ ModelRatio: { [model]: 1 } })
    pair.upstream.script({ body: counted })
    const row = await pair.rowAfter(async () => expect(await count(model)).toEqual(counted))
    expect(pair.upstream.last().url).toBe('/v1/responses/input_tokens')
    expect(pair.upstream.last().json()).toEqual({ model, input })
    expect(row).toMatchObject({ status: 200, quota: 0, promptTokens: 0, completionTokens: 0 })
  })

  test('is counted by the vendors that can, in their own way', async () => {
    pair.upstream.script({ body: { input_tokens: 17 } })
    expect((await count(modelOf.messages)).input_tokens).toBe(17)
    expect(pair.upstream.last().url).toBe('/v1/messages/count_tokens')
    pair.upstream.script({ body: { totalTokens: 18 } })
    expect((await count(modelOf['generate-content'])).input_tokens).toBe(18)
    expect(pair.upstream.last().url).toContain(':countTokens')
  })

  test('is estimated where the vendor cannot, without asking it', async () => {
    const before = pair.upstream.requests.length
    const named = modelOf.chat
    const row = await pair.rowAfter(async () => {
      const { object, input_tokens: tokens } = await count(named)
      expect(object).toBe('response.input_tokens')
      expect(tokens).toBeGreaterThan(8)
      expect(tokens).toBeLessThan(80)
    })
    expect(JSON.parse(row.other)).toMatchObject({ estimated: true })
    expect(row).toMatchObject({ status: 200, quota: 0 })
    const { input_tokens: short } = await count(named)
    const longer = await count(named, { instructions: 'word '.repeat(1000) })
    expect(longer.input_tokens - short).toBeGreaterThan(900)
    const parameters = { type: 'object', properties: { path: { type: 'string' } } }
    const tool = { type: 'function', name: 'read_file', parameters, strict: false } as const
    expect((await count(named, { tools: [tool] })).input_tokens).toBeGreaterThan(short)
    expect(pair.upstream.requests).toHaveLength(before)
  })

  test.each([
    ['responses', 404],
    ['responses', 401],
    ['responses', 500],
    ['messages', 404],
    ['messages', 529],
    ['generate-content', 429],
  ] as const)('of %s is estimated where the vendor answers %i', async (format, status) => {
    pair.upstream.script({ status, body: { error: { message: 'No.' } } })
    const row = await pair.rowAfter(async () => {
      expect((await count(modelOf[format])).input_tokens).toBeGreaterThan(8)
    })
    expect(row).toMatchObject({ status: 200, quota: 0 })
    expect(JSON.parse(row.other)).toMatchObject({ estimated: true })
  })

  test('is estimated for Anthropic’s and Google’s own clients as well', async () => {
    const { anthropic, google } = vendorClients(pair.gateway)
    const messages = [{ role: 'user' as const, content: 'Größe zählt.' }]
    pair.upstream.script({ status: 404, body: { error: { message: 'No.' } } })
    const counted = await anthropic.messages.countTokens({ model: modelOf.messages, messages })
    expect(counted.input_tokens).toBeGreaterThan(3)
    pair.upstream.script({ status: 404, body: { error: { message: 'No.' } } })
    const asked = { model: modelOf['generate-content'], contents: 'Größe zählt.' }
    expect((await google.models.countTokens(asked)).totalTokens).toBeGreaterThan(3)
  })

  test('is answered to a token without quota too', async () => {
    const { full } = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: 0 })
    const spent = vendorClients({ url: pair.gateway.url, key: full }).openai
    pair.upstream.script({ body: counted })
    expect(await spent.responses.inputTokens.count({ model, input })).toEqual(counted)
  })

  test('without a model is told that it needs one', async () => {
    await expect(openai.responses.inputTokens.count({ input })).rejects.toMatchObject({
      status: 400,
      param: 'model',
    })
  })
})

describe('a background answer', () => {
  test.each([true, 'true', 1])(
    'isn’t asked for where nobody could fetch it (background: %j)',
    async (background) => {
      const before = pair.upstream.requests.length
      for (const stream of [false, true]) {
        const body = { model, input: 'Hi', background, stream }
        const answer = await pair.send('/v1/responses', { body })
        expect(answer.status).toBe(400)
        expect(answer.json()).toMatchObject({
          error: {
            type: 'invalid_request_error',
            param: 'background',
            message: expect.stringContaining('leave it out, and read the answer as it comes'),
          },
        })
      }
      expect(pair.upstream.requests).toHaveLength(before)
    },
  )

  test.each([false, null])(
    'that isn’t wanted is said as it is (background: %j)',
    async (background) => {
      pair.upstream.script({ body: { id: 'resp_1', object: 'response', model, output: [] } })
      const body = { model, input: 'Hi', background }
      expect((await pair.send('/v1/responses', { body })).status).toBe(200)
      expect(pair.upstream.last().json()).toEqual(body)
    },
  )
})
