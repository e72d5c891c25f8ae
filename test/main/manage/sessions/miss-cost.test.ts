import { expect, test } from 'vitest'
import { missCost } from '../../../../main/manage/sessions/miss-cost.ts'
import type { StoredCall } from '../../../../main/store/ledger/ledger.ts'
import { defaultSettings } from '../../../../main/store/state/default-settings.ts'

const settings = { ...defaultSettings, ModelRatio: { m: 1 }, CacheRatio: { m: 0.1 } }
const costOf = (other: object) => {
  const row = { model: 'm', promptTokens: 10_000, cachedTokens: 0, completionTokens: 10 }
  return missCost({ ...row, other: JSON.stringify(other) } as StoredCall, 5000, settings)
}

test('tokens that were not in the cache cost more by the group and the hour of their call', () => {
  expect(costOf({})).toBe(4500)
  expect(costOf({ group_ratio: 0.5 })).toBe(2250)
  expect(costOf({ group_ratio: 0.5, peak_factor: 4 })).toBe(9000)
})
