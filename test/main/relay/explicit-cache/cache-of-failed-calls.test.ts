import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CachingStage, MODEL, system, user } from './caching-stage.ts'

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

const body = { model: MODEL, max_tokens: 100, system: system(), messages: [user('Hi')] }

/** The row of the one call that this makes. */
async function rowOf(run: () => Promise<unknown>) {
  const before = stage.gateway.rows().length
  await run()
  const rows = await stage.gateway.rowsWhen(before + 1)
  expect(rows).toHaveLength(before + 1)
  const [row] = rows
  if (!row) throw new Error('No row.')
  return { row, other: JSON.parse(row.other) }
}

/** gemini-2.5-flash: 0.30 in, 1.00 for a million tokens and an hour, of which the cache stays five minutes. */
function cacheUnits(): number {
  const written = stage.firstTokens as number
  return ((written * 0.3 + written / 12) / 1e6) * 500_000
}

/** Nothing of the cache is left to book. */
async function nothingIsLeft() {
  const { usage, other, cache } = await stage.ask()
  expect(cache).toMatchObject({ action: 'used' })
  expect(usage.cache_creation_input_tokens).toBe(0)
  expect(other.cache_storage_token_hours).toBeUndefined()
}

describe('the cache that a call has made is that call’s to pay', () => {
  test.each([
    ['is refused', { status: 503, body: { error: { code: 503, message: 'overloaded' } } }],
    ['breaks', { ending: 'reset-before-headers' as const }],
    ['is answered with what is none', { body: '<html>' }],
  ])('where it %s', async (_, reply) => {
    stage.google.failNext = reply
    const { row, other } = await rowOf(() => expect(stage.ask()).rejects.toThrow())
    expect(other).toMatchObject({ cache_creation_tokens: stage.firstTokens })
    expect(row.quota).toBe(Math.round(cacheUnits()))
    expect(row.status).toBeGreaterThanOrEqual(500)
    await nothingIsLeft()
  })

  test('where its stream is cut', async () => {
    const words = { candidates: [{ content: { role: 'model', parts: [{ text: 'Well' }] } }] }
    stage.google.failNext = {
      chunks: [`data: ${JSON.stringify(words)}\n\n`],
      ending: 'cut',
    }
    const stream = () =>
      expect(stage.anthropic.messages.stream(body).finalMessage()).rejects.toThrow()
    const { row, other } = await rowOf(stream)
    expect(other).toMatchObject({ cache_creation_tokens: stage.firstTokens, estimated: true })
    expect(other.cache_storage_token_hours).toBeGreaterThan(0)
    expect(row.quota).toBeGreaterThanOrEqual(Math.round(cacheUnits()))
    await nothingIsLeft()
  })

  test('where its client leaves', async () => {
    stage.google.failNext = { ending: 'hang-before-headers' }
    const controller = new AbortController()
    const { row, other } = await rowOf(async () => {
      const left = stage.anthropic.messages.create(body, { signal: controller.signal })
      await expect.poll(() => stage.google.requests.at(-1)?.url).toContain(':generate')
      controller.abort()
      await expect(left).rejects.toThrow()
    })
    expect(row).toMatchObject({ status: 499, quota: Math.round(cacheUnits()) })
    expect(other).toMatchObject({ cache_creation_tokens: stage.firstTokens })
    await nothingIsLeft()
  })

  test('where it is of no use to it, beside what the whole prompt costs', async () => {
    const message = 'CachedContent is not supported for this request.'
    stage.google.failNext = { status: 400, body: { error: { code: 400, message } } }
    const plain = await rowOf(() => stage.ask({ system: system('Be kind.'.repeat(900)) }))
    expect(plain.other.cache_creation_tokens).toBeGreaterThan(0)
    const { row } = plain
    expect(row.promptTokens).toBeGreaterThan(1.8 * plain.other.cache_creation_tokens)
  })

  test('where another channel answers, beside what that one costs', async () => {
    const { id } = stage.gateway.addChannel({
      ...{ type: 24, name: 'Other', key: 'key-9', baseUrl: stage.google.url, models: [MODEL] },
      ...{ settings: { explicit_caching: true }, priority: -1 },
    })
    stage.google.failNext = { status: 503, body: { error: { code: 503, message: 'overloaded' } } }
    const { row, other } = await rowOf(() => stage.ask())
    stage.gateway.parts.channels.remove([id])
    expect(row.channelName).toBe('Other')
    expect(other.cache_creation_tokens).toBe(2 * (stage.firstTokens as number))
  })

  test('where it keeps a cache for longer and fails', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const first = await stage.ask()
    vi.setSystemTime(Date.now() + 200_000)
    stage.google.failNext = { status: 503, body: { error: { code: 503, message: 'overloaded' } } }
    const { other } = await rowOf(() => expect(stage.ask()).rejects.toThrow())
    const hours = first.other.cache_storage_token_hours as number
    expect(other.cache_storage_token_hours).toBeCloseTo((hours * 200) / 300, 3)
    await nothingIsLeft()
  })
})
