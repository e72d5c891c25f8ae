import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../../main/base/errors.ts'
import { JsonFields } from '../../../../../main/convert/json/json-fields.ts'
import { compactCodec } from '../../../../../main/convert/other/compact/codec.ts'

const fieldsOf = (value: object) => new JsonFields(Buffer.from(JSON.stringify(value)))
const check = (body: object) => () => compactCodec.checkRequest(fieldsOf(body), {})

describe('a conversation to be compacted', () => {
  test.each([
    { input: 'Hi' },
    { input: [{ role: 'user', content: 'Hi' }], instructions: 'Be brief', tools: [] },
    { previous_response_id: 'resp_1', input: null },
    { input: 'Hi', stream: false },
  ])('passes: %o', (body) => {
    expect(check({ model: 'm', ...body })).not.toThrow()
  })

  test.each([
    ['input', {}],
    ['input', { input: 5 }],
    ['input[0]', { input: ['Hi'] }],
    ['stream', { input: 'Hi', stream: 'no' }],
    ['stream', { input: 'Hi', stream: true }],
  ])('is refused for its %s', (field, body) => {
    expect(check({ model: 'm', ...body })).toThrow(expect.objectContaining({ field }))
  })
})

test('what a compaction used is read, and no call is converted to or from one', () => {
  const answer = {
    id: 'resp_1',
    object: 'response.compaction',
    created_at: 1_790_000_000,
    output: [{ id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAA' }],
    usage: {
      input_tokens: 139,
      input_tokens_details: { cached_tokens: 100 },
      output_tokens: 438,
      output_tokens_details: { reasoning_tokens: 64 },
      total_tokens: 577,
    },
  }
  expect(compactCodec.readUsage(fieldsOf(answer))).toEqual({
    input: 139,
    cachedInput: 100,
    cacheWrite: 0,
    output: 438,
    reasoning: 64,
  })
  expect(compactCodec.answerKeys.every((key) => JSON.stringify(answer).includes(key))).toBe(true)
  expect(compactCodec.conversion).toBeUndefined()
})

test('its errors are OpenAI’s', () => {
  const error = new GatewayError('invalid_request', { message: 'input: is wrong.', field: 'input' })
  expect(compactCodec.encodeError(error, 'id1')).toMatchObject({
    error: { type: 'invalid_request_error', param: 'input' },
  })
})
