import { expect, test } from 'vitest'
import { utcTime } from '../../../../main/base/text/utc-time.ts'

const at = (text: string) => utcTime(Date.parse(text) / 1000)

test('a time in a sentence is read at a glance, and to the second where it has one', () => {
  expect(at('2026-11-28T23:00:00Z')).toBe('2026-11-28 23:00 UTC')
  expect(at('2026-11-28T23:00:00+02:00')).toBe('2026-11-28 21:00 UTC')
  expect(at('2026-11-28T23:07:09Z')).toBe('2026-11-28 23:07:09 UTC')
  expect(at('2026-11-28T00:00:10Z')).toBe('2026-11-28 00:00:10 UTC')
})
