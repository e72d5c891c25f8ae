import { describe, expect, test } from 'vitest'
import { disableReason } from '../../../../main/relay/failure/disable-rule.ts'
import { ErrorInAnswer } from '../../../../main/relay/failure/error-in-answer.ts'
import { failureOfError } from '../../../../main/relay/failure/failure-of-error.ts'
import { failureOfRefusal } from '../../../../main/relay/failure/failure-of-refusal.ts'
import type { Channel } from '../../../../main/store/records/channels.ts'
import { defaultSettings } from '../../../../main/store/state/default-settings.ts'
import { readFixture } from '../../../support/recordings/fixtures.ts'

const OPENAI = 1
const GEMINI = 24

const reasonOf = (status: number, body: unknown, type = OPENAI, settings = defaultSettings) => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const failure = failureOfRefusal({ status, headers: {}, body: bytes, url: '' })
  return disableReason(failure, type, settings)
}

const said = (message: string, more: object = {}) => ({ error: { message, ...more } })

const limitOfAMinute = readFixture('gemini/error-429-retry-info.json').toString()

describe('a channel goes for', () => {
  test.each([
    ['a refused key', 401, said('Incorrect API key', { code: 'invalid_api_key' }), OPENAI, true],
    ['any 401', 401, 'Unauthorized', OPENAI, true],
    ['a shut Google project', 403, said('Denied', { status: 'X' }), GEMINI, false],
    [
      'a bad Google key, told with 400',
      400,
      [said('API key not valid.', { details: [{ reason: 'API_KEY_INVALID' }] })],
      GEMINI,
      true,
    ],
    [
      'a bad xAI key, told with 400',
      400,
      { code: 'invalid-argument', error: 'Incorrect API key provided. You can obtain one.' },
      OPENAI,
      true,
    ],
    ['a dead account', 403, said('Gone', { code: 'account_deactivated' }), OPENAI, true],
    [
      'an account that Anthropic put on hold',
      400,
      said('No', { details: { error_code: 'organization_on_hold' } }),
      14,
      true,
    ],
    ['unpaid bills', 429, said('Pay', { code: 'billing_not_active' }), OPENAI, false],
    ['an empty account', 429, said('No', { type: 'insufficient_quota' }), OPENAI, false],
    ['Anthropic’s permission error', 403, said('No', { type: 'permission_error' }), 14, false],
    [
      'DashScope’s arrears, beside the message',
      400,
      { code: 'Arrearage', message: 'x' },
      17,
      false,
    ],
    ['a keyword, whatever its case', 400, said('YOUR CREDIT BALANCE IS TOO LOW'), 14, false],
    ['a keyword in plain text', 500, 'sorry: Operation not allowed here', OPENAI, false],
  ])('%s', (_name, status, body, type, isFinal) => {
    expect(reasonOf(status, body, type)).toMatchObject({ isFinal })
  })
})

describe('a channel stays after', () => {
  test.each([
    ['a limit of one minute in the words of an empty account', 429, limitOfAMinute, GEMINI],
    ['too many calls', 429, said('Slow down', { type: 'rate_limit_error' }), OPENAI],
    ['a 403 of another vendor', 403, said('Your region is not supported'), OPENAI],
    [
      'a model that does not exist',
      404,
      said('No such model', { code: 'model_not_found' }),
      OPENAI,
    ],
    [
      'a Google file that the client names and that is not there',
      403,
      said('You do not have permission to access the File abc or it may not exist.'),
      GEMINI,
    ],
    [
      'a plan of Kimi’s that is used up for now',
      403,
      said("You've reached your usage limit for this billing cycle.", { type: 'permission_error' }),
      14,
    ],
    ['words of the client’s that are quoted', 400, said('role: "API_KEY_INVALID"?'), GEMINI],
    ['a failure of the server', 500, said('Oops', { type: 'server_error' }), OPENAI],
    ['a wrong request', 400, said('temperature is too high'), GEMINI],
  ])('%s', (_name, status, body, type) => {
    expect(reasonOf(status, body, type)).toBeNull()
  })
})

test('statuses and keywords are those of the settings', () => {
  const own = {
    ...defaultSettings,
    AutomaticDisableStatusCodes: '402,520-530',
    AutomaticDisableKeywords: 'moon\n\n  ',
  }
  expect(reasonOf(402, said('Pay'), OPENAI, own)?.text).toBe('status 402: Pay')
  expect(reasonOf(525, 'x', OPENAI, own)).not.toBeNull()
  expect(reasonOf(401, said('Bad key'), OPENAI, own)).toBeNull()
  expect(reasonOf(400, said('Under the Moon'), OPENAI, own)).not.toBeNull()
  expect(reasonOf(400, said('Permission denied'), OPENAI, own)).toBeNull()
})

test('an error that hides in a 200 answer counts as what it says', () => {
  const channel = { name: 'x' } as Channel
  const of = (status: number | null, code: string | null) => {
    const failure = failureOfError(new ErrorInAnswer({ status, code, message: 'No' }, channel))
    return disableReason(failure, OPENAI, defaultSettings)
  }
  expect(of(401, null)).toMatchObject({ text: 'status 401: No', isFinal: true })
  // No status was named: none is told.
  expect(of(null, 'invalid_api_key')).toEqual({ text: 'No', why: 'No', isFinal: true })
  expect(of(429, 'insufficient_quota')).toMatchObject({ isFinal: false })
  expect(of(429, 'rate_limit_exceeded')).toBeNull()
})
