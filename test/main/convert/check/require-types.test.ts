import { expect, test } from 'vitest'
import { requireTypes } from '../../../../main/convert/check/require-types.ts'
import { ExactNumber } from '../../../../main/convert/json/exact-json.ts'

const check = (n: unknown) => () => requireTypes({ n }, { n: 'count' })

test.each([0, 0.5, 7, new ExactNumber('12345678901234567890'), null, undefined])(
  '%s is taken for a number of at least 0',
  (value) => {
    expect(check(value)).not.toThrow()
  },
)

test.each([-1, '7', true, [], {}])('%j is not', (value) => {
  expect(check(value)).toThrow('n: must be a number of at least 0')
})
