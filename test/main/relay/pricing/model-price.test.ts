import { afterEach, describe, expect, test, vi } from 'vitest'
import { MAX_QUOTA } from '../../../../main/base/quota.ts'
import type { Usage } from '../../../../main/convert/exchange.ts'
import { peakFactor, priceOf } from '../../../../main/relay/pricing/model-price.ts'
import { priceFacts, quotaOf } from '../../../../main/relay/pricing/price.ts'
import { defaultSettings } from '../../../../main/store/state/default-settings.ts'
import type { Settings } from '../../../../main/store/state/settings-schema.ts'

const usage = (fields: Partial<Usage>): Usage => ({
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  ...fields,
})
const priced = (model: string, fields: Partial<Usage>, settings: Partial<Settings> = {}) =>
  quotaOf(priceOf(model, { ...defaultSettings, ...settings }), usage(fields), 1)
/** Units for a million tokens, by dollars per million tokens. */
const MILLION = 1_000_000
const units = (dollars: number) => dollars * 500_000

describe('an announced price', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  // The very same settings, as long as nobody changes them.
  const settings = { ...defaultSettings }
  const at = (time: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(time) })
    const asked = usage({ input: MILLION, cachedInput: MILLION / 2, output: MILLION })
    return quotaOf(priceOf('gemini-4-argon', settings), asked, 1)
  }

  test('holds from its day on while the gateway runs, and not a second earlier', () => {
    expect(at('2026-11-30T23:59:59.999Z')).toBe(units(1 + 0.05 + 10))
    expect(at('2026-12-01T00:00:00Z')).toBe(units(2 + 0.1 + 20))
    expect(at('2027-06-01T00:00:00Z')).toBe(units(2 + 0.1 + 20))
  })

  test('does not hold any more once a clock that ran ahead is set right', () => {
    expect(at('2030-01-01T00:00:00Z')).toBe(units(2 + 0.1 + 20))
    expect(at('2026-11-30T23:59:59.999Z')).toBe(units(1 + 0.05 + 10))
    expect(at('2026-12-01T00:00:00Z')).toBe(units(2 + 0.1 + 20))
  })

  test('may be that of a tier alone', () => {
    const asked = usage({ output: MILLION, tier: 'ultrafast' })
    const cost = () => quotaOf(priceOf('gpt-6.2-sol', settings), asked, 1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-02-28T23:59:59Z') })
    expect(cost()).toBe(units(10 * 3))
    vi.setSystemTime(Date.parse('2027-03-01T00:00:00Z'))
    expect(cost()).toBe(units(10 * 6))
  })

  test('is known of its other names, too', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-31T12:00:00Z') })
    expect(priced('models/gemini-3.6-flash', { input: MILLION })).toBe(units(0.75))
    vi.setSystemTime(Date.parse('2027-01-01T00:00:00Z'))
    expect(priced('models/gemini-3.6-flash', { input: MILLION })).toBe(units(1.5))
  })
})

test.each(['gpt-6-astra', 'gpt-6.1-terra', 'gpt-6-luna', 'gpt-6.2-sol'])(
  '%s costs twice as much in OpenAI’s fast mode, also for a long prompt',
  (model) => {
    for (const input of [MILLION / 10, MILLION]) {
      const standard = priced(model, { input, output: MILLION }) ?? 0
      expect(priced(model, { input, output: MILLION, tier: 'fast' })).toBe(standard * 2)
    }
  },
)

test('a model that the owner prices by the token isn’t charged by the second as well', () => {
  const recording = { input: MILLION, detail: { seconds: 60 } }
  expect(priced('whisper-1', recording, { ModelRatio: { 'whisper-1': 1 } })).toBe(units(2))
})

describe('a model of the table', () => {
  test('costs what its vendor asks, cached and written tokens their own', () => {
    expect(priced('claude-opus-4-5-20251101', { input: MILLION })).toBe(units(5))
    expect(priced('claude-opus-4-5', { output: MILLION })).toBe(units(25))
    const cached = { input: MILLION, cachedInput: MILLION }
    expect(priced('claude-opus-4-5', cached)).toBe(units(0.5))
    expect(priced('claude-opus-4-5', { input: MILLION, cacheWrite: MILLION })).toBe(units(6.25))
  })

  test('is known of Kimi K3.1 Pro, whose fast sister costs twice as much', () => {
    const asked = { input: MILLION, cachedInput: MILLION / 2, output: MILLION }
    expect(priced('kimi-k3.1-pro', asked)).toBe(units(1 + 0.1 + 10))
    expect(priced('kimi-k3.1-pro-highspeed', asked)).toBe(units(2 + 0.1 + 20))
  })

  test('costs more for what is written to the cache for an hour', () => {
    const all = { input: MILLION, cacheWrite: MILLION, detail: { cacheWrite1h: MILLION } }
    expect(priced('claude-opus-4-5', all)).toBe(units(10))
    const half = { ...all, detail: { cacheWrite1h: MILLION / 2 } }
    expect(priced('claude-opus-4-5', half)).toBe(units((6.25 + 10) / 2))
  })

  test('costs twice as much for what OpenAI keeps for twelve hours', () => {
    const all = { input: 200_000, cacheWrite: 200_000 }
    expect(priced('gpt-6.2-sol', all)).toBe(units(0.5))
    const kept = { ...all, detail: { cacheWrite12h: 200_000 } }
    expect(priced('gpt-6.2-sol', kept)).toBe(units(1))
  })

  test('costs the long prompt’s price from one token beyond its limit, in all it counts', () => {
    const at = { input: 200_000, output: 1000 }
    const beyond = { input: 200_001, output: 1000 }
    expect(priced('gemini-2.5-pro', at)).toBe(units(0.2 * 1.25 + 0.001 * 10))
    expect(priced('gemini-2.5-pro', beyond)).toBe(Math.round(units(0.200001 * 2.5 + 0.001 * 15)))
    // Cached tokens are part of the prompt.
    const cached = { ...beyond, cachedInput: 200_001, output: 0 }
    expect(priced('gemini-2.5-pro', cached)).toBe(Math.round(units(0.200001 * 0.25)))
  })

  test('costs its own price for sound and pictures, heard and made', () => {
    const heard = { input: 2000, detail: { inputAudio: 1000 } }
    expect(priced('gemini-2.5-flash', heard)).toBe(units((1000 * 0.3 + 1000 * 1) / MILLION))
    const drawn = { output: 2000, detail: { outputImage: 1000 } }
    expect(priced('gemini-3-pro-image', drawn)).toBe(units((1000 * 12 + 1000 * 120) / MILLION))
    // Cached sound is charged as cached input, not as sound once more.
    const cached = { input: 1000, cachedInput: 1000, detail: { inputAudio: 1000 } }
    expect(priced('gemini-2.5-flash', cached)).toBe(units((1000 * 0.03) / MILLION))
  })

  test('costs by the second, the character or the search where it is sold so', () => {
    expect(priced('whisper-1', { detail: { seconds: 60 } })).toBe(units(0.006))
    expect(priced('tts-1', { detail: { characters: 1000 } })).toBe(units(0.015))
    expect(priced('rerank-v3.5', { detail: { searchUnits: 3 } })).toBe(units(0.006))
    expect(priced('rerank-v3.5', { input: 10 })).toBeNull()
  })

  test('costs its vendor’s fee for each search of the web, and for each request', () => {
    expect(priced('claude-opus-4-5', { input: 1, detail: { webSearches: 2 } })).toBe(
      units(0.02) + 3,
    )
    expect(priced('sonar', { input: 1000, output: 1000 })).toBe(units(0.005 + 0.002))
  })

  test('costs twice as much at DeepSeek’s peak hours, and only there', () => {
    const flash = priceOf('deepseek-flash', defaultSettings)
    const claude = priceOf('claude-opus-4-5', defaultSettings)
    if (!flash || !claude) throw new Error('The table lacks a model.')
    const at = (time: string) => Date.parse(time) / 1000
    expect(peakFactor(flash, at('2026-11-20T03:59:59Z'))).toBe(2)
    expect(peakFactor(flash, at('2026-11-20T04:00:00Z'))).toBe(1)
    expect(peakFactor(flash, at('2026-11-21T03:59:59Z'))).toBe(1)
    expect(peakFactor(claude, at('2026-11-20T03:59:59Z'))).toBe(1)
  })

  test('costs one unit at least, and never more than can be counted', () => {
    expect(priced('gpt-5-nano', { input: 1 })).toBe(1)
    expect(priced('gpt-5-nano', {})).toBe(0)
    expect(priced('o1-pro', { output: Number.MAX_SAFE_INTEGER })).toBe(MAX_QUOTA)
  })
})

describe('a price of one’s own', () => {
  test('takes the place of the whole price of the table', () => {
    const own = { ModelPrice: { 'gpt-5': 0.01 } }
    expect(priced('gpt-5', { input: MILLION, output: MILLION }, own)).toBe(units(0.01))
    expect(priced('gpt-5', { input: MILLION }, { ModelRatio: { 'gpt-5': 10 } })).toBe(units(20))
    const free = { ModelRatio: { 'gpt-5': 0 } }
    expect(priced('gpt-5', { input: MILLION, output: MILLION }, free)).toBe(0)
    const searches = { input: 0, detail: { webSearches: 2 } }
    expect(priced('gpt-5', searches, free)).toBe(0)
    expect(priced('gpt-5', searches, own)).toBe(units(0.01))
    expect(priced('sonar', { input: 1000 }, { ModelRatio: { sonar: 0 } })).toBe(0)
  })

  test('has the table’s proportions where it says nothing of them, else plain ones', () => {
    const own = { ModelRatio: { 'gpt-5': 1, mine: 1 } }
    expect(priced('gpt-5', { output: MILLION }, own)).toBe(units(2 * 8))
    expect(priced('mine', { output: MILLION }, own)).toBe(units(2))
    expect(priced('mine', { input: MILLION, cacheWrite: MILLION }, own)).toBe(units(2 * 1.25))
    const set = { ...own, CompletionRatio: { 'gpt-5': 3 } }
    expect(priced('gpt-5', { output: MILLION }, set)).toBe(units(6))
  })

  test('leaves the table’s long prompts, pictures and fees as they are, in proportion', () => {
    // Twice the table's 1.25 dollars.
    const own = { ModelRatio: { 'gemini-2.5-pro': 1.25, 'gemini-3-pro-image': 2 } }
    expect(priced('gemini-2.5-pro', { input: 200_001 }, own)).toBe(Math.round(units(0.200001 * 5)))
    const kept = { input: 200_001, cachedInput: 200_001 }
    expect(priced('gemini-2.5-pro', kept, own)).toBe(Math.round(units(0.200001 * 0.5)))
    const drawn = { output: 1000, detail: { outputImage: 1000 } }
    expect(priced('gemini-3-pro-image', drawn, own)).toBe(units((1000 * 240) / MILLION))
    const searches = { input: 0, detail: { webSearches: 2 } }
    expect(priced('gpt-5', searches, { ModelRatio: { 'gpt-5': 1 } })).toBe(units(0.02))
  })

  test('may be one ratio or one unit’s price alone, beside the table’s', () => {
    const output = { CompletionRatio: { 'gpt-5': 100 } }
    expect(priced('gpt-5', { output: MILLION }, output)).toBe(units(125))
    expect(priced('gpt-5', { input: MILLION }, output)).toBe(units(1.25))
    const cached = { input: MILLION, cachedInput: MILLION }
    expect(priced('gpt-5', cached, { CacheRatio: { 'gpt-5': 0.5 } })).toBe(units(0.625))
    const second = { UnitPrice: { 'gpt-5': { second: 0.01 } } }
    expect(priced('gpt-5', { input: MILLION, detail: { seconds: 2 } }, second)).toBe(units(1.27))
  })

  test('is not there for a model that nobody has priced', () => {
    expect(priceOf('mine', defaultSettings)).toBeNull()
    expect(priceOf('constructor', defaultSettings)).toBeNull()
    expect(priced('mine', { input: MILLION })).toBeNull()
    expect(priced('mine', { input: 1 }, { CompletionRatio: { mine: 2 } })).toBeNull()
  })

  test('holds at once after a change', () => {
    expect(priced('gpt-5', { input: MILLION })).toBe(units(1.25))
    expect(priced('gpt-5', { input: MILLION }, { ModelRatio: { 'gpt-5': 2 } })).toBe(units(4))
    expect(priced('gpt-5', { input: MILLION })).toBe(units(1.25))
  })
})

test('the log keeps what a call was charged by', () => {
  const price = priceOf('gpt-5-2025-08-07', defaultSettings)
  if (!price) throw new Error('The table lacks the model.')
  expect(priceFacts(price, usage({ input: 10 }))).toEqual({
    price_source: 'table',
    price_as_of: '2026-07-02',
    model_price: -1,
    model_ratio: 0.625,
    completion_ratio: 8,
    cache_ratio: 0.1,
    cache_creation_ratio: 1,
  })
  const own = priceOf('m', { ...defaultSettings, ModelPrice: { m: 0.02 } })
  if (!own) throw new Error('It has no price.')
  expect(priceFacts(own, usage({}))).toEqual({ price_source: 'own', model_price: 0.02 })
})
