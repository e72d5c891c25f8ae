import { describe, expect, test } from 'vitest'
import { readResponsesError } from '../../../../main/convert/responses/answer/read-error.ts'

describe('what a stream says of its failure', () => {
  test.each([
    ['flex_unavailable', 429],
    ['credit_balance_exhausted', 429],
    ['server_is_overloaded', 503],
    ['context_length_exceeded', 400],
  ])('%s is told with the status that a refusal has, %i', (code, status) => {
    const message = 'It failed.'
    const error = { code, message }
    const failed = { type: 'response.failed', response: { status: 'failed', error } }
    expect(readResponsesError(failed)).toEqual({ message, status, code })
    expect(readResponsesError({ type: 'error', ...error })).toMatchObject({ status, code })
  })
})
