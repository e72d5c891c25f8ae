import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CachingStage, LONG, MODEL, system, user } from './caching-stage.ts'

let stage: CachingStage

beforeAll(async () => {
  stage = await CachingStage.open()
})
afterAll(() => stage.gateway.close())
beforeEach(() => stage.begin())
afterEach(async () => {
  vi.useRealTimers()
  await stage.end()
})

describe('where no cache can be made', () => {
  test('a prompt that is too short is sent whole, and the row says why', async () => {
    const { cache, lost } = await stage.ask({ system: system('Be kind') })
    expect(stage.made()).toHaveLength(0)
    expect(stage.google.generated()[0]).toHaveProperty('systemInstruction')
    expect(cache.why).toMatch(/fewer than this model's minimum of 1024/)
    expect(lost).toContain('dropped system[0].cache_control')
  })

  test('Google’s own minimum is learnt from its refusal', async () => {
    stage.google.minimum = 100_000
    const first = await stage.ask()
    expect(first.cache.why).toMatch(/Google answered 400: Cached content is too small/)
    const second = await stage.ask({ system: system(`${LONG} And more.`) })
    expect(second.cache.why).toMatch(/minimum of 100000/)
    expect(stage.made()).toHaveLength(1)
    expect(stage.google.generated()).toHaveLength(2)
  })

  test.each([
    ['a refusal', { status: 429, body: { error: { code: 429, message: 'limit exceeded' } } }],
    ['a broken connection', { ending: 'reset-before-headers' as const }],
    ['an answer that is none', { body: '<html>' }],
  ])('%s fails no call, and the next does not try again at once', async (_, reply) => {
    stage.google.refuseNext = reply
    const first = await stage.ask()
    expect(first.cache).toMatchObject({ action: 'none' })
    expect(first.cache.why).toMatch(/^no cache could be made|^Google answered|upstream|answer/)
    await stage.ask()
    expect(stage.made()).toHaveLength(1)
    expect(stage.google.generated().every((body) => 'systemInstruction' in body)).toBe(true)
  })

  test('a client that leaves ends the making', async () => {
    stage.google.refuseNext = { ending: 'hang-before-headers' }
    const controller = new AbortController()
    const left = stage.anthropic.messages.create(
      { model: MODEL, max_tokens: 9, system: system(), messages: [user('Hi')] },
      { signal: controller.signal },
    )
    await expect.poll(() => stage.made()).toHaveLength(1)
    controller.abort()
    await expect(left).rejects.toThrow()
    await expect(stage.google.asked('POST', '/cachedContents')[0]?.ended).resolves.toBe('gone')
    expect((await stage.ask()).cache).toMatchObject({ action: 'made' })
  })
})

describe('a cache at Google', () => {
  test('that is gone fails no call: the whole prompt is sent, and the next makes it anew', async () => {
    await stage.ask()
    stage.google.caches.clear()
    const { usage, cache, lost } = await stage.ask()
    expect(usage.cache_read_input_tokens).toBe(0)
    expect(cache).toMatchObject({ action: 'none', why: expect.stringContaining('gone at Google') })
    for (const name of ['tokens', 'ttl']) expect(cache).not.toHaveProperty(name)
    expect(stage.google.generated().at(-1)).toHaveProperty('systemInstruction')
    expect(lost).toContain('dropped system[0].cache_control')
    expect((await stage.ask()).cache).toMatchObject({ action: 'made' })
  })

  test('that is refused at its first use ends, and is not paid for again by the next call', async () => {
    const error = { code: 400, message: 'CachedContent is not supported for this request.' }
    stage.google.failNext = { status: 400, body: { error } }
    expect((await stage.ask()).cache).toMatchObject({ action: 'none' })
    await expect.poll(() => stage.google.caches.size).toBe(0)
    const { cache } = await stage.ask()
    expect(cache).toMatchObject({ action: 'none', why: expect.stringContaining('first use') })
    expect(stage.made()).toHaveLength(1)
    expect(stage.google.generated()).toHaveLength(3)
  })

  test('lasts from its last use on, and its storage is booked again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const first = await stage.ask()
    vi.setSystemTime(Date.now() + 200_000)
    const { cache, other } = await stage.ask()
    expect(cache).toMatchObject({ action: 'used', extended: true })
    expect(stage.google.asked('PATCH', '/c1')[0]?.url).toContain('updateMask=ttl')
    const hours = first.other.cache_storage_token_hours as number
    expect(other.cache_storage_token_hours).toBeCloseTo((hours * 200) / 300, 3)
    vi.setSystemTime(Date.now() + 310_000)
    expect((await stage.ask()).cache).toMatchObject({ action: 'made' })
  })

  test('that Google does not extend is named no more once it is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await stage.ask()
    vi.setSystemTime(Date.now() + 200_000)
    stage.google.extendsNone = true
    const { cache } = await stage.ask()
    expect(cache).toMatchObject({ action: 'used' })
    expect(cache).not.toHaveProperty('extended')
    vi.setSystemTime(Date.now() + 110_000)
    expect((await stage.ask()).cache).toMatchObject({ action: 'made' })
  })

  test('is kept for an hour where the mark says so', async () => {
    const { cache } = await stage.ask({ system: system(LONG, '1h') })
    expect(stage.made()[0]).toMatchObject({ ttl: '3600s' })
    expect(cache).toMatchObject({ ttl: 3600 })
  })

  test('belongs to its key, and ends when the channel gets another', async () => {
    await stage.ask()
    stage.gateway.parts.channels.update(stage.channel.id, { key: 'key-2' })
    await expect.poll(() => stage.google.caches.size).toBe(0)
    expect(stage.google.asked('DELETE', '/c1')[0]?.headers['x-goog-api-key']).toBe('key-1')
    await stage.ask()
    expect(stage.google.asked('POST', '/cachedContents').at(-1)?.headers['x-goog-api-key']).toBe(
      'key-2',
    )
  })

  test('belongs to its channel: the next that is tried makes its own', async () => {
    await stage.ask()
    stage.google.failNext = { status: 503, body: { error: { code: 503, message: 'overloaded' } } }
    const { id } = stage.gateway.addChannel({
      ...{ type: 24, name: 'Other', key: 'key-9', baseUrl: stage.google.url, models: [MODEL] },
      ...{ settings: { explicit_caching: true }, priority: -1 },
    })
    const { cache, row } = await stage.ask()
    stage.gateway.parts.channels.remove([id])
    expect(row.channelName).toBe('Other')
    expect(cache).toMatchObject({ action: 'made' })
    const keys = stage.google
      .asked('POST', '/cachedContents')
      .map(({ headers }) => headers['x-goog-api-key'])
    expect(keys).toEqual(['key-1', 'key-9'])
  })

  test('takes no header of a caller along, whatever the channel passes on', async () => {
    const { gateway, channel, google } = stage
    const headerOverride = { '*': '', 'x-team': '{client_header:x-team}', 'x-own': 'ours' }
    gateway.parts.channels.update(channel.id, { headerOverride })
    vi.useFakeTimers({ toFake: ['Date'] })
    const ask = (team: string) =>
      stage.anthropic.messages.create(
        { model: MODEL, max_tokens: 9, system: system(), messages: [user('Hi')] },
        { headers: { 'x-team': team, 'x-note': team } },
      )
    await ask('red')
    vi.setSystemTime(Date.now() + 200_000)
    await ask('blue')
    gateway.parts.channels.update(channel.id, { key: 'key-2' })
    await expect.poll(() => google.caches.size).toBe(0)
    const calls = google.requests.filter(({ url }) => url.includes(':'))
    expect(calls.map(({ headers }) => headers['x-team'])).toEqual(['red', 'blue'])
    const ofCaches = google.requests.filter(({ url }) => url.includes('/cachedContents'))
    expect(ofCaches.map(({ method }) => method)).toEqual(['GET', 'POST', 'PATCH', 'DELETE'])
    for (const { headers } of ofCaches) {
      expect(headers).toMatchObject({ 'x-own': 'ours' })
      expect(JSON.stringify(headers)).not.toMatch(/red|blue/)
    }
  })

  test('of an earlier run of the gateway is found again', async () => {
    await stage.ask()
    const { cachedContents } = stage.gateway.parts
    const { CachedContents } = await import(
      '../../../../main/relay/explicit-cache/cached-contents.ts'
    )
    stage.gateway.parts.cachedContents = new CachedContents()
    try {
      const { cache, usage } = await stage.ask()
      expect(cache).toMatchObject({ action: 'used' })
      expect(usage.cache_creation_input_tokens).toBe(0)
      expect(stage.made()).toHaveLength(1)
    } finally {
      stage.gateway.parts.cachedContents = cachedContents
    }
  })
})

describe('what a cache costs', () => {
  test('is charged to the call that made it: written as input, read once, kept until it ends', async () => {
    const { row, other } = await stage.ask()
    const written = other.cache_creation_tokens as number
    const { promptTokens } = row
    const rest = promptTokens - written
    // gemini-2.5-flash: 0.30 in, 0.03 cached, 2.50 out, 1.00 for a million tokens and an hour.
    const storage = (written * (300 / 3600) * 1) / 1e6
    const dollars = (written * 0.3 + written * 0.03 + rest * 0.3 + 2 * 2.5) / 1e6 + storage
    expect(row.quota).toBe(Math.round(dollars * 500_000))
    expect(other.cache_storage_cost).toBeCloseTo(storage, 9)
  })

  test('is not told for storage whose price nobody knows', async () => {
    stage.gateway.parts.channels.update(stage.channel.id, { models: ['gemini-9'] })
    const { other } = await stage.ask({ model: 'gemini-9' })
    expect(other.cache_storage_token_hours).toBeGreaterThan(0)
    expect(other).not.toHaveProperty('cache_storage_cost')
  })
})

test('an administrator’s channel makes no cache at a private address, as it makes no call there', async () => {
  const { gateway, channel, google } = stage
  // As a name does that leads here after it was entered.
  const baseUrl = google.url.replace('127.0.0.1', 'localhost')
  gateway.parts.channels.update(channel.id, { baseUrl, publicOnly: true })
  await expect(stage.ask()).rejects.toThrow(/private network/)
  expect(google.requests).toEqual([])
})
