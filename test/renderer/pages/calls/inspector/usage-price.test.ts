import { expect, test } from 'vitest'
import type { TimelineRow } from '../../../../../renderer/gateway/records.ts'
import { readOtherCosts } from '../../../../../renderer/pages/calls/inspector/other-costs.ts'
import { readUsagePrice } from '../../../../../renderer/pages/calls/inspector/usage-price.ts'

test('new text beside sound from the cache is shown at the price of text', () => {
  const other = JSON.stringify({
    ...{ model_ratio: 2, cache_ratio: 0.1, audio_ratio: 8, cache_tokens: 20_000 },
    ...{ audio_input: 20_000, cached_audio: 20_000 },
  })
  const row = { prompt_tokens: 30_000, completion_tokens: 0, other }
  const kinds = readUsagePrice(row as unknown as TimelineRow)?.kinds ?? []
  expect(kinds.map(({ kind, tokens, cost }) => [kind, tokens, Number(cost.toFixed(6))])).toEqual([
    ['input', 10_000, 0.04],
    ['cached', 20_000, 0.008],
  ])
})

test('tokens of another service tier are shown at its price', () => {
  const other = JSON.stringify({ model_ratio: 2, completion_ratio: 5, service_tier_factor: 2.5 })
  const row = { prompt_tokens: 1000, completion_tokens: 100, other }
  const { kinds = [], factor } = readUsagePrice(row as unknown as TimelineRow) ?? {}
  expect(factor).toBe(2.5)
  expect(kinds.map(({ rate, cost }) => [rate, Number(cost.toFixed(6))])).toEqual([
    [10, 0.01],
    [50, 0.005],
  ])
})

test('tokens of an hour with a price of its own, in a group with a ratio, are shown at both', () => {
  const other = JSON.stringify({ model_ratio: 1, group_ratio: 2, peak_factor: 1.5 })
  const row = { prompt_tokens: 1000, completion_tokens: 0, other }
  const { kinds = [], factor } = readUsagePrice(row as unknown as TimelineRow) ?? {}
  expect(factor).toBe(3)
  expect(kinds.map(({ rate, cost }) => [rate, cost])).toEqual([[6, 0.006]])
})

test('what is kept for twelve hours is shown at twice the price of a write', () => {
  const other = JSON.stringify({
    ...{ model_ratio: 1, cache_ratio: 0.05, cache_creation_ratio: 1.25 },
    ...{ cache_creation_tokens: 2000, cache_creation_tokens_12h: 1000 },
  })
  const row = { prompt_tokens: 2000, completion_tokens: 0, other }
  const kinds = readUsagePrice(row as unknown as TimelineRow)?.kinds ?? []
  expect(kinds.map(({ kind, cost }) => [kind, Number(cost.toFixed(6))])).toEqual([
    ['cacheWrite', 0.0075],
  ])
})

test('pictures of a row without a ratio of their own are shown at the price of the answer', () => {
  const other = JSON.stringify({ model_ratio: 1, completion_ratio: 4, image_output: 1000 })
  const row = { prompt_tokens: 0, completion_tokens: 1500, other }
  const kinds = readUsagePrice(row as unknown as TimelineRow)?.kinds ?? []
  expect(kinds.map(({ kind, tokens, rate }) => [kind, tokens, rate])).toEqual([
    ['output', 500, 8],
    ['imageOutput', 1000, 8],
  ])
})

test('all that a call cost beside its tokens is named, with its factors', () => {
  const other = JSON.stringify({
    ...{ model_ratio: 1, group_ratio: 2, peak_factor: 1.5, service_tier_factor: 4 },
    ...{ web_search_call_count: 3, web_search_price: 0.01, request_price: 0.002 },
    ...{ seconds: 10, unit_price: { second: 0.001, image: 1 }, cache_storage_cost: 0.5 },
    beside: [
      { models: ['claude-fable-5'], quota: 250_000 },
      { models: ['scribe'], quota: null },
    ],
  })
  expect(
    readOtherCosts({ other }).map(({ kind, models, count, cost }) => [kind, models, count, cost]),
  ).toEqual([
    ['seconds', [], 10, expect.closeTo(0.03)],
    ['web_search_call_count', [], 3, expect.closeTo(0.09)],
    ['request', [], null, expect.closeTo(0.006)],
    ['storage', [], null, 1.5],
    ['models', ['claude-fable-5'], null, 0.5],
    ['models', ['scribe'], null, null],
  ])
})

test('pictures at a price of the call cost as often as there are pictures, and nothing else', () => {
  const other = JSON.stringify({ model_price: 0.04, images: 3, unit_price: { image: 9 } })
  const row = { prompt_tokens: 0, completion_tokens: 0, other }
  expect(readUsagePrice(row as unknown as TimelineRow)?.perCall).toBeCloseTo(0.12)
  expect(readOtherCosts({ other })).toEqual([])
  const free = JSON.stringify({ model_price: 0, images: 3, unit_price: { image: 9 } })
  expect(readOtherCosts({ other: free })).toEqual([])
})

test('an older row’s other model, which stood alone, is named too', () => {
  const other = JSON.stringify({ beside: { models: ['writer'], quota: 500_000 } })
  expect(readOtherCosts({ other })).toMatchObject([{ models: ['writer'], cost: 1 }])
})

test('a cache that costs what other input does has saved nothing to tell of', () => {
  const other = JSON.stringify({ model_ratio: 37.5, cache_ratio: 1, cache_tokens: 400 })
  const row = { prompt_tokens: 1000, completion_tokens: 0, other }
  expect(readUsagePrice(row as unknown as TimelineRow)?.saved).toBeNull()
})
