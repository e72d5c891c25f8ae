import { expect, test } from 'vitest'
import { JsonFields } from '../../../../main/convert/json/json-fields.ts'
import { withoutNote } from '../../../../main/relay/channel/without-note.ts'
import { claudeCodeFirst } from '../../../support/agent-requests/claude-code.ts'

const body = new JsonFields(Buffer.from(JSON.stringify(claudeCodeFirst('claude-opus-5'))))

test.each([
  ['https://api.anthropic.com/v1/messages', undefined, false],
  ['https://api.anthropic.com/v1/messages', true, true],
  ['https://api.anthropic.com.example/v1/messages', undefined, true],
  ['https://api.deepseek.com/anthropic/v1/messages', undefined, true],
  ['https://api.deepseek.com/anthropic/v1/messages', false, false],
])('%s with the setting %s: left out = %s', (url, strip, isLeftOut) => {
  const settings = strip === undefined ? {} : { strip_billing_header: strip }
  expect(withoutNote('messages', body, { settings }, url) !== null).toBe(isLeftOut)
})
