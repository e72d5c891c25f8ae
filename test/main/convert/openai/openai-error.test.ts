import { expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import { openaiCode } from '../../../../main/convert/openai/openai-error.ts'

test.each([
  ['rate_limit_error', 'rate_limit_exceeded'],
  ['RESOURCE_EXHAUSTED', 'rate_limit_exceeded'],
  ['billing_error', 'insufficient_quota'],
  ['no_such_thing', 'no_such_thing'],
])('another vendor’s %s is %s for a client of OpenAI', (vendorCode, code) => {
  expect(openaiCode(new GatewayError('upstream_error', { message: 'x', vendorCode }))).toBe(code)
})
