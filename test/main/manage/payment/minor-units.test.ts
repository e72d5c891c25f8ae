import { expect, test } from 'vitest'
import { fromMinorUnits, inMinorUnits } from '../../../../main/manage/payment/minor-units.ts'

test.each([
  ['eur', 19.99, 1999],
  ['jpy', 500, 500],
  ['kwd', 1.25, 1250],
])('an amount in %s goes to minor units and back', (currency, amount, minor) => {
  expect(inMinorUnits(amount, currency)).toBe(minor)
  expect(fromMinorUnits(minor, currency, 'creem')).toBe(amount)
})

test.each([
  ['isk', 5],
  ['mga', 500],
  ['ugx', 5],
])('500 units of %s at Stripe are %d', (currency, amount) => {
  expect(fromMinorUnits(500, currency, 'stripe')).toBe(amount)
})

test('a currency that is none is shown all the same', () => {
  expect(fromMinorUnits(500, 'credits', 'creem')).toBe(5)
})
