import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonFields } from '../../../../../main/convert/json/json-fields.ts'
import { speechCodec } from '../../../../../main/convert/other/speech/codec.ts'
import { Resampler } from '../../../../../main/convert/other/speech/pcm-output.ts'
import { PcmReader } from '../../../../../main/convert/other/speech/pcm-reader.ts'
import { cutAtRandom } from '../../../../support/clients/cut-at-random.ts'
import { tone, wavFile } from '../../../../support/strict/other/check-speech.ts'

const json = (value: object) => new JsonFields(Buffer.from(JSON.stringify(value)))

describe('speech of an upstream of OpenAI’s', () => {
  test('a stream of events passes untouched and ends with the usage', () => {
    const bytes = Buffer.from(
      'data: {"type":"speech.audio.delta","audio":"AAAA"}\n\n' +
        'data: {"type":"speech.audio.done","usage":{"input_tokens":5,"output_tokens":90,"total_tokens":95}}\n\n',
    )
    for (let seed = 1; seed <= 20; seed++) {
      const scanner = speechCodec.createScanner({
        withholdUsage: false,
        showModel: null,
        asArray: false,
      })
      const out = cutAtRandom(bytes, seed).map((piece) => scanner.push(piece))
      expect(Buffer.concat([...out, scanner.flush()]).equals(bytes)).toBe(true)
      expect(scanner.isWhole()).toBe(true)
      expect(scanner.usage()).toMatchObject({ input: 5, output: 90 })
    }
  })

  test('what is spoken is counted in characters, not in UTF-16', () => {
    const body = json({ input: 'Grüße 👋🏽', voice: 'nova' })
    expect(speechCodec.requestUsage?.(body)?.detail).toEqual({ characters: 8 })
  })

  test.each([
    ['input', { voice: 'nova' }],
    ['input', { voice: 'nova', input: ['a'] }],
    ['voice', { input: 'a' }],
    ['voice', { input: 'a', voice: { name: 'x' } }],
    ['speed', { input: 'a', voice: { id: 'x' }, speed: 'fast' }],
  ])('%s of %j is refused by name', (field, body) => {
    expect(() => speechCodec.checkRequest(json(body), {})).toThrow(
      expect.objectContaining({ field }),
    )
  })
})

describe('samples in pieces', () => {
  const seeds = fc.integer({ min: 1, max: 1_000_000 })

  test('however a WAV file or bare sound is cut, the same samples come out', () => {
    const samples = tone(500)
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, isFile) => {
        const reader = new PcmReader(24_000)
        const sound = isFile ? wavFile(samples, 8000) : samples
        const out = cutAtRandom(sound, seed).map((piece) => reader.push(piece))
        expect(out.every(({ length }) => length % 2 === 0)).toBe(true)
        expect(Buffer.concat(out).equals(samples)).toBe(true)
        expect(reader.rate).toBe(isFile ? 8000 : 24_000)
      }),
    )
  })

  test('however samples are cut, another rate sounds the same', () => {
    const samples = tone(700, 16_000)
    const whole = new Resampler(16_000, 24_000).push(samples)
    expect(Math.abs(whole.length / 2 - 1050)).toBeLessThanOrEqual(2)
    fc.assert(
      fc.property(seeds, (seed) => {
        const resampler = new Resampler(16_000, 24_000)
        const reader = new PcmReader(16_000)
        const out = cutAtRandom(samples, seed).map((piece) => resampler.push(reader.push(piece)))
        expect(Buffer.concat(out).equals(whole)).toBe(true)
      }),
    )
  })
})
