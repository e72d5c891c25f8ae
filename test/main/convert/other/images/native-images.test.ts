import { describe, expect, test } from 'vitest'
import { JsonFields } from '../../../../../main/convert/json/json-fields.ts'
import {
  imageEditsCodec,
  imagesCodec,
  imageVariationsCodec,
} from '../../../../../main/convert/other/images/codecs.ts'
import { cutAtRandom } from '../../../../support/clients/cut-at-random.ts'
import { readFixture } from '../../../../support/recordings/fixtures.ts'
import { answerImages } from '../../../../support/strict/other/check-images.ts'

const options = { withholdUsage: false, showModel: 'other', asArray: false }
const json = (value: object) => new JsonFields(Buffer.from(JSON.stringify(value)))

describe('answers of an upstream of OpenAI’s', () => {
  test('the recorded answer’s two pictures are counted, though it tells no tokens', () => {
    const answer = new JsonFields(readFixture('openai-images/generation.json'))
    expect(imagesCodec.readUsage(answer)).toMatchObject({ input: 0, detail: { images: 2 } })
  })

  test('tokens are read with their share of pictures', () => {
    const { whole } = answerImages(3, 'image_generation')
    expect(imagesCodec.readUsage(json(whole))).toEqual({
      input: 12,
      cachedInput: 0,
      cacheWrite: 0,
      output: 300,
      reasoning: 0,
      detail: { outputImage: 300, images: 3 },
    })
    expect(imagesCodec.readUsage(json({ error: { message: 'no' } }))).toBeNull()
  })

  test.each([
    ['image_generation', imagesCodec],
    ['image_edit', imageEditsCodec],
  ] as const)(
    'a stream of %s passes untouched, is counted, and known to be whole',
    (name, codec) => {
      const bytes = Buffer.from(answerImages(1, name).chunks.join(''))
      for (let seed = 1; seed <= 20; seed++) {
        const scanner = codec.createScanner(options)
        const out = cutAtRandom(bytes, seed).map((piece) => scanner.push(piece))
        expect(Buffer.concat([...out, scanner.flush()]).equals(bytes)).toBe(true)
        expect(scanner.isWhole()).toBe(true)
        expect(scanner.usage()?.detail).toEqual({ outputImage: 100, images: 1 })
      }
    },
  )

  test('a stream that is cut inside its last picture is not whole', () => {
    const text = answerImages(1, 'image_generation').chunks.join('')
    const scanner = imagesCodec.createScanner(options)
    // The event’s name has come, and half of what belongs to it.
    scanner.push(Buffer.from(text.slice(0, text.lastIndexOf('b64_json') + 40)))
    scanner.flush()
    expect(scanner.isWhole()).toBe(false)
    expect(scanner.usage()).toBeNull()
  })

  test('a picture of megabytes that comes in small pieces costs no more than its size', () => {
    const event = { type: 'image_generation.completed', b64_json: 'A'.repeat(10_000_000) }
    const bytes = Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    const scanner = imagesCodec.createScanner(options)
    const before = performance.now()
    let size = 0
    for (let at = 0; at < bytes.length; at += 8192) {
      size += scanner.push(bytes.subarray(at, at + 8192)).length
    }
    // Put together anew with each piece it would take more than five seconds.
    expect(performance.now() - before).toBeLessThan(1500)
    expect(size).toBe(bytes.length)
    expect(scanner.isTerminated).toBe(true)
    expect(scanner.usage()?.detail).toEqual({ images: 1 })
  })

  test('an error inside a stream is seen', () => {
    const scanner = imagesCodec.createScanner(options)
    const error = { type: 'error', error: { message: 'blocked', code: 'moderation_blocked' } }
    scanner.push(Buffer.from(`event: error\ndata: ${JSON.stringify(error)}\n\n`))
    expect(scanner.error).toMatchObject({ message: 'blocked', code: 'moderation_blocked' })
  })
})

describe('what is refused before any channel is asked', () => {
  test.each([
    ['prompt', {}],
    ['prompt', { prompt: 3 }],
    ['n', { prompt: 'x', n: 0 }],
    ['n', { prompt: 'x', n: '2' }],
    ['partial_images', { prompt: 'x', partial_images: 4 }],
    ['stream', { prompt: 'x', stream: 'yes' }],
  ])('%s of %j', (field, body) => {
    expect(() => imagesCodec.checkRequest(json(body), {})).toThrow(
      expect.objectContaining({ field }),
    )
  })

  test.each([
    ['prompt', { prompt: [''] }],
    ['prompt', { prompt: ['a', 'b'] }],
    ['n', { prompt: ['x'], n: ['two'] }],
    ['stream', { prompt: ['x'], stream: ['1'] }],
  ])('%s of the form %j', (field, fields: Record<string, string[]>) => {
    expect(() => imageEditsCodec.form?.check(fields)).toThrow(expect.objectContaining({ field }))
  })

  test('a variation needs no prompt, and null stands for the default', () => {
    expect(() => imageVariationsCodec.form?.check({ n: ['10'] })).not.toThrow()
    expect(() => imagesCodec.checkRequest(json({ prompt: 'x', n: null }), {})).not.toThrow()
  })
})
