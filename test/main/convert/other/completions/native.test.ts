import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamOptions } from '../../../../../main/convert/codec.ts'
import type { AnswerTarget } from '../../../../../main/convert/conversion.ts'
import { JsonFields } from '../../../../../main/convert/json/json-fields.ts'
import { envelope } from '../../../../../main/convert/other/completions/answer.ts'
import { completionsCodec } from '../../../../../main/convert/other/completions/codec.ts'
import { cutAtRandom } from '../../../../support/clients/cut-at-random.ts'
import { readFixture } from '../../../../support/recordings/fixtures.ts'

const lines = readFixture('openai-completions/text-stream.chunks.txt').toString().trim().split('\n')
const framed = (payloads: readonly string[]) =>
  Buffer.from(payloads.map((line) => `data: ${line}\n\n`).join(''))
const bytes = framed([...lines, '[DONE]'])

function scan(pieces: readonly Buffer[], more: Partial<StreamOptions> = {}) {
  const options = { withholdUsage: false, showModel: null, asArray: false, ...more }
  const scanner = completionsCodec.createScanner(options)
  const out = pieces.map((piece) => scanner.push(piece))
  return { scanner, out: Buffer.concat([...out, scanner.flush()]) }
}

describe('a recorded stream of the endpoint', () => {
  test('passes as it is wherever it is cut, and its usage is read', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 300 }), (seed, largest) => {
        const { scanner, out } = scan(cutAtRandom(bytes, seed, largest))
        expect(out).toEqual(bytes)
        expect(scanner.isWhole()).toBe(true)
        expect(scanner.usage()).toMatchObject({ input: 14, output: 16 })
      }),
      { numRuns: 40 },
    )
  })

  test('keeps the usage that its client did not ask for to itself', () => {
    const { scanner, out } = scan([bytes], { withholdUsage: true })
    expect(out.toString()).toBe(framed([...lines.slice(0, -1), '[DONE]']).toString())
    expect(scanner.usage()).toMatchObject({ input: 14, output: 16 })
  })

  test('shows the model’s name that its client knows', () => {
    const { out } = scan([bytes], { showModel: 'mine' })
    expect(out.toString().match(/"model":"mine"/g)).toHaveLength(lines.length)
  })

  test('that was cut is not whole, and its output is estimated from its text', () => {
    const { scanner } = scan([framed(lines.slice(0, 9))])
    expect(scanner.isWhole()).toBe(false)
    expect(scanner.usage()).toBeNull()
    const text = lines.slice(0, 9).map((line) => JSON.parse(line).choices[0].text)
    expect(text.join('').length).toBeGreaterThan(20)
    expect(scanner.estimateOutput()).toBeGreaterThanOrEqual(6)
    expect(scanner.estimateOutput()).toBeLessThan(30)
  })

  test('that ends in an error tells it', () => {
    const { scanner } = scan([framed([...lines.slice(0, 3), '{"error":{"message":"No more"}}'])])
    expect(scanner.error).toMatchObject({ message: 'No more' })
  })
})

describe('a request to the endpoint', () => {
  const check = (body: object) => () =>
    completionsCodec.checkRequest(new JsonFields(Buffer.from(JSON.stringify(body))), {})

  test.each([
    { prompt: '' },
    { prompt: null },
    { prompt: ['a', 'b'], suffix: 'x', best_of: 3, echo: true, logprobs: 5 },
    { prompt: [[1, 2], [3]], stream: null, stream_options: null },
    { prompt_embeds: 'AAAA' },
  ])('is the vendor’s to judge: %o', (body) => {
    expect(check({ model: 'm', ...body })).not.toThrow()
  })

  test.each([
    ['prompt', { prompt: 5 }],
    ['prompt', { prompt: { text: 'a' } }],
    ['stream', { prompt: 'a', stream: 'yes' }],
    ['stream_options', { prompt: 'a', stream_options: true }],
  ])('is refused for a wrong %s', (field, body) => {
    expect(check({ model: 'm', ...body })).toThrow(expect.objectContaining({ field }))
  })
})

test.each([
  [{ fields: { system_fingerprint: 'fp_1' } }, { system_fingerprint: 'fp_1' }],
  [undefined, {}],
])('an answer converted from chat keeps its fingerprint: %j', (native, own) => {
  const target = { id: 'i', created: 1, model: 'm' } as AnswerTarget
  expect(envelope(target, native && { origin: 'chat', ...native })).toEqual({
    ...{ id: 'cmpl-i', object: 'text_completion', created: 1, model: 'm' },
    ...own,
  })
})
