import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFixture } from '../../support/recordings/fixtures.ts'
import { type OtherStage, startOtherStage } from '../../support/stages/other-stage.ts'
import { vectorOf } from '../../support/strict/other/check-embeddings.ts'

let stage: OtherStage

beforeAll(async () => {
  stage = await startOtherStage()
})
afterAll(() => stage.close())

const input = ['the first text', 'another one']

const vendors = [
  ['openai', 'text-embedding-3-small', 'embeddings'],
  ['google', 'gemini-embedding-001', 'batch-embed-contents'],
  ['cohere', 'embed-v4.0', 'cohere-embed'],
  ['jina', 'jina-embeddings-v3', 'jina-embed'],
  ['ollama', 'nomic-embed-text', 'ollama-embed'],
] as const

describe.each(vendors)('embeddings of %s for the OpenAI client', (vendor, model, format) => {
  // A list where base64 was asked for reads as a quarter of the numbers, and none of them right.
  test.each(['base64', 'float', undefined] as const)(
    'in %s come as its numbers',
    async (wanted) => {
      const row = await stage.booked(async () => {
        const answer = await stage.client.embeddings.create({
          model,
          input,
          ...(wanted && { encoding_format: wanted }),
        })
        const expected = input.map((text) => vectorOf(text))
        // The SDK decodes what it asked for itself, and leaves a wish for base64 to the caller.
        const vectors = answer.data.map(({ embedding }) =>
          typeof embedding === 'string'
            ? [...new Float32Array(Uint8Array.from(Buffer.from(embedding, 'base64')).buffer)]
            : embedding,
        )
        expect(vectors).toEqual(expected)
        expect(answer.data.map(({ index }) => index)).toEqual([0, 1])
        expect(answer.model).toBe(model)
        expect(answer.usage).toMatchObject({ total_tokens: 5 })
      })
      expect(row).toMatchObject({ status: 200, model, promptTokens: 5, completionTokens: 0 })
      expect(row.other).toMatchObject({ request_path: '/v1/embeddings', wire_format: 'embeddings' })
      expect(row.other.upstream_format).toBe(format === 'embeddings' ? undefined : format)
      expect(stage.upstreams[vendor].refusals).toEqual([])
    },
  )

  test('under another name of the model reach the vendor under its own', async () => {
    stage.addChannel(vendor, {
      models: [`my-${vendor}`],
      modelMapping: { [`my-${vendor}`]: model },
    })
    const row = await stage.booked(async () => {
      const answer = await stage.client.embeddings.create({ model: `my-${vendor}`, input: 'one' })
      expect(answer.model).toBe(`my-${vendor}`)
    })
    const asked = stage.upstreams[vendor].last()
    expect(`${asked.url} ${asked.body}`).toContain(model)
    expect(`${asked.url} ${asked.body}`).not.toContain(`my-${vendor}`)
    expect(row.other).toMatchObject({ is_model_mapped: true, upstream_model_name: model })
  })
})

describe('a batch', () => {
  test.each([
    ['google', 'gemini-embedding-001', 3],
    ['cohere', 'embed-v4.0', 3],
    ['jina', 'jina-embeddings-v3', 1],
  ] as const)(
    'of 250 texts for %s keeps its order, however many calls it takes',
    async (vendor, model, calls) => {
      const texts = Array.from({ length: 250 }, (_, at) => `text number ${at}`)
      const before = stage.upstreams[vendor].requests.length
      const row = await stage.booked(async () => {
        const { data } = await stage.client.embeddings.create({ model, input: texts })
        expect(data.map(({ embedding }) => embedding)).toEqual(texts.map((text) => vectorOf(text)))
        expect(data.map(({ index }) => index)).toEqual(texts.map((_, at) => at))
      })
      expect(stage.upstreams[vendor].requests.length - before).toBe(calls)
      // Three words a text: the parts are added up in the one row.
      expect(row).toMatchObject({ promptTokens: 750 })
    },
  )

  test('one part of which the vendor refuses is refused whole, in the vendor’s words, and booked once', async () => {
    const texts = Array.from({ length: 250 }, (_, at) => `text number ${at}`)
    const refusal = {
      error: { code: 429, message: 'Quota of the day.', status: 'RESOURCE_EXHAUSTED' },
    }
    stage.upstreams.google.script({ status: 429, body: refusal })
    stage.gateway.set({ RetryTimes: 0 })
    const row = await stage.booked(() =>
      expect(
        stage.client.embeddings.create({ model: 'gemini-embedding-001', input: texts }),
      ).rejects.toMatchObject({
        status: 429,
        message: expect.stringContaining('Quota of the day.'),
      }),
    )
    expect(row).toMatchObject({ status: 429, promptTokens: 0 })
  })
})

test('a client that leaves ends every part of its batch at the vendor, booked once', async () => {
  const { google } = stage.upstreams
  const before = google.requests.length
  const hang = { ending: 'hang-before-headers' } as const
  google.script(hang, hang, hang)
  const row = await stage.booked(async () => {
    const leaving = new AbortController()
    const input = Array.from({ length: 250 }, (_, at) => `text number ${at}`)
    const running = stage.client.embeddings.create(
      { model: 'gemini-embedding-001', input },
      { signal: leaving.signal },
    )
    const failed = expect(running).rejects.toThrow('aborted')
    while (google.requests.length < before + 3) await sleep(5)
    leaving.abort()
    await failed
    const ends = google.requests.slice(before).map(({ ended }) => ended)
    expect(await Promise.all(ends)).toEqual(['gone', 'gone', 'gone'])
  })
  expect(row).toMatchObject({ status: 499, quota: 0 })
})

describe('tokens instead of texts', () => {
  test.each([[[1, 2, 3]], [[[1, 2], [3]]]])('%j pass to OpenAI as they are', async (tokens) => {
    const answer = await stage.client.embeddings.create({
      model: 'text-embedding-3-small',
      input: tokens as number[],
    })
    expect(answer.data.length).toBe(Array.isArray(tokens[0]) ? 2 : 1)
    expect(stage.upstreams.openai.last().json()).toMatchObject({ input: tokens })
  })

  test.each(vendors.slice(1))(
    'are refused by name for %s, which is not asked',
    async (vendor, model) => {
      const before = stage.upstreams[vendor].requests.length
      const row = await stage.booked(() =>
        expect(stage.client.embeddings.create({ model, input: [1, 2, 3] })).rejects.toMatchObject({
          status: 400,
          param: 'input',
          message: expect.stringContaining('token arrays'),
        }),
      )
      expect(stage.upstreams[vendor].requests.length).toBe(before)
      expect(row).toMatchObject({ status: 400, quota: 0 })
    },
  )
})

describe('a length of vectors', () => {
  test.each([
    ['openai', 'text-embedding-3-small', 256],
    ['google', 'gemini-embedding-001', 768],
    ['cohere', 'embed-v4.0', 512],
    ['jina', 'jina-embeddings-v3', 128],
    ['ollama', 'nomic-embed-text', 64],
  ] as const)('that %s can give is given', async (_, model, dimensions) => {
    const { data } = await stage.client.embeddings.create({ model, input: 'one', dimensions })
    expect(data[0]?.embedding).toEqual(vectorOf('one', dimensions))
  })

  test('that the vendor cannot give is refused by name', async () => {
    await stage.booked(() =>
      expect(
        stage.client.embeddings.create({
          model: 'embed-english-v3.0',
          input: 'one',
          dimensions: 77,
        }),
      ).rejects.toMatchObject({
        status: 400,
        param: 'dimensions',
        message: expect.stringContaining('1024'),
      }),
    )
    // The vendor's own refusal, where only it knows.
    await expect(
      stage.client.embeddings.create({ model: 'embed-v4.0', input: 'one', dimensions: 77 }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('256, 512') })
  })

  test('below Gemini’s own is given with a warning, in the answer’s head and the log', async () => {
    const row = await stage.booked(async () => {
      const { response } = await stage.client.embeddings
        .create({ model: 'gemini-embedding-001', input: 'one', dimensions: 768, user: 'u1' })
        .withResponse()
      expect(response.headers.get('x-switchyard-loss')).toMatch(/dimensions.*user|user.*dimensions/)
    })
    expect(row.other.loss).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'dimensions' }),
        expect.objectContaining({ path: 'user' }),
      ]),
    )
  })
})

test.each([
  ['base64.response.json', 'base64', 1536],
  ['float.json', 'float', 5],
] as const)(
  'the recorded answer %s reads as all of its numbers in either encoding',
  async (name, has, count) => {
    const recorded = readFixture(`openai-embeddings/${name}`)
    for (const wanted of ['base64', 'float', undefined] as const) {
      stage.upstreams.openai.script({
        body: recorded,
        headers: { 'content-type': 'application/json' },
      })
      const request = { model: 'text-embedding-3-small', input: 'Lorem ipsum' }
      const raw = await stage.client.embeddings
        .create({ ...request, ...(wanted && { encoding_format: wanted }) })
        .asResponse()
      const body = Buffer.from(await raw.arrayBuffer())
      // An answer in the wanted encoding goes through byte for byte.
      if (has === (wanted ?? 'base64')) expect(body.equals(recorded)).toBe(true)
      const { data } = JSON.parse(String(body))
      const { embedding } = data[0]
      expect(typeof embedding).toBe(wanted === 'float' ? 'object' : 'string')
      const numbers =
        wanted === 'float' ? embedding.length : Buffer.from(embedding, 'base64').length / 4
      expect(numbers).toBe(count)
    }
  },
)
