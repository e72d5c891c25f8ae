import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../support/gateway/pair.ts'

let pair: Pair

/** In the list's order. */
const ids = [
  'claude-opus-5-5',
  'gemini-2.5-flash-image',
  'gpt-5.4',
  'gpt-image-2',
  'mine',
  'text-embedding-3-small',
  'tts-1',
]

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.addChannelOf('chat', {
    baseUrl: 'https://host.example',
    models: ['gpt-5.4', 'gpt-image-2', 'mine', 'text-embedding-3-small', 'tts-1'],
    modelMapping: { mine: 'claude-haiku-4-5' },
  })
  pair.addChannelOf('messages', { models: ['claude-opus-5-5'] })
  pair.addChannelOf('generate-content', { models: ['gemini-2.5-flash-image'] })
})
afterAll(() => pair.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  pair.send(path, { method: 'GET', headers })

test.each<[string, Record<string, string>, object]>([
  ['Google’s SDK', { 'x-goog-api-key': 'sk-wrong' }, { code: 401, status: 'UNAUTHENTICATED' }],
  ['Anthropic’s', { 'x-api-key': 'sk-wrong' }, { type: 'authentication_error' }],
  ['OpenAI’s', { authorization: 'Bearer sk-wrong' }, { code: 'invalid_api_key', param: null }],
])('%s reads why it gets no list, in its own form', async (_name, headers, error) => {
  const paths = ['/v1/models', '/v1/models/gpt-5.4']
  for (const path of paths) {
    const answer = await pair.send(path, { method: 'GET', headers, withoutKey: true })
    expect(answer.status).toBe(401)
    expect(answer.json<{ error: object }>().error).toMatchObject(error)
  }
})

test('Google’s SDK reads in its own form that there are no files here', async () => {
  const { key } = pair.gateway
  const headers = { 'x-goog-api-key': key }
  const answer = await pair.send('/v1/files', { method: 'GET', headers, withoutKey: true })
  expect(answer.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
})

describe('Anthropic’s client', () => {
  let client: Anthropic
  beforeAll(() => {
    client = new Anthropic({ apiKey: pair.gateway.key, baseURL: pair.gateway.url, maxRetries: 0 })
  })

  test.each([1, 2, 3, 7, 1000])('finds every model once in pages of %i', async (limit) => {
    const found: string[] = []
    for await (const model of client.models.list({ limit })) found.push(model.id)
    expect(found).toEqual(ids)
  })

  test('goes back from a model as well', async () => {
    const page = await client.models.list({ limit: 2, before_id: 'gpt-image-2' })
    expect(page.data.map(({ id }) => id)).toEqual(['gemini-2.5-flash-image', 'gpt-5.4'])
    expect(page.has_more).toBe(true)
    const first = await client.models.list({ limit: 2, before_id: 'gemini-2.5-flash-image' })
    expect(first.data.map(({ id }) => id)).toEqual(['claude-opus-5-5'])
    expect(first.has_more).toBe(false)
  })

  test('reads names and limits where they are known, and null where not', async () => {
    expect(await client.models.retrieve('claude-opus-5-5')).toMatchObject({
      display_name: 'Claude Opus 5.5',
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
    })
    expect(await client.models.retrieve('gpt-5.4')).toMatchObject({
      display_name: 'GPT-5.4',
      max_input_tokens: 922_000,
      max_tokens: 128_000,
    })
    expect(await client.models.retrieve('tts-1')).toMatchObject({ max_input_tokens: null })
  })

  test('a mapped model keeps its name and has the limits of the upstream’s', async () => {
    expect(await client.models.retrieve('mine')).toMatchObject({
      display_name: 'mine',
      max_input_tokens: 200_000,
      max_tokens: 64_000,
    })
  })

  test.each(['limit=0', 'limit=x', 'limit=1.5', 'after_id=gone', 'before_id=gone'])(
    'is told what is wrong with ?%s',
    async (query) => {
      const answer = await get(`/v1/models?${query}`, { 'anthropic-version': '2023-06-01' })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain(query.split('=')[0])
    },
  )
})

describe('Google’s client', () => {
  test.each([1, 3, 7, undefined])('finds every model once in pages of %s', async (pageSize) => {
    const client = new GoogleGenAI({
      apiKey: pair.gateway.key,
      httpOptions: { baseUrl: pair.gateway.url },
    })
    const found: string[] = []
    const pager = await client.models.list({ config: { queryBase: true, pageSize } })
    for await (const model of pager) found.push(model.name ?? '')
    expect(found).toEqual(ids.map((id) => `models/${id}`))
  })

  test('reads what can be called with each model, and its limits', async () => {
    const { models } = (await get('/v1beta/models')).json<{ models: { name: string }[] }>()
    const chat = ['generateContent', 'streamGenerateContent', 'countTokens']
    const named = (id: string) => models.find(({ name }) => name === `models/${id}`)
    expect(named('gpt-5.4')).toEqual({
      name: 'models/gpt-5.4',
      baseModelId: 'gpt-5.4',
      version: '',
      displayName: 'GPT-5.4',
      inputTokenLimit: 922_000,
      outputTokenLimit: 128_000,
      supportedGenerationMethods: chat,
    })
    expect(named('gemini-2.5-flash-image')).toMatchObject({ supportedGenerationMethods: chat })
    expect(named('tts-1')).toMatchObject({ supportedGenerationMethods: ['generateContent'] })
    expect(named('gpt-image-2')).toMatchObject({ supportedGenerationMethods: [] })
    expect(named('text-embedding-3-small')).toEqual({
      name: 'models/text-embedding-3-small',
      baseModelId: 'text-embedding-3-small',
      version: '',
      displayName: 'Text Embedding 3 Small',
      inputTokenLimit: 8192,
      supportedGenerationMethods: ['embedContent', 'batchEmbedContents'],
    })
  })

  test('a page token that was made up is refused by name', async () => {
    const answer = await get('/v1beta/models?pageToken=Z29uZQ')
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('pageToken')
  })
})

test('OpenAI’s client gets the plain list, whole', async () => {
  const client = new OpenAI({ apiKey: pair.gateway.key, baseURL: `${pair.gateway.url}/v1` })
  const { data } = await client.models.list()
  expect(data.map(({ id }) => id)).toEqual(ids)
  expect(data[0]).toEqual({
    id: 'claude-opus-5-5',
    object: 'model',
    created: 1626777600,
    owned_by: 'anthropic',
    supported_endpoint_types: ['anthropic'],
  })
})

test('Codex is told the window of a model where it is known, and leaves the rest to its own list', async () => {
  const list = await get('/v1/models?client_version=0.165.0')
  const { models } = list.json<{ models: { slug: string }[] }>()
  expect(models.map(({ slug }) => slug)).toEqual(ids)
  const named = (id: string) => models.find(({ slug }) => slug === id)
  expect(named('gpt-5.4')).toEqual({
    ...{ slug: 'gpt-5.4', display_name: 'GPT-5.4', visibility: 'list', supported_in_api: true },
    // Of it, 922 000 are the most that can be sent.
    context_window: 1_050_000,
  })
  expect(named('tts-1')).not.toHaveProperty('context_window')
})

test('a client that sends its key as a bearer and in x-api-key reads OpenAI’s list', async () => {
  const { gateway } = pair
  const headers = { authorization: `Bearer ${gateway.key}`, 'x-api-key': gateway.key }
  const list = (await get('/v1/models', headers)).json<{ data: object[] }>()
  expect(list).toMatchObject({
    object: 'list',
    data: [{ object: 'model' }, {}, {}, {}, {}, {}, {}],
  })
  expect(list).not.toHaveProperty('has_more')
})

test('a client that says nothing but ?limit= can read the list as OpenAI’s and as Anthropic’s', async () => {
  const list = (await get('/v1/models?limit=1000')).json<{ data: object[] }>()
  expect(list).toMatchObject({ object: 'list', has_more: false, last_id: 'tts-1' })
  expect(list.data[0]).toMatchObject({
    object: 'model',
    owned_by: 'anthropic',
    type: 'model',
    display_name: 'Claude Opus 5.5',
  })
  const page = (await get('/v1/models?limit=2&after_id=gpt-5.4')).json<{ data: { id: string }[] }>()
  expect(page.data.map(({ id }) => id)).toEqual(['gpt-image-2', 'mine'])
})

describe('a client that has the list already', () => {
  test.each([
    '/v1/models',
    '/v1/models?client_version=0.165.0',
    '/v1beta/models',
    '/v1/models/gpt-5.4',
  ])('is not sent %s again', async (path) => {
    const first = await get(path)
    const etag = String(first.headers.etag)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': known })
      expect(again.status).toBe(304)
      expect(again.bytes).toHaveLength(0)
      expect(again.headers.etag).toBe(etag)
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('gets no list of another token’s or in another shape from a cache between', async () => {
    const { vary = '' } = (await get('/v1/models')).headers
    const told = String(vary).split(', ')
    for (const name of ['authorization', 'x-api-key', 'x-goog-api-key', 'anthropic-version'])
      expect(told).toContain(name)
  })

  test('is sent it when something has changed', async () => {
    const { etag } = (await get('/v1/models')).headers
    const channel = pair.addChannelOf('chat', { models: ['new-model'] })
    const again = await get('/v1/models', { 'if-none-match': String(etag) })
    expect(again.status).toBe(200)
    expect(again.text).toContain('new-model')
    pair.gateway.parts.channels.update(channel.id, { status: 2 })
  })
})
