import { describe, expect, test } from 'vitest'
import type { Usage } from '../../../../main/convert/exchange.ts'
import { priceOf } from '../../../../main/relay/pricing/model-price.ts'
import { quotaOf } from '../../../../main/relay/pricing/price.ts'
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
const priced = (fields: Partial<Usage>, settings: Partial<Settings>) =>
  quotaOf(priceOf('m', { ...defaultSettings, ...settings }), usage(fields), 1)

describe('what a call costs', () => {
  test('sound and pictures that were read cost what their ratios say, the rest what text costs', () => {
    const detail = { inputAudio: 40, inputImage: 20 }
    const settings = { ModelRatio: { m: 1 }, AudioRatio: { m: 10 }, ImageRatio: { m: 5 } }
    // 40 tokens of text, 40 of sound, 20 of pictures.
    expect(priced({ input: 100, detail }, settings)).toBe(40 + 400 + 100)
  })

  test('sound and pictures beyond the prompt are charged for no more than was read', () => {
    const detail = { inputAudio: 80, inputImage: 60 }
    const settings = { ModelRatio: { m: 1 }, AudioRatio: { m: 10 }, ImageRatio: { m: 5 } }
    expect(priced({ input: 100, detail }, settings)).toBe(800 + 100)
  })

  test('spoken tokens cost their own ratio over what sound costs that was heard', () => {
    const settings = {
      ModelRatio: { m: 1 },
      CompletionRatio: { m: 4 },
      AudioRatio: { m: 10 },
      AudioCompletionRatio: { m: 2 },
    }
    const detail = { outputAudio: 30 }
    expect(priced({ output: 50, detail }, settings)).toBe(20 * 4 + 30 * 20)
    expect(
      priced({ output: 50, detail }, { ModelRatio: { m: 1 }, CompletionRatio: { m: 4 } }),
    ).toBe(200)
  })

  test('spoken tokens cost their multiple of text over what sound costs, where they have none of their own', () => {
    const settings = { ModelRatio: { m: 1 }, CompletionRatio: { m: 4 }, AudioRatio: { m: 10 } }
    expect(priced({ output: 50, detail: { outputAudio: 30 } }, settings)).toBe(20 * 4 + 30 * 40)
  })

  test('seconds, characters, pictures and searches cost what a unit of them costs', () => {
    const second = { UnitPrice: { m: { second: 0.0001 } } }
    expect(priced({ detail: { seconds: 37 } }, second)).toBe(1850)
    const character = { UnitPrice: { m: { character: 0.000015 } } }
    expect(priced({ detail: { characters: 1000 } }, character)).toBe(7500)
    expect(priced({ detail: { images: 2 } }, { UnitPrice: { m: { image: 0.04 } } })).toBe(40_000)
    expect(priced({ detail: { searchUnits: 1 } }, { UnitPrice: { m: { search: 0.002 } } })).toBe(
      1000,
    )
  })

  test('what a compaction read makes no long prompt of the one that came out', () => {
    const row = priceOf('gemini-2.5-pro', defaultSettings)
    const { above } = row?.long ?? expect.fail('It has no price for long prompts.')
    const cost = (input: number, compactionInput: number) =>
      quotaOf(row, usage({ input, detail: { compactionInput } }), 1) ?? 0
    const short = cost(above, 0)
    expect(cost(2 * above, above)).toBe(2 * short)
    expect(cost(2 * above, 0)).toBeGreaterThan(2 * short)
  })

  test('what has a price for tokens only is unpriced where seconds were counted, not free', () => {
    expect(priced({ detail: { seconds: 37 } }, { ModelRatio: { m: 1 } })).toBeNull()
    expect(priced({ input: 5, detail: { images: 1 } }, { ModelRatio: { m: 1 } })).toBe(5)
    expect(priced({ detail: { seconds: 37 } }, { UnitPrice: { m: { image: 1 } } })).toBeNull()
  })

  test('a vendor’s fee for each request is multiplied by the group’s factor like the rest', () => {
    const sonar = priceOf('sonar', defaultSettings)
    const [plain, doubled] = [1, 2].map((factor) => quotaOf(sonar, usage({ input: 1000 }), factor))
    expect(plain).toBe(2500 + 500)
    expect(doubled).toBe(2 * (plain ?? 0))
  })

  test('a price by the call is taken for each picture that was made', () => {
    const settings = { ModelPrice: { m: 0.02 } }
    expect(priced({ detail: { images: 3 } }, settings)).toBe(30_000)
    expect(priced({ input: 9 }, settings)).toBe(10_000)
  })
})

test.each(['claude-fable-5-2', 'claude-mythos-5-2', 'claude-opus-5-5'])(
  '%s in fast mode costs twice as much',
  (model) => {
    const cost = (fields: Partial<Usage>) =>
      quotaOf(priceOf(model, defaultSettings), usage({ input: 1000, output: 1000, ...fields }), 1)
    expect(cost({ tier: 'fast' })).toBe((cost({}) ?? 0) * 2)
  },
)
