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

test.each([
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [59_990, '59.99 s'],
  [59_996, '1 min 0 s'],
  [null, '–'],
])('%s ms last %s', (milliseconds, shown) => {
  expect(createFormat('en').duration(milliseconds)).toBe(shown)
})

test('a time half a year away tells its year, so that a token of next year is not taken for expired', () => {
  const day = 86_400
  const now = Date.now() / 1000
  const { time } = createFormat('en')
  expect(time(now)).not.toMatch(/[A-Z]/)
  for (const near of [now - 30 * day, now + 170 * day]) expect(time(near)).not.toMatch(/\d{4}/)
  for (const far of [now - 300 * day, now + 365 * day])
    expect(time(far)).toContain(String(new Date(far * 1000).getFullYear()))
})

test('items of a list are separated as the language does', () => {
  expect(createFormat('en').list(['chat', 'images'])).toBe('chat, images')
  expect(createFormat('zh').list(['对话', '图片'])).toBe('对话、图片')
})
