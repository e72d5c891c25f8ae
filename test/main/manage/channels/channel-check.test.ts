import { describe, expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, startManagement } from '../management.ts'

const KEY = 'sk-vendor-0123456789abcdef'

async function withUpstream() {
  const [management, upstream] = await Promise.all([startManagement(), startUpstream()])
  onTestFinished(() => upstream.close())
  return { ...management, upstream }
}

const addChannel = ({ gateway }: Management, url: string, fields: object = {}) =>
  gateway.parts.channels.create({
    type: 1,
    name: 'Vendor',
    key: KEY,
    baseUrl: url,
    models: ['gpt-a', 'gpt-b'],
    ...fields,
  })

const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-a',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
}

describe('testing a channel', () => {
  test('makes one small real call, says how long it took and books it as "model test"', async () => {
    const management = await withUpstream()
    const { upstream, owner, gateway } = management
    const { id } = addChannel(management, upstream.url)
    upstream.script({ body: completion, delay: 60 })
    const { status, body } = await owner.get(`/api/channel/test/${id}`)
    expect(status).toBe(200)
    expect(body.success).toBe(true)
    expect(body.time).toBeGreaterThan(0.05)
    expect(upstream.last().url).toBe('/v1/chat/completions')
    expect(upstream.last().headers.authorization).toBe(`Bearer ${KEY}`)
    expect(upstream.last().headers.cookie).toBeUndefined()
    expect(upstream.last().json()).toMatchObject({ model: 'gpt-a', max_tokens: 16 })
    const { items } = gateway.parts.ledger.list({}, { page: 1, pageSize: 10 })
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      type: 2,
      tokenName: 'model test',
      channelId: id,
      model: 'gpt-a',
    })
    const tested = gateway.parts.channels.byId(id)
    expect(tested?.testTime).toBeGreaterThan(0)
    expect(tested?.responseTime).toBeGreaterThan(50)
    expect(tested?.lastTest).toEqual({ model: 'gpt-a', problem: null })
  })

  test.each([
    [1, '/v1/chat/completions', true],
    [24, '/v1beta/models/gpt-a:streamGenerateContent?alt=sse', undefined],
  ])(
    'a streamed one to type %i says so where its format has a place for it',
    async (type, url, stream) => {
      const management = await withUpstream()
      const { upstream, owner } = management
      const { id } = addChannel(management, upstream.url, { type })
      upstream.script({ chunks: [] })
      await owner.get(`/api/channel/test/${id}?stream=true`)
      expect(upstream.last().url).toBe(url)
      const sent = upstream.last().json() as { stream?: boolean }
      expect(sent.stream).toBe(stream)
    },
  )

  test('a failed test is told as failed afterwards too, with its reason and without the key', async () => {
    const management = await withUpstream()
    const { upstream, owner } = management
    const { id } = addChannel(management, upstream.url)
    const sentence = 'This account was closed'
    upstream.script({ status: 401, body: { error: { message: `${sentence}: ${KEY}` } } })
    await owner.get(`/api/channel/test/${id}`)
    const { data } = (await owner.get(`/api/channel/${id}`)).body
    expect(data.last_test).toEqual({
      model: 'gpt-a',
      problem: expect.stringContaining(sentence),
      why: expect.objectContaining({ code: 'channel_key_refused', said: `${sentence}: ***` }),
    })
    expect(JSON.stringify(data.last_test)).not.toContain(KEY)
    // Sent back as it was read it changes nothing; a new key makes the result worthless.
    await owner.send('PUT', '/api/channel', { ...data, name: 'Renamed' })
    expect((await owner.get(`/api/channel/${id}`)).body.data).toMatchObject({
      name: 'Renamed',
      last_test: data.last_test,
    })
    await owner.send('PUT', '/api/channel', { id, key: `${KEY}0` })
    expect((await owner.get(`/api/channel/${id}`)).body.data).toMatchObject({
      test_time: 0,
      last_test: null,
    })
  })

  test('a failed test is not the fastest', async () => {
    const management = await withUpstream()
    const { upstream, owner } = management
    const good = addChannel(management, upstream.url)
    const dead = addChannel(management, upstream.url)
    upstream.script({ body: completion, delay: 60 }, { status: 401, body: {} })
    for (const { id } of [good, dead]) await owner.get(`/api/channel/test/${id}`)
    const sorted = await owner.get('/api/channel?sort_by=response_time&sort_order=asc')
    expect(sorted.body.data.items.map(({ id }: { id: number }) => id)).toEqual([good.id, dead.id])
  })

  test('is nobody’s to pay, the owner’s in the log, and needs neither a price nor a balance', async () => {
    const management = await withUpstream()
    const { upstream, gateway, visitor } = management
    const { users, ledger, settings } = gateway.parts
    settings.update({ SelfUseModeEnabled: false })
    const accessToken = 'access-token-of-bob'.padEnd(32, 'x')
    const bob = users.create({ username: 'bob', role: 10, quota: 0, accessToken })
    const { id } = addChannel(management, upstream.url)
    upstream.script({ body: completion }, { body: completion })
    const test = () =>
      visitor().get(`/api/channel/test/${id}`, { authorization: `Bearer ${accessToken}` })
    expect((await test()).body).toMatchObject({ success: true })
    settings.update({ ModelRatio: { 'gpt-a': 100 } })
    expect((await test()).body).toMatchObject({ success: true })
    const [row] = ledger.list({ type: 2 }, { page: 1, pageSize: 10 }).items
    expect(row).toMatchObject({ username: 'ada', quota: 0 })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ test_cost: 1000 })
    expect(users.all().map((user) => ledger.totals('user', user.id).quota)).toEqual([0, 0])
    expect(ledger.totals('user', bob.id).calls).toBe(0)
  })

  test('takes the channel’s own test model, or the one that is named', async () => {
    const management = await withUpstream()
    const { upstream, owner } = management
    const { id } = addChannel(management, upstream.url, { testModel: 'gpt-b' })
    upstream.script({ body: completion }, { body: completion })
    await owner.get(`/api/channel/test/${id}`)
    expect(upstream.last().json()).toMatchObject({ model: 'gpt-b' })
    await owner.get(`/api/channel/test/${id}?model=o3-mini`)
    expect(upstream.last().json()).toMatchObject({ model: 'o3-mini', max_completion_tokens: 16 })
  })

  test('gives the vendor’s own sentence when it refuses', async () => {
    const management = await withUpstream()
    const { upstream, owner, gateway } = management
    const { id } = addChannel(management, upstream.url)
    const sentence = 'The model `gpt-a` does not exist or you do not have access to it.'
    upstream.script({
      status: 404,
      delay: 60,
      body: { error: { message: sentence, type: 'invalid_request_error' } },
    })
    const { status, body } = await owner.get(`/api/channel/test/${id}`)
    expect(status).toBe(502)
    expect(body).toMatchObject({ success: false, code: 'upstream_error' })
    expect(body.message).toContain(sentence)
    expect(body.time).toBeGreaterThan(0.05)
    // A test never changes the status by itself.
    expect(gateway.parts.channels.byId(id)?.status).toBe(1)
    expect(gateway.parts.ledger.list({}, { page: 1, pageSize: 10 }).total).toBe(1)
  })

  test('reaches a disabled channel too, and leaves it disabled', async () => {
    const management = await withUpstream()
    const { upstream, owner, gateway } = management
    const { id } = addChannel(management, upstream.url, { status: 2 })
    upstream.script({ body: completion })
    expect((await owner.get(`/api/channel/test/${id}`)).body.success).toBe(true)
    expect(gateway.parts.channels.byId(id)?.status).toBe(2)
  })

  test('a stream that breaks off is no success', async () => {
    const management = await withUpstream()
    const { upstream, owner } = management
    const { id } = addChannel(management, upstream.url)
    upstream.script({
      chunks: ['data: {"choices":[{"index":0,"delta":{"content":"H"}}]}\n\n'],
      ending: 'cut',
    })
    const { body } = await owner.get(`/api/channel/test/${id}?stream=true`)
    expect(body.success).toBe(false)
  })

  test('speaks the vendor’s format', async () => {
    const management = await withUpstream()
    const { upstream, owner } = management
    const { id } = addChannel(management, upstream.url, { type: 14 })
    upstream.script({
      body: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Hi' }],
        model: 'gpt-a',
        stop_reason: 'end_turn',
        usage: { input_tokens: 8, output_tokens: 2 },
      },
    })
    expect((await owner.get(`/api/channel/test/${id}`)).body.success).toBe(true)
    expect(upstream.last().url).toBe('/v1/messages')
    expect(upstream.last().headers['x-api-key']).toBe(KEY)
    const wrong = await owner.get(`/api/channel/test/${id}?endpoint_type=gemini`)
    expect(wrong.body).toMatchObject({ code: 'invalid_params', field: 'endpoint_type' })
  })
})

describe('a test of a channel that holds no conversations', () => {
  const embedding = {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 1, total_tokens: 1 },
  }
  const ranking = { results: [{ index: 0, relevance_score: 0.5 }], usage: { total_tokens: 3 } }

  test.each([
    ['text-embedding-3-small', '/v1/embeddings', embedding],
    ['bge-reranker-v2-m3', '/v1/rerank', ranking],
  ])('asks %s for what it is for', async (model, path, body) => {
    const management = await withUpstream()
    const { upstream, owner } = management
    const { id } = addChannel(management, upstream.url, { models: [model] })
    upstream.script({ body })
    expect((await owner.get(`/api/channel/test/${id}`)).body).toMatchObject({ success: true })
    expect(upstream.last().url).toBe(path)
  })

  test('makes no picture that nobody asked for, and says how to ask', async () => {
    const management = await withUpstream()
    const { upstream, owner } = management
    const { id } = addChannel(management, upstream.url, { models: ['gpt-image-2'] })
    const { body } = await owner.get(`/api/channel/test/${id}`)
    expect(body).toMatchObject({ code: 'invalid_params', field: 'endpoint_type' })
    expect(body.message).toContain('image-generation')
    expect(upstream.requests).toHaveLength(0)
    upstream.script({ body: { created: 1, data: [{ b64_json: 'AA==' }] } })
    const asked = await owner.get(`/api/channel/test/${id}?endpoint_type=image-generation`)
    expect(asked.body).toMatchObject({ success: true })
    expect(upstream.last().url).toBe('/v1/images/generations')
  })
})

describe('fetching models', () => {
  const fetchFrom = ({ owner }: Management, url: string, fields: object = {}) =>
    owner.send('POST', '/api/channel/fetch_models', { type: 1, key: KEY, base_url: url, ...fields })

  test('gives names, sorted and each once', async () => {
    const management = await withUpstream()
    const { upstream } = management
    upstream.script({ body: { data: [{ id: 'b' }, { id: 'a' }, { id: 'b' }] } })
    const { body } = await fetchFrom(management, `${upstream.url}/v1/`)
    expect(body.data).toEqual(['a', 'b'])
    expect(upstream.last()).toMatchObject({ method: 'GET', url: '/v1/models' })
    expect(upstream.last().headers.authorization).toBe(`Bearer ${KEY}`)
  })

  test('follows Gemini’s pages', async () => {
    const management = await withUpstream()
    const { upstream } = management
    const model = (name: string) => ({
      name: `models/${name}`,
      supportedGenerationMethods: ['generateContent'],
    })
    upstream.script(
      { body: { models: [model('gemini-b')], nextPageToken: 'two' } },
      { body: { models: [model('gemini-a')] } },
    )
    const { body } = await fetchFrom(management, upstream.url, { type: 24 })
    expect(body.data).toEqual(['gemini-a', 'gemini-b'])
    expect(upstream.last().url).toContain('pageToken=two')
  })

  test('of a stored channel uses its own key and headers', async () => {
    const management = await withUpstream()
    const { upstream, owner } = management
    const { id } = addChannel(management, upstream.url, {
      headerOverride: { 'X-Team': 'blue {api_key}', '*': '' },
    })
    upstream.script({ body: { data: [{ id: 'a' }] } })
    expect((await owner.get(`/api/channel/fetch_models/${id}`)).body.data).toEqual(['a'])
    expect(upstream.last().headers['x-team']).toBe(`blue ${KEY}`)
  })

  test.each([
    [
      { status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } },
      /401.*Incorrect API key/,
    ],
    [
      { status: 302, headers: { location: 'https://elsewhere.example/' } },
      /redirects to https:\/\/elsewhere/,
    ],
    [{ body: '<html><body>Welcome</body></html>' }, /did not answer with JSON: Welcome/],
    [{ body: { hello: 1 } }, /list of models/],
    [{ body: 'x'.repeat(6 * 1024 * 1024) }, /longer than/],
    [{ ending: 'reset-before-headers' as const }, /failed|reset|closed/],
  ])('a wrong answer (%#) is told as it is, without the key', async (reply, sentence) => {
    const management = await withUpstream()
    management.upstream.script(reply)
    const { status, body } = await fetchFrom(management, management.upstream.url)
    expect(status).toBe(502)
    expect(body.code).toBe('upstream_error')
    expect(body.message).toMatch(sentence)
    expect(body.message).not.toContain(KEY)
    expect(management.upstream.requests.length).toBeLessThanOrEqual(1)
  })

  test.each([
    'http://169.254.169.254/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://metadata/',
  ])('never asks %s', async (url) => {
    const { status, body } = await fetchFrom(await startManagement(), url)
    expect(status).toBe(400)
    expect(body.field).toBe('base_url')
  })
})

describe('presets', () => {
  test('offer vendors with their addresses, and Echo', async () => {
    const { owner } = await startManagement()
    const { data } = (await owner.get('/api/channel/presets')).body
    expect(data.length).toBeGreaterThan(20)
    expect(data.map(({ type }: { type: number }) => type)).toContain(900)
  })

  test('the form can show where calls would go', async () => {
    const { owner } = await startManagement()
    const preview = async (query: string) =>
      (await owner.get(`/api/channel/preview_url?${query}`)).body
    const typed = encodeURIComponent('https://example.org/v1/')
    expect((await preview(`type=1&base_url=${typed}`)).data.urls).toContainEqual({
      format: 'chat',
      url: 'https://example.org/v1/chat/completions',
    })
    expect((await preview('type=14')).data.urls).toContainEqual({
      format: 'messages',
      url: 'https://api.anthropic.com/v1/messages',
    })
    expect((await preview('type=1&base_url=ftp://x')).field).toBe('base_url')
    expect((await preview('type=3')).field).toBe('base_url')
    expect((await preview('type=900')).data.urls).toEqual([])
  })
})
