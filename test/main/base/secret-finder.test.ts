import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SecretFinder } from '../../../main/base/log/secret-finder.ts'
import { SecretFilter } from '../../../main/upstream/withheld-secrets.ts'

const KEY = 'sk-vendor/8Kq2+vYh1_zz'
const finder = new SecretFinder(KEY)
const replaced = (text: string): string => finder.replace(Buffer.from(text)).toString()

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

describe('a secret is taken out of bytes', () => {
  test.each([
    ['as it is', KEY],
    ['with one escape', KEY.replace('v', escaped)],
    ['with all of it escaped', [...KEY].map(escaped).join('')],
    ['with escapes in capitals', [...KEY].map(escaped).join('').replaceAll('\\u002b', '\\u002B')],
    ['with its slash escaped', KEY.replace('/', '\\/')],
    [
      'escaped in a JSON text within another',
      JSON.stringify(KEY.replace('k', escaped)).slice(1, -1),
    ],
  ])('%s', (_how, form) => {
    expect(replaced(`{"a":"${form}"}`)).toBe('{"a":"***"}')
    expect(replaced(`${form}${form} ${form}`)).toBe('****** ***')
  })

  test('and nothing else changes, not even the buffer', () => {
    const others = [
      '',
      'sk-vendor',
      KEY.slice(1),
      `${KEY.slice(0, -1)}x`,
      '\\u0073\\u006b',
      '\\u00',
      '\\',
    ]
    for (const text of others) {
      const bytes = Buffer.from(text)
      expect(finder.replace(bytes)).toBe(bytes)
    }
  })

  test('however it is written, repeated, surrounded and cut', () => {
    const form = fc
      .array(fc.constantFrom('plain', 'escaped'), { minLength: KEY.length, maxLength: KEY.length })
      .map((how) => [...KEY].map((one, at) => (how[at] === 'plain' ? one : escaped(one))).join(''))
    const noise = fc.stringMatching(/^[a-z\\u0-9"{}/ \n-]{0,20}$/)
    const piece = fc.oneof(
      noise,
      form.map((text) => `"${text}"`),
      fc.constant(KEY.slice(0, 9)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.array(fc.nat(40)), (pieces, cuts) => {
        const bytes = Buffer.from(`${pieces.join('')}\n`)
        const whole = finder.replace(bytes).toString()
        const filter = new SecretFilter({ secrets: [finder], isSaid: () => false })
        const told: Buffer[] = []
        let from = 0
        for (const cut of cuts) {
          told.push(filter.push(bytes.subarray(from, from + cut)))
          from += cut
        }
        told.push(filter.push(bytes.subarray(from)), filter.flush())
        expect(Buffer.concat(told).toString()).toBe(whole)
        expect(decoded(whole)).not.toContain(KEY)
        expect(whole.replaceAll('***', '').length).toBeLessThanOrEqual(bytes.length)
      }),
      { numRuns: 300 },
    )
  })

  test('bytes that are no text stay as they are', () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 31) % 256))
    expect(finder.replace(bytes)).toBe(bytes)
  })
})

/** As a reader of JSON sees its strings. */
const decoded = (text: string): string =>
  text
    .replace(/\\+u([0-9a-fA-F]{4})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    .replaceAll('\\/', '/')

describe('the end of a body', () => {
  const filterOf = () => new SecretFilter({ secrets: [finder], isSaid: () => false })

  test('is held no longer than a secret may begin there', () => {
    const filter = filterOf()
    expect(filter.push(Buffer.from('data: {"a":"s"}\n\n')).toString()).toBe('data: {"a":"s"}\n\n')
    expect(filter.push(Buffer.from('the sk')).toString()).toBe('the ')
    expect(filter.push(Buffer.from('ill')).toString()).toBe('skill')
    expect(filter.flush()).toHaveLength(0)
  })

  test('is told where it is too little of a secret, and not where it is half of it', () => {
    const filter = filterOf()
    filter.push(Buffer.from('the sk'))
    expect(filter.flush().toString()).toBe('sk')
    filter.push(Buffer.from(KEY.slice(0, -1)))
    expect(filter.flush().toString()).toBe('***')
  })

  test('with what the caller has said itself comes back whole', () => {
    const filter = new SecretFilter({ secrets: [finder], isSaid: () => true })
    expect(filter.push(Buffer.from(`a ${KEY} b ${KEY.slice(0, 5)}`)).toString()).toBe(
      `a ${KEY} b ${KEY.slice(0, 5)}`,
    )
  })
})

test.each([
  ['', false],
  ['not-needed', false],
  ['sk-no-key-required', false],
  ['your-api-key-here', false],
  ['sk-8Kq2vYh1', false],
  ['sk-8Kq2vYh1z', true],
  ['sk-a-long-word-of-a-secret', true],
])('%j is a secret worth hiding: %s', (text, isSecret) => {
  expect(SecretFinder.isSecret(text)).toBe(isSecret)
})
