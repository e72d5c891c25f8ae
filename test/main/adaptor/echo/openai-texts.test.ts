import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { collect } from '../../../support/clients/collect.ts'
import { serveEcho } from './echo-server.ts'
import { hello } from './weather.ts'

const url = await serveEcho()
const openai = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

describe('legacy completions', () => {
  test('text with its usage, cut at the endpoint’s 16 tokens where nothing is said', async () => {
    const answer = await openai.completions.create({ model: 'echo', prompt: hello })
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      model: 'echo',
      choices: [{ index: 0, text: `Echo: ${hello}`, finish_reason: 'stop', logprobs: null }],
    })
    const { prompt_tokens: input = 0, completion_tokens: output = 0 } = answer.usage ?? {}
    expect(answer.usage?.total_tokens).toBe(input + output)
    expect(output).toBeGreaterThan(5)
    const long = await openai.completions.create({ model: 'echo', prompt: 'word '.repeat(60) })
    expect(long.choices[0]?.finish_reason).toBe('length')
    expect(long.usage?.completion_tokens).toBeLessThanOrEqual(16)
  })

  test('streamed, its usage only for who asks', async () => {
    const request = { model: 'echo', prompt: hello, stream: true } as const
    const options = { stream_options: { include_usage: true } }
    const chunks = await collect(await openai.completions.create({ ...request, ...options }))
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(`Echo: ${hello}`)
    expect(chunks.filter(({ choices }) => choices[0]?.text).length).toBeGreaterThan(3)
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 9 } })
    const unasked = await collect(await openai.completions.create(request))
    expect(unasked.every((chunk) => !('usage' in chunk))).toBe(true)
  })

  test('several prompts, several answers each, numbered one after the other', async () => {
    const answer = await openai.completions.create({
      model: 'echo',
      prompt: ['one', 'two'],
      n: 2,
      echo: true,
    })
    expect(answer.choices.map(({ index, text }) => [index, text])).toEqual([
      [0, 'oneEcho: one'],
      [1, 'oneEcho: one'],
      [2, 'twoEcho: two'],
      [3, 'twoEcho: two'],
    ])
    const tokens = await openai.completions.create({ model: 'echo', prompt: [5, 6, 7] })
    expect(tokens.choices[0]?.text).toBe('Echo: (3 tokens)')
    expect(tokens.usage?.prompt_tokens).toBe(3)
  })
})

test('a compaction keeps the user’s words and seals the rest', async () => {
  const answer = await openai.responses.compact({
    model: 'echo',
    input: [
      { role: 'user', content: hello },
      { role: 'assistant', content: 'Hi yourself' },
      { role: 'user', content: [{ type: 'input_text', text: 'Bye' }] },
    ],
  })
  expect(answer.object).toBe('response.compaction')
  expect(answer.output.map(({ type }) => type)).toEqual(['message', 'message', 'compaction'])
  expect(answer.output[0]).toMatchObject({ role: 'user', content: [{ text: hello }] })
  const last = answer.output.at(-1)
  const sealed = last?.type === 'compaction' ? last.encrypted_content : ''
  expect(Buffer.from(sealed, 'base64').toString()).toContain('Hi yourself')
  const { input_tokens: input, output_tokens: output, total_tokens: total } = answer.usage
  expect(total).toBe(input + output)
  expect(input).toBeGreaterThan(10)
})

describe('embeddings', () => {
  const model = 'echo'
  const vectors = async (input: OpenAI.EmbeddingCreateParams['input'], more = {}) =>
    (await openai.embeddings.create({ model, input, ...more })).data.map((one) => one.embedding)
  const product = (one: readonly number[] = [], other: readonly number[] = []) =>
    one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)

  test('are the same in base64, which the SDK asks for unasked, and as numbers', async () => {
    const [packed] = await vectors(hello)
    const [plain] = await vectors(hello, { encoding_format: 'float' })
    expect(packed).toHaveLength(256)
    expect([...(packed ?? [])]).toEqual(plain)
    expect(product(plain, plain)).toBeCloseTo(1, 5)
  })

  test('are as long as asked, and numbered in the order of the texts', async () => {
    const answer = await openai.embeddings.create({
      model,
      input: ['one', 'two', 'one'],
      dimensions: 12,
      encoding_format: 'float',
    })
    expect(answer.data.map(({ index }) => index)).toEqual([0, 1, 2])
    expect(answer.data[0]?.embedding).toHaveLength(12)
    expect(answer.data[0]?.embedding).toEqual(answer.data[2]?.embedding)
    expect(answer.data[0]?.embedding).not.toEqual(answer.data[1]?.embedding)
    expect(answer.usage).toEqual({ prompt_tokens: 3, total_tokens: 3 })
  })

  test('of texts that share words lie closer together', async () => {
    const [query, near, far] = await vectors([
      'where is the red fox',
      'the red fox is in the garden',
      'a list of prime numbers',
    ])
    expect(product(query, near)).toBeGreaterThan(product(query, far) + 0.3)
  })

  test('are made of tokens too', async () => {
    expect(await vectors([1, 2, 3])).toHaveLength(1)
    const [one, other] = await vectors([
      [1, 2, 3],
      [4, 5],
    ])
    expect(one).not.toEqual(other)
  })
})
