import Anthropic from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UNITS_PER_USD } from '../../../main/base/quota.ts'
import { collect } from '../../support/clients/collect.ts'
import { vendorClients } from '../../support/clients/vendor-clients.ts'
import { type Pair, startPair } from '../../support/gateway/pair.ts'

let pair: Pair

/** Names as they are: with a vendor before them and a tag behind. */
const ids = ['claude-opus-5-5', 'gemini-3.5-pro', 'qwen/qwen3:7b', 'text-embedding-3-small']

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.gateway.addChannel({ type: 900, name: 'Echo', key: '', models: ['echo', ...ids] })
})
afterAll(() => pair.close())

const clientsOf = (key = pair.gateway.key) => vendorClients({ url: pair.gateway.url, key })

describe('a token that may use some models only', () => {
  const limitedTo = (models: string[]) =>
    clientsOf(pair.gateway.addToken({ modelLimitsEnabled: true, modelLimits: models }).full)

  test('lists them to every vendor’s client, each in its own shape', async () => {
    const { openai, anthropic, google } = limitedTo(ids)
    expect((await collect(openai.models.list())).map(({ id, object }) => [id, object])).toEqual(
      ids.map((id) => [id, 'model']),
    )
    const claude = await collect(anthropic.models.list())
    expect(claude.map(({ id, type }) => [id, type])).toEqual(ids.map((id) => [id, 'model']))
    expect(claude[0]?.display_name).toBe('Claude Opus 5.5')
    const gemini = await collect(await google.models.list({ config: { queryBase: true } }))
    expect(gemini.map(({ name }) => name)).toEqual(ids.map((id) => `models/${id}`))
    expect(gemini[3]?.supportedActions).toEqual(['embedContent', 'batchEmbedContents'])
  })

  test('lists them to Codex', async () => {
    const { full } = pair.gateway.addToken({ modelLimitsEnabled: true, modelLimits: ids })
    const answer = await pair.send('/v1/models?client_version=0.165.0', {
      method: 'GET',
      headers: { authorization: `Bearer ${full}` },
      withoutKey: true,
    })
    const { models } = answer.json<{ models: { slug: string; display_name: string }[] }>()
    expect(models.map(({ slug }) => slug)).toEqual(ids)
    expect(models[0]).toMatchObject({ display_name: 'Claude Opus 5.5', visibility: 'list' })
  })

  test.each(ids)('finds %s by its name', async (id) => {
    const { openai, anthropic, google } = limitedTo(ids)
    expect(await openai.models.retrieve(id)).toMatchObject({ id, object: 'model' })
    expect(await anthropic.models.retrieve(id)).toMatchObject({ id, type: 'model' })
    expect(await google.models.get({ model: id })).toMatchObject({ name: `models/${id}` })
  })

  test('can call what it lists by that very name, and nothing that it does not list', async () => {
    const { openai, anthropic, google } = limitedTo(['qwen/qwen3:7b'])
    const model = 'qwen/qwen3:7b'
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    await openai.chat.completions.create({ model, messages })
    await anthropic.messages.create({ model, messages, max_tokens: 10 })
    expect((await google.models.generateContent({ model, contents: 'Hi' })).text).toContain('Hi')
    await google.models.embedContent({ model, contents: 'Hi' })
    await openai.embeddings.create({ model, input: 'Hi' })
    const other = 'text-embedding-3-small'
    await expect(openai.embeddings.create({ model: other, input: 'Hi' })).rejects.toMatchObject({
      status: 403,
      param: 'model',
    })
    await expect(google.models.embedContent({ model: other, contents: 'Hi' })).rejects.toThrow(
      'PERMISSION_DENIED',
    )
    await expect(openai.models.retrieve(other)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await expect(anthropic.models.retrieve(other)).rejects.toBeInstanceOf(Anthropic.NotFoundError)
    const missing = await google.models.get({ model: other }).catch((error: unknown) => error)
    expect(missing).toBeInstanceOf(ApiError)
    expect(missing).toMatchObject({ status: 404 })
  })
})

describe('what a token was given and has used', () => {
  const granted = UNITS_PER_USD
  let key: string

  /** As a chat client asks: dollars given, cents used; then the gateway's own in units. */
  async function read(of: string) {
    const ask = async <Answer>(path: string): Promise<Answer> => {
      const headers = { authorization: `Bearer ${of}` }
      const answer = await pair.send(path, { method: 'GET', headers, withoutKey: true })
      expect(answer.status).toBe(200)
      return JSON.parse(answer.text) as Answer
    }
    const { hard_limit_usd: dollars } = await ask<{ hard_limit_usd: number }>(
      '/v1/dashboard/billing/subscription',
    )
    const { total_usage: cents } = await ask<{ total_usage: number }>('/v1/dashboard/billing/usage')
    const { data } = await ask<{ data: Record<string, number> }>('/api/usage/token/')
    return { dollars, cents, ...data }
  }

  beforeAll(() => {
    pair.gateway.set({
      ModelRatio: { 'gpt-tokens': 1 },
      CompletionRatio: { 'gpt-tokens': 3 },
      ModelPrice: { 'dall-picture': 0.04 },
      UnitPrice: {
        'tts-characters': { character: 0.001 },
        'rerank-search': { search: 0.002 },
        'whisper-seconds': { second: 0.01 },
      },
    })
    const models = 'gpt-tokens dall-picture tts-characters rerank-search whisper-seconds free'
    pair.gateway.addChannel({ type: 900, name: 'Priced', key: '', models: models.split(' ') })
    key = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: granted }).full
  })

  test('adds up over calls that are sold by the token, picture, character, search and second', async () => {
    const { openai, cohere } = clientsOf(key)
    const units: number[] = []
    const spend = async (run: () => Promise<unknown>) => {
      const { quota } = await pair.rowAfter(run)
      units.push(quota)
      return quota
    }
    let told = { prompt_tokens: 0, completion_tokens: 0 }
    const byToken = await spend(async () => {
      const messages = [{ role: 'user' as const, content: 'Hi there' }]
      const answer = await openai.chat.completions.create({ model: 'gpt-tokens', messages })
      told = answer.usage ?? told
    })
    expect(byToken).toBe(told.prompt_tokens + 3 * told.completion_tokens)
    const byEmbedding = await spend(async () => {
      const answer = await openai.embeddings.create({ model: 'gpt-tokens', input: 'one two' })
      told = { ...told, prompt_tokens: answer.usage.prompt_tokens }
    })
    expect(byEmbedding).toBe(told.prompt_tokens)
    const picture = { model: 'dall-picture', prompt: 'A cat', n: 2, size: '256x256' } as const
    expect(await spend(() => openai.images.generate(picture))).toBe(0.08 * UNITS_PER_USD)
    const speech = { model: 'tts-characters', voice: 'alloy', input: 'ten chars.' } as const
    const speak = async () => (await openai.audio.speech.create(speech)).arrayBuffer()
    expect(await spend(speak)).toBe(0.01 * UNITS_PER_USD)
    const documents = Array.from({ length: 150 }, (_, at) => `document ${at}`)
    const ranking = { model: 'rerank-search', query: 'q', documents }
    expect(await spend(() => cohere.rerank(ranking))).toBe(0.004 * UNITS_PER_USD)
    const hear = async () =>
      openai.audio.transcriptions.create({
        model: 'whisper-seconds',
        file: await OpenAI.toFile(Buffer.alloc(32_000), 'a.mp3'),
        response_format: 'verbose_json',
      })
    expect(await spend(hear)).toBe(0.02 * UNITS_PER_USD)
    const used = units.reduce((sum, one) => sum + one, 0)
    const told2 = await read(key)
    expect(told2).toMatchObject({
      dollars: 1,
      total_granted: granted,
      total_used: used,
      total_available: granted - used,
    })
    expect(told2.cents).toBeCloseTo((used * 100) / UNITS_PER_USD, 10)
  })

  test('is not touched by what failed, by counting tokens, and by what has no price', async () => {
    const before = await read(key)
    const { openai } = clientsOf(key)
    const wrong = { model: 'gpt-tokens', input: '' }
    await expect(openai.embeddings.create(wrong)).rejects.toMatchObject({ status: 400 })
    await openai.responses.inputTokens.count({ model: 'gpt-tokens', input: 'Hi' })
    const row = await pair.rowAfter(() => openai.embeddings.create({ model: 'free', input: 'Hi' }))
    expect(JSON.parse(row.other)).toMatchObject({ unpriced: true })
    expect(await read(key)).toEqual(before)
  })

  test('ends the token at its limit, and refuses what the rest does not reach', async () => {
    const used = 0.04 * UNITS_PER_USD
    const picture = { model: 'dall-picture', prompt: 'A cat', size: '256x256' } as const
    const refusals = [
      [0, { status: 401, code: 'insufficient_quota' }],
      [100, { status: 403, code: 'pre_consume_token_quota_failed' }],
    ] as const
    for (const [rest, refusal] of refusals) {
      const grantedQuota = used + rest
      const { full } = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota })
      const { openai } = clientsOf(full)
      await openai.images.generate(picture)
      await expect(openai.images.generate(picture)).rejects.toMatchObject(refusal)
      expect(await read(full)).toMatchObject({ total_used: used, total_available: rest, cents: 4 })
    }
  })
})
