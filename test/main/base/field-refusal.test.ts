import { expect, onTestFinished, test } from 'vitest'
import { fieldRefusal } from '../../../main/base/field-refusal.ts'
import { secrets } from '../../../main/base/log/redact.ts'

test('a refused field is named with its rule, in a sentence and by code', () => {
  const error = fieldRefusal('temperature', { code: 'must_be_number_from', least: 0, most: 2 })
  expect(error.code).toBe('invalid_request')
  expect(error.field).toBe('temperature')
  expect(error.message).toBe('temperature: must be a number from 0 to 2.')
  expect(error.reason).toEqual({
    ...{ code: 'body_field_wrong', field: 'temperature' },
    why: { code: 'must_be_number_from', least: 0, most: 2 },
  })
})

test('the values that a field may have are alternatives', () => {
  const refused = (values: string[]) =>
    fieldRefusal('a', { code: 'must_be_either', values }).message
  expect(refused(['user'])).toBe('a: must be user.')
  expect(refused(['user', 'model'])).toBe('a: must be user or model.')
  expect(refused(['auto', 'any', 'none'])).toBe('a: must be auto, any or none.')
})

test('a key and a long text in what was sent are told by code as in the sentence', () => {
  const key = 'sk-a-key-of-some-channel'
  onTestFinished(secrets.follow({ version: () => key, list: () => [key] }))
  const given = `${key} ${'x'.repeat(100_000)}`
  const error = fieldRefusal('voice', { code: 'must_be_known_voice', voices: 'Kore', given })
  const told = JSON.stringify(error.reason)
  expect(error.message).toContain('must be one of: Kore (not ')
  expect(error.message + told).not.toContain(key)
  expect(told.length).toBeLessThan(3000)
})
