import { expect, test } from 'vitest'
import { createFormat } from '../../../renderer/components/format/use-format.ts'

test.each([
  [499_951, '$1.00'],
  [500_000, '$1.00'],
  [250_000, '$0.50'],
  [49, '$0.000098'],
  [0, '$0.00'],
  [-499_999, '−$1.00'],
  [null, '–'],
])('%s units are shown as %s', (units, shown) => {
  expect(createFormat('en').money(units)).toBe(shown)
})

test.each([
  [499_999_999, '$1,000.00'],
  [500_000_000, '$1K'],
  [6_000_000_000, '$12K'],
  [-6_000_000_000, '−$12K'],
  [49, '$0.000098'],
])('%s units fit beside an axis as %s', (units, shown) => {
  expect(createFormat('en').shortMoney(units)).toBe(shown)
})

test.each([
  [0, '0%'],
  [0.9637, '96.4%'],
  [null, '–'],
])('a share of %s is shown as %s', (share, shown) => {
  expect(createFormat('en').percent(share)).toBe(shown)
})
