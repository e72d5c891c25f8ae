import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ExactNumber,
  parseExact,
  readArguments,
  stringifyExact,
} from '../../../../main/convert/json/exact-json.ts'
import { runsOf } from '../../../support/every-case.ts'

describe('numbers on their way through', () => {
  test.each([
    '12345678901234567890',
    '-9007199254740993',
    '18446744073709551615',
    '0.1000000000000000055511151231257827',
    '0.12345678901234567',
    '1e400',
    '123456789012345678901234567890.5e-3',
    '99999999999999992000000',
  ])('%s is written as it was read', (number) => {
    const text = `{"id":${number},"list":[1,${number},{"deep":${number}}],"text":"${number}"}`
    expect(stringifyExact(parseExact(text))).toBe(text)
    expect(parseExact(number)).toBeInstanceOf(ExactNumber)
  })

  // A client's `temperature: 1.0` has to be a number for every reader.
  test.each([
    ['1.0', 1],
    ['0.10', 0.1],
    ['1E3', 1000],
    ['9007199254740992', 2 ** 53],
    ['123456789012345680', 123456789012345680],
    ['100000000000000000000', 1e20],
    ['5e-324', 5e-324],
    ['-0.10000000000000001', -0.1],
    ['0.30000000000000004', 0.1 + 0.2],
    ['0e999', 0],
  ])('%s is a plain number, for a double says the same', (text, number) => {
    expect(parseExact(`{"a":${text}}`)).toEqual({ a: number })
  })

  test('a number inside a string, behind an escaped quote or as a key is text', () => {
    const text =
      '{"a":"12345678901234567890","b\\"12345678901234567890":"\\\\","12345678901234567890":1}'
    expect(parseExact(text)).toEqual(JSON.parse(text))
    expect(stringifyExact(parseExact(text))).toBe(text)
  })

  test('plain JSON.stringify writes the nearest double and no inner mark', () => {
    const value = parseExact('[12345678901234567890,1e400]')
    expect(JSON.stringify(value)).toBe('[12345678901234567000,null]')
  })

  test('a key __proto__ stays a key', () => {
    const text = '{"__proto__":12345678901234567890,"a":{"__proto__":{"b":9007199254740993}}}'
    const value = parseExact(text) as Record<string, unknown>
    expect(stringifyExact(value)).toBe(text)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('reads what JSON.parse reads, and refuses what it refuses', () => {
    const texts = fc.oneof(
      fc.json({ maxDepth: 6 }),
      fc
        .array(fc.constantFrom(...'{}[]",:\\0123456789.eE+- tn', 'true', 'null', '"a"'))
        .map((all) => all.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(() => parseExact(text)).toThrow(SyntaxError)
          return
        }
        expect(JSON.stringify(parseExact(text))).toBe(JSON.stringify(expected))
      }),
      runsOf(3000, 1000),
    )
  })

  test('any integer comes out digit for digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (number) => {
        const text = `{"n":${number}}`
        expect(stringifyExact(parseExact(text))).toBe(text)
      }),
    )
  })

  test('nesting of any depth is read and written', () => {
    for (const depth of [5000, 100_000]) {
      const text = `${'{"a":['.repeat(depth)}12345678901234567890${']}'.repeat(depth)}`
      expect(stringifyExact(parseExact(text))).toBe(text)
    }
  })

  test('undefined members are left out at any depth', () => {
    let value: unknown = { a: undefined, b: [undefined, 1], c: {} }
    const flat = stringifyExact(value)
    for (let depth = 0; depth < 20_000; depth++) value = [value]
    expect(flat).toBe('{"b":[null,1],"c":{}}')
    expect(stringifyExact(value)).toBe('['.repeat(20_000) + flat + ']'.repeat(20_000))
  })
})

describe('arguments of a call', () => {
  test.each(['', ' \n', '{}', 'null'])('%j are an object without members', (text) => {
    expect(readArguments(text)).toEqual({ value: {}, isRaw: false })
  })

  test.each(['[1]', '"text"', '12345678901234567890', '{"a":', 'not json', '{"a":1}}'])(
    '%s are handed on as they are',
    (text) => expect(readArguments(text)).toEqual({ value: { _raw: text }, isRaw: true }),
  )

  test.each([
    ['{"path":"a.txt","text":"hel', { path: 'a.txt', text: 'hel' }],
    ['{"path":"a.txt","te', { path: 'a.txt' }],
    ['{"path":"a.txt","text":', { path: 'a.txt' }],
    ['{"path":"a.txt",', { path: 'a.txt' }],
    ['{"a":[1,{"b":true', { a: [1, { b: true }] }],
    ['{"a":[12,34', { a: [12] }],
    ['{"a":false', { a: false }],
    ['{"a":[null', { a: [null] }],
    ['{"a":tr', {}],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":"x\\\\', { a: 'x\\' }],
    ['{"a":"x\\u00e', { a: 'x' }],
    ['{"a":"x\\ud83d', { a: 'x' }],
    ['{"a":"x\\\\ud83d', { a: 'x\\ud83d' }],
    ['{', {}],
  ])('%s are given their end when the answer was cut', (text, value) => {
    expect(readArguments(text, true)).toEqual({ value, isRaw: false })
    expect(readArguments(text)).toEqual({ value: { _raw: text }, isRaw: true })
  })

  test.each(['{"a":]', '[1,', 'text', '{"a" 1'])('%s are not made up, cut or not', (text) => {
    const { value, isRaw } = readArguments(text, true)
    expect(isRaw ? value : Object.keys(value)).toEqual(isRaw ? { _raw: text } : [])
  })

  test('every beginning of an object can be completed', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value)
        for (let length = 1; length < text.length; length++) {
          expect(readArguments(text.slice(0, length), true).isRaw).toBe(false)
        }
      }),
      runsOf(40, 10),
    )
  })
})
