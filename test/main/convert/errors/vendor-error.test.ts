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

test.each([
  [1002, 429],
  [2049, 401],
  [1026, 400],
  [1000, null],
])('MiniMax’s code %i under status 200 is an error, also beside empty choices', (code, status) => {
  const base_resp = { status_code: code, status_msg: 'Not now.' }
  const told = { message: 'Not now.', status, code: String(code) }
  expect(readVendorError({ base_resp })).toEqual(told)
  expect(readVendorError({ choices: null, base_resp })).toEqual(told)
  expect(readVendorError({ choices: [{ message: { content: 'Hi' } }], base_resp })).toBeNull()
})

test('MiniMax’s code of a good answer is no error', () => {
  const base_resp = { status_code: 0, status_msg: '' }
  expect(readVendorError({ vectors: [[1]], base_resp })).toBeNull()
})

test.each([
  ['lists', '[', ']'],
  ['errors behind errors', '{"error":{"message":"a","metadata":{"raw":', '}}}'],
  ['an error of lists', '{"error":[', ']}'],
  ['an error without a sentence', '{"error":{"a":', '}}'],
])('a body of %s, however deep, is read without harm', (_, begin, end) => {
  const body = JSON.parse(`${begin.repeat(100_000)}null${end.repeat(100_000)}`)
  expect(() => readVendorError(body)).not.toThrow()
})
