import { expect, test } from 'vitest'
import { readVendorError } from '../../../../main/convert/errors/vendor-error.ts'

test.each(['choices', 'content', 'candidates', 'data'])(
  'an answer with %s is none for a message beside it',
  (field) => {
    expect(readVendorError({ message: 'Welcome.', [field]: [] })).toBeNull()
  },
)

test('a body that is a message alone is an error', () => {
  expect(readVendorError({ message: 'No such model.', code: 404 })).toMatchObject({
    ...{ message: 'No such model.', status: 404 },
  })
})
