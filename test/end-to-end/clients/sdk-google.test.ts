import { ApiError, type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../support/gateway/pair.ts'
import { readFixture, recordedStreams } from '../../support/recordings/fixtures.ts'
import { errorStatuses, statusSeen } from '../convert/error-statuses.ts'

let pair: Pair
let client: GoogleGenAI

const model = 'gemini-model'
const plain = { model, contents: 'Hello' }
const fixture = (name: string) => JSON.parse(String(readFixture(`gemini/${name}`)))
const chunk = (text: string, finishReason?: string) =>
  `data: ${JSON.stringify({
    candidates: [
      { content: { role: 'model', parts: [{ text }] }, ...(finishReason && { finishReason }) },
    ],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 4, totalTokenCount: 11 },
  })}\n\n`
const vendorError = (status: number) => ({
  error: { code: status, message: `The vendor says ${status}.`, status: 'SOME_STATUS' },
})
const at = (baseUrl: string, apiVersion?: string) =>
  new GoogleGenAI({
    apiKey: pair.gateway.key,
    httpOptions: { baseUrl, ...(apiVersion && { apiVersion }) },
  })

beforeAll(async () => {
  pair = await startPair()
  // A failure in one test must not leave the channel in cooldown for the next.
  pair.gateway.set({ ChannelFailureCount: 0 })
  client = at(pair.gateway.url)
})
afterAll(() => pair.close())

async function read(
  stream: AsyncIterable<GenerateContentResponse>,
  into: GenerateContentResponse[] = [],
) {
  for await (const one of stream) into.push(one)
  // The SDK keeps each answer's headers, which differ by host.
  return into.map(({ sdkHttpResponse: _, ...one }) => one)
}

describe('a whole answer', () => {
  test.each([
    ['json-schema', 'a JSON schema'],
    ['empty-on-max-tokens', 'an answer cut at its limit'],
  ])('%s: %s', async (name) => {
    const { contents, generationConfig } = fixture(`${name}.request.json`)
    const response = fixture(`${name}.response.json`)
    pair.upstream.script({ body: response })
    let answer: GenerateContentResponse | undefined
    const row = await pair.rowAfter(async () => {
      answer = await client.models.generateContent({ model, contents, config: generationConfig })
    })
    expect(answer?.candidates).toEqual(response.candidates)
    expect(answer?.usageMetadata).toEqual(response.usageMetadata)
    const {
      promptTokenCount,
      candidatesTokenCount = 0,
      thoughtsTokenCount = 0,
    } = response.usageMetadata
    expect(row).toMatchObject({
      status: 200,
      promptTokens: promptTokenCount,
      completionTokens: candidatesTokenCount + thoughtsTokenCount,
    })
    expect(pair.upstream.last().url).toBe(`/v1beta/models/${model}:generateContent`)
    expect(pair.upstream.last().headers['x-goog-api-key']).toBe('vendor-key')
  })

  test('a tool call with its thought signature', async () => {
    pair.upstream.script({ body: fixture('tool-call-gemini3.json') })
    const tools = [
      { functionDeclarations: [{ name: 'weather', parametersJsonSchema: { type: 'object' } }] },
    ]
    const answer = await client.models.generateContent({ ...plain, config: { tools } })
    expect(answer.functionCalls).toHaveLength(1)
    expect(answer.candidates?.[0]?.content).toEqual(
      fixture('tool-call-gemini3.json').candidates[0].content,
    )
    expect(pair.upstream.last().json()).toMatchObject({ tools })
  })

  test('the version v1 of newer clients is served as well', async () => {
    pair.upstream.script({ body: fixture('json-schema.response.json') })
    const answer = await at(pair.gateway.url, 'v1').models.generateContent(plain)
    expect(answer.candidates).toHaveLength(1)
    pair.upstream.script({ chunks: [chunk('Hi', 'STOP')] })
    const stream = await at(pair.gateway.url, 'v1').models.generateContentStream(plain)
    expect(await read(stream)).toHaveLength(1)
  })

  test('an image of several MB in the request, a long answer back', async () => {
    const data = Buffer.alloc(4_000_000, 5).toString('base64')
    const answer = fixture('json-schema.response.json')
    answer.candidates[0].content.parts = [{ text: 'é '.repeat(900_000) }]
    pair.upstream.script({ body: answer })
    const contents = [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data } }] }]
    const { text } = await client.models.generateContent({ model, contents })
    expect(text === answer.candidates[0].content.parts[0].text).toBe(true)
    expect(pair.upstream.last().body.includes(data)).toBe(true)
  })
})

describe('a stream', () => {
  test.each(recordedStreams.filter((stream) => stream.format === 'generate-content'))(
    '$name reads the same as at the vendor',
    async ({ bytes }) => {
      pair.upstream.script({ chunks: [bytes] }, { chunks: [bytes], cutSeed: 3 })
      const expected = await read(await at(pair.upstream.url).models.generateContentStream(plain))
      expect(await read(await client.models.generateContentStream(plain))).toEqual(expected)
      expect(expected.length).toBeGreaterThan(1)
      expect(pair.upstream.last().url).toBe(`/v1beta/models/${model}:streamGenerateContent?alt=sse`)
    },
  )
})

describe('an error', () => {
  test.each(errorStatuses)('%i: with the vendor’s sentence', async (status) => {
    pair.upstream.script({ status, body: vendorError(status) })
    let thrown: unknown
    const row = await pair.rowAfter(async () => {
      thrown = await client.models.generateContent(plain).catch((error) => error)
    })
    const seen = statusSeen(status)
    expect(thrown).toBeInstanceOf(ApiError)
    const error = thrown as ApiError
    expect(error.status).toBe(seen)
    expect(error.message).toContain(`The vendor says ${status}.`)
    if (seen === status) expect(JSON.parse(error.message)).toEqual(vendorError(status))
    else expect(JSON.parse(error.message).error).toMatchObject({ code: 502, status: 'UNAVAILABLE' })
    expect(row).toMatchObject({ status: seen, type: 5, quota: 0 })
  })

  test('a bad channel key, which Google answers with 400, is not the client’s fault', async () => {
    const bad = {
      error: {
        code: 400,
        message: 'API key not valid.',
        status: 'INVALID_ARGUMENT',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
        ],
      },
    }
    pair.upstream.script({ status: 400, body: bad })
    const error = await client.models.generateContent(plain).catch((one) => one)
    expect(error.status).toBe(502)
    expect(error.message).toContain('API key not valid.')
  })

  test('429 keeps the vendor’s retry delay', async () => {
    pair.upstream.script({ status: 429, body: fixture('error-429-retry-info.json') })
    const error = await client.models.generateContent(plain).catch((one) => one)
    expect(JSON.parse(error.message)).toEqual(fixture('error-429-retry-info.json'))
  })

  test('as a stream’s first event is a real status', async () => {
    pair.upstream.script({ chunks: [`data: ${JSON.stringify(vendorError(503))}\n\n`] })
    const error = await client.models.generateContentStream(plain).catch((one) => one)
    expect(error).toBeInstanceOf(ApiError)
    expect(error.status).toBe(503)
    expect(error.message).toContain('The vendor says 503.')
  })

  test('in the middle of a stream throws with the vendor’s sentence', async () => {
    pair.upstream.script({
      chunks: [chunk('Hel'), `data: ${JSON.stringify(vendorError(500))}\n\n`],
      pause: 100,
    })
    const stream = await client.models.generateContentStream(plain)
    await expect(read(stream)).rejects.toThrow('The vendor says 500.')
  })

  test.each(['cut', undefined] as const)(
    'a stream without a finish reason throws instead of ending well (%s)',
    async (ending) => {
      pair.upstream.script({ chunks: [chunk('Hel')], ...(ending && { ending }) })
      const row = await pair.rowAfter(async () => {
        const stream = await client.models.generateContentStream(plain)
        await expect(read(stream)).rejects.toBeInstanceOf(ApiError)
      })
      expect(row).toMatchObject({ promptTokens: 7, completionTokens: 4 })
    },
  )
})

test('a client that leaves in the middle ends the vendor’s call and pays what it got', async () => {
  pair.upstream.script({ chunks: [chunk('Half of the answer')], ending: 'hang' })
  const row = await pair.rowAfter(async () => {
    const leaving = new AbortController()
    const stream = await client.models.generateContentStream({
      ...plain,
      config: { abortSignal: leaving.signal },
    })
    const reading = (async () => {
      for await (const _ of stream) leaving.abort()
    })()
    await expect(reading).rejects.toThrow()
    expect(await pair.upstream.last().ended).toBe('gone')
  })
  expect(row).toMatchObject({ status: 499, type: 2, isStream: true, promptTokens: 7 })
  expect(row.completionTokens).toBe(4)
  expect(JSON.parse(row.other)).toMatchObject({ cancelled: true })
})

test('tokens are counted by the vendor and cost nothing', async () => {
  pair.upstream.script({ body: fixture('count-tokens.response.json') })
  const row = await pair.rowAfter(async () => {
    const { totalTokens } = await client.models.countTokens(plain)
    expect(totalTokens).toBe(fixture('count-tokens.response.json').totalTokens)
  })
  expect(pair.upstream.last().url).toBe(`/v1beta/models/${model}:countTokens`)
  expect(row).toMatchObject({ quota: 0, promptTokens: 0 })
})

test('models are listed and found by their names', async () => {
  const names: (string | undefined)[] = []
  for await (const one of await client.models.list({ config: { queryBase: true } }))
    names.push(one.name)
  expect(names).toEqual(['models/chat-model', 'models/gemini-model', 'models/messages-model'])
  expect(await client.models.get({ model })).toMatchObject({ name: `models/${model}` })
  await expect(client.models.get({ model: 'nothing' })).rejects.toMatchObject({ status: 404 })
})
