import { expect, onTestFinished, test } from 'vitest'
import { GatewayError } from '../../../main/base/errors.ts'
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
