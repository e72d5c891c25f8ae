import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import { FormBody, type FormOptions } from '../../../../main/upstream/form/form-data.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import {
  allBytes,
  FORM_TYPE,
  formBytes,
  type WrittenPart,
  wavBytes,
} from '../../../support/clients/form-bytes.ts'

const rules: FormOptions = { files: ['file', 'image[]'], single: ['model'] }
const parts: readonly WrittenPart[] = [
  { name: 'prompt', body: '\r\n--not the end\r\n----test-boundar' },
  { name: 'file', body: wavBytes(40), filename: 'größe.wav', contentType: 'audio/wav' },
  { name: 'empty', body: '' },
  { name: 'model', body: 'whisper-1' },
]
const whole = formBytes(parts)

/** All that can be asked of a form that comes in these pieces. */
async function readForm(pieces: readonly Buffer[]) {
  const form = FormBody.open(Readable.from(pieces), FORM_TYPE, rules)
  try {
    const { fields, files } = await form.whole()
    const named = files.map(({ field, filename, contentType, size }) => ({
      ...{ field, filename, contentType, size },
    }))
    const bytes = await Promise.all(
      files.map(async (file) => (await file.bytes()).toString('latin1')),
    )
    const raw = (await allBytes(form.outgoing({}).bytes)).toString('latin1')
    const changed = await allBytes(form.outgoing({ model: 'other' }).bytes)
    return { fields, named, bytes, raw, changedLength: changed.length }
  } finally {
    await form.close()
  }
}

/** Long runs of a boundary's characters, the worst case for a parser. */
const nasty = fc
  .array(fc.constantFrom('\r', '\n', '-', '--', '\r\n--', '----test-boundar', 'y', 'x', '\0'), {
    maxLength: 60,
  })
  .map((pieces) => Buffer.from(pieces.join('').replaceAll('\r\n------test-boundary', 'no')))

describe('a form', () => {
  test('is the same however its bytes are cut', async () => {
    const expected = await readForm([whole])
    expect(expected.raw).toBe(whole.toString('latin1'))
    expect(expected.fields).toMatchObject({ model: ['whisper-1'], empty: [''] })
    for (let at = 1; at < whole.length; at++) {
      expect(await readForm([whole.subarray(0, at), whole.subarray(at)])).toEqual(expected)
    }
    for (const largest of [1, 7, 64]) {
      for (let seed = 1; seed <= 4; seed++) {
        expect(await readForm(cutAtRandom(whole, seed, largest))).toEqual(expected)
      }
    }
  })

  test('that ends anywhere before its closing line is refused', async () => {
    for (let end = 0; end < whole.length - 2; end++) {
      const error = await readForm([whole.subarray(0, end)]).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(GatewayError)
      expect(error).toMatchObject({ code: 'invalid_request' })
    }
    // Bytes after the closing line don't matter, not even its line end.
    await readForm([whole.subarray(0, -2)])
    await readForm([Buffer.from('preamble\r\n'), whole, Buffer.from('epilogue')])
  })

  test('keeps every byte of a file, whatever stands in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(nasty, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        async (all, seed) => {
          const files = all.map((body, index) => ({
            name: 'image[]',
            body: Buffer.concat([body, Buffer.from('.')]),
            filename: `${index}.png`,
          }))
          const bytes = formBytes([...files, { name: 'model', body: 'm' }])
          const found = await readForm(cutAtRandom(bytes, seed, 40))
          expect(found.bytes).toEqual(files.map((file) => file.body.toString('latin1')))
          expect(found.raw).toBe(bytes.toString('latin1'))
        },
      ),
      { numRuns: 60, seed: 4 },
    )
  })

  test('of any bytes at all is read or refused, and never hangs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(nasty, { maxLength: 4 }), fc.nat(), async (all, seed) => {
        const noise = all.flatMap((one) => [one, Buffer.from('\r\n------test-boundary')])
        const error = await readForm(cutAtRandom(Buffer.concat(noise), seed, 40)).catch(
          (caught: unknown) => caught,
        )
        expect(error).toMatchObject({ code: 'invalid_request' })
      }),
      { numRuns: 60, seed: 4 },
    )
  })
})
