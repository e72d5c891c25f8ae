import { expect, onTestFinished, test } from 'vitest'
import { GatewayError, shownValue } from '../../../main/base/errors.ts'
import { secrets } from '../../../main/base/log/redact.ts'

test('the values of a reason hold no secret and have a bounded length, as its message does', () => {
  const key = 'abcd-1234-efgh-5678'
  onTestFinished(secrets.follow({ version: () => key, list: () => [key] }))
  const { message, reason } = new GatewayError('invalid_request', {
    message: `The vendor refused ${key}.`,
    reason: { code: 'path_unknown', method: key, path: 'x'.repeat(1_000_000) },
  })
  expect(message).not.toContain(key)
  expect(reason).toMatchObject({ code: 'path_unknown', method: '***' })
  expect(JSON.stringify(reason).length).toBeLessThan(3000)
})

test('a message of any length is cut, and a secret that the cut would halve stands in it nowhere', () => {
  const key = 'abcd-1234-efgh-5678'
  onTestFinished(secrets.follow({ version: () => key, list: () => [key] }))
  const { message } = new GatewayError('invalid_request', {
    message: `${'x'.repeat(32_768 - 10)}${key}${'y'.repeat(100_000)}`,
  })
  expect(message.length).toBeLessThan(33_000)
  expect(message).toMatch(/^x+[^x]*…$/)
  expect(message).not.toContain(key.slice(0, 5))
})

test('values in lists and objects of a reason hold no secret either, and their codes stay', () => {
  const key = 'abcd-1234-efgh-5678'
  onTestFinished(secrets.follow({ version: () => key, list: () => [key] }))
  const values = [key, null, 5, { code: 'field_empty', why: key }]
  expect(shownValue({ code: 'must_be_one_of', values })).toEqual({
    code: 'must_be_one_of',
    values: ['***', null, 5, { code: 'field_empty', why: '***' }],
  })
})
