import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitEncoding } from '../../../../../main/convert/other/embeddings/fit-encoding.ts'
import { readFixture } from '../../../../support/recordings/fixtures.ts'
import type { Json } from '../../../../support/strict/requests/refusal.ts'

const floats = readFixture('openai-embeddings/float.json')
const base64 = readFixture('openai-embeddings/base64.response.json')

const parsed = (bytes: Buffer | null) => JSON.parse(String(bytes)) as { data: Json[] } & Json
const firstOf = (bytes: Buffer | null) => parsed(bytes).data[0]?.embedding

test('an answer in the encoding that was asked for stays as it is', () => {
  expect(fitEncoding(floats, 'float')).toBeNull()
  expect(fitEncoding(base64, 'base64')).toBeNull()
})

test('floats become the base64 that an SDK reads the same numbers from', () => {
  const answer = fitEncoding(floats, 'base64')
  const bytes = Buffer.from(String(firstOf(answer)), 'base64')
  const read = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4))
  const sent = firstOf(floats) as number[]
  expect(read).toEqual(sent.map(Math.fround))
  expect({ ...parsed(answer), data: [] }).toEqual({ ...parsed(floats), data: [] })
})

test('recorded base64 becomes 1536 floats, and itself again', () => {
  const answer = fitEncoding(base64, 'float')
  expect(firstOf(answer)).toHaveLength(1536)
  expect(firstOf(fitEncoding(answer as Buffer, 'base64'))).toBe(firstOf(base64))
})

test('every float32 survives both ways', () => {
  const numbers = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 })
  fc.assert(
    fc.property(numbers, (embedding) => {
      const answer = Buffer.from(JSON.stringify({ data: [{ object: 'embedding', embedding }] }))
      const there = fitEncoding(answer, 'base64')
      // JSON has no minus zero.
      const back = firstOf(fitEncoding(there as Buffer, 'float')) as number[]
      expect(back).toEqual(embedding.map((one) => one + 0))
    }),
  )
})

test.each([
  ['no JSON', '{"data":[{"embedding":[1,2'],
  ['no answer', '{"error":{"message":"embedding"}}'],
  ['several vectors for one text', '{"data":[{"embedding":[[1,2],[3,4]]}]}'],
])('%s is left alone', (_, text) => {
  expect(fitEncoding(Buffer.from(text), 'base64')).toBeNull()
})
