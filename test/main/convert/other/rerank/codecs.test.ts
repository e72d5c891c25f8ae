import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../../main/base/errors.ts'
import { JsonFields } from '../../../../../main/convert/json/json-fields.ts'
import { cohereRerankCodec, rerankCodec } from '../../../../../main/convert/other/rerank/codecs.ts'
import { readFixture } from '../../../../support/recordings/fixtures.ts'

const fieldsOf = (body: unknown) => new JsonFields(Buffer.from(JSON.stringify(body)))

describe.each([rerankCodec, cohereRerankCodec])('POST /rerank ($format)', (codec) => {
  test.each([
    ['texts', { query: 'a', documents: ['b'], top_n: 1 }],
    ['objects', { query: 'a', documents: [{ text: 'b' }], top_n: null }],
    ['what vLLM takes for a list', { query: 'a', documents: { content: [{}] } }],
  ])('takes %s', (_, body) => {
    expect(() => codec.checkRequest(fieldsOf(body), {})).not.toThrow()
  })

  test.each([
    ['no query', { documents: ['b'] }, 'query'],
    ['a list of queries', { query: ['a'], documents: ['b'] }, 'query'],
    ['no documents', { query: 'a' }, 'documents'],
    ['an empty list', { query: 'a', documents: [] }, 'documents'],
    ['an object of nothing', { query: 'a', documents: {} }, 'documents'],
    ['a text for documents', { query: 'a', documents: 'b' }, 'documents'],
    ['no results wanted', { query: 'a', documents: ['b'], top_n: 0 }, 'top_n'],
  ])('refuses %s', (_, body, field) => {
    const check = () => codec.checkRequest(fieldsOf(body), {})
    expect(check).toThrow(expect.objectContaining({ code: 'invalid_request', field }))
  })

  test('reads what each vendor tells of the use', () => {
    const cohere = codec.readUsage(new JsonFields(readFixture('rerank/cohere-v2.json')))
    expect(cohere).toMatchObject({ input: 0, detail: { searchUnits: 1 } })
    const vllm = codec.readUsage(fieldsOf({ usage: { prompt_tokens: 56, total_tokens: 56 } }))
    expect(vllm).toMatchObject({ input: 56 })
    expect(codec.readUsage(fieldsOf({ results: [] }))).toBeNull()
  })
})

test('an error has Cohere’s shape with OpenAI’s beside it', () => {
  const error = new GatewayError('invalid_request', {
    message: 'query: is required.',
    field: 'query',
  })
  expect(cohereRerankCodec.encodeError(error, 'r1')).toMatchObject({
    id: 'r1',
    message: 'query: is required.',
    error: { type: 'invalid_request_error', param: 'query' },
  })
  expect(rerankCodec.encodeError(error, 'r1')).not.toHaveProperty('id')
})

test('results in `data` come under the names that clients read, a score too', () => {
  const answer = { object: 'list', data: [{ index: 1, score: 0.9, document: 'b' }], model: 'm' }
  const fitted = rerankCodec.fitAnswer?.(Buffer.from(JSON.stringify(answer)), fieldsOf({}))
  expect(JSON.parse(String(fitted))).toEqual({
    object: 'list',
    model: 'm',
    results: [{ index: 1, relevance_score: 0.9, document: { text: 'b' } }],
  })
})
