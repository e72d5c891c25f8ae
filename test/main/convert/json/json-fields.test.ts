import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonFields } from '../../../../main/convert/json/json-fields.ts'
import { sampleOf } from '../../../support/every-case.ts'

const set = (text: string, fields: Record<string, unknown>) =>
  new JsonFields(Buffer.from(text)).set(fields).toString()

/** More than is parsed as a whole. */
const long = 'x'.repeat(9000)

describe('a body too long to be parsed', () => {
  test.each([
    ['{"model":"a","messages":[{}]', 'it ends too early'],
    ['{"model":"a","messages":[{]}}', 'unexpected "]"'],
    ['{"model":"a" "stream":true}', 'unexpected "\\""'],
    ['{"model":tru}', 'unexpected "}"'],
    ['{"model":"a","x":[1,]}', 'unexpected "]"'],
    ['{"model":"a","x":[1/**/]}', 'unexpected "/"'],
    ['{"model":"a","x":["\t"]}', 'unexpected "\\t"'],
    ['{"model":"a"} x', 'unexpected "x"'],
    ['[1]', 'not an object'],
  ])('is refused where its structure breaks: %s', (text, sentence) => {
    const padded = text.replace('"a"', `"${long}"`)
    const body = padded === text ? text + ' '.repeat(9000) : padded
    expect(() => new JsonFields(Buffer.from(body))).toThrow(sentence)
  })

  test('has its fields found, whatever script their names are in', () => {
    const body = JSON.stringify({ pad: `${long}"]}`, 模型: [{ a: 1 }], ünï: null, n: -1.5e3 })
    const fields = new JsonFields(Buffer.from(body))
    expect(fields.get('模型')).toEqual([{ a: 1 }])
    expect(fields.kindOfFirst('模型')).toBe('object')
    expect([fields.kind('ünï'), fields.get('n'), fields.kind('none')]).toEqual([
      'null',
      -1500,
      undefined,
    ])
    expect(fields.set({ ünï: 1 }).toString()).toBe(body.replace('null', '1'))
  })
})

describe('changing one field of a body in its bytes', () => {
  test('leaves number formatting, white space, key order and unknown fields as they were', () => {
    const body =
      '{ "temperature" : 1.0e0,\n"model":"a" , "seed":12345678901234567890, "x":[1, {"model":"b"}] }'
    expect(set(body, { model: 'z/1' })).toBe(body.replace('"a"', '"z/1"'))
  })

  test('does not take a text that looks like the field for the field', () => {
    const body = '{"messages":[{"content":"\\"model\\":\\"x\\" \\\\"}],"model":"a"}'
    expect(set(body, { model: 'b' })).toBe(body.replace('"model":"a"', '"model":"b"'))
  })

  test('sets a field that is written twice in both places', () => {
    expect(set('{"model":"a","model":"b"}', { model: 'c' })).toBe('{"model":"c","model":"c"}')
  })

  test('finds a field whose name is escaped', () => {
    expect(set('{"m\\u006fdel":"a"}', { model: 'c' })).toBe('{"m\\u006fdel":"c"}')
  })

  test('adds a missing field to full and to empty objects', () => {
    expect(set('{"a":1 }', { b: { c: true } })).toBe('{"a":1 ,"b":{"c":true}}')
    expect(set(' { } ', { b: 1 })).toBe(' { "b":1} ')
  })

  test('agrees with JSON.parse on any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.integer({ min: 0, max: 4 }),
        (object, model, indent) => {
          fc.pre(!('__proto__' in object))
          const text = JSON.stringify(object, null, indent)
          expect(JSON.parse(set(text, { model }))).toEqual(
            JSON.parse(JSON.stringify({ ...object, model })),
          )
          for (const [name, value] of Object.entries(object)) {
            expect(new JsonFields(Buffer.from(text)).get(name)).toEqual(
              JSON.parse(JSON.stringify(value)),
            )
          }
        },
      ),
    )
  })
})

describe('a long body that came in pieces', () => {
  const body = Buffer.from(
    JSON.stringify({
      a: `${long}\\\\"\\\\`,
      'nämé "x"': [[{ b: '"]}\\\\' }], 'é'],
      n: -1.5e3,
      o: { c: [] },
      t: true,
      e: [],
    }),
  )
  const whole = new JsonFields(body)
  const cut = (at: readonly number[]): Buffer[] =>
    [0, ...at].map((start, index) => body.subarray(start, at[index] ?? body.length))

  test('is read as if it had come in one, wherever it was cut', () => {
    const value = JSON.parse(body.toString())
    const everywhere = Array.from({ length: body.length + 1 }, (_, at) => at)
    const cuts = everywhere.filter((at) => at <= 5 || at >= 8990 || at % 1000 === 6)
    // Each is cut a byte further on as well, so that every place has its turn.
    for (const at of sampleOf(cuts, 2)) {
      const fields = new JsonFields(cut([at, Math.min(at + 1, body.length)]))
      for (const name of Object.keys(value)) {
        expect(fields.get(name)).toEqual(value[name])
        expect(fields.kind(name)).toBe(whole.kind(name))
        expect(fields.kindOfFirst(name)).toBe(whole.kindOfFirst(name))
      }
      expect(fields.set({ n: 1 })).toEqual(whole.set({ n: 1 }))
      expect(fields.includes(Buffer.from('-1500,"o"'))).toBe(true)
      expect(fields.includes(Buffer.from('-1500, "o"'))).toBe(false)
    }
  })

  test('is refused where its structure breaks, wherever it was cut', () => {
    const broken = Buffer.from(body.toString().replace('-1500', '-1500x'))
    for (let at = 8990; at < body.length; at++) {
      const pieces = [broken.subarray(0, at), broken.subarray(at)]
      expect(() => new JsonFields(pieces)).toThrow('unexpected "x"')
      expect(() => new JsonFields([body.subarray(0, at)])).toThrow('it ends too early')
    }
  })
})

describe('a value as it is written', () => {
  test.each([
    ['{"a":{"b":1}}', '{"b":1}'],
    ['\ufeff { "x" : [ {"a":3} ] , "a" :\t{ "b" : [1, 2] } \n, "y":{"a":4} }', '{ "b" : [1, 2] }'],
    ['{"a":1,"\\u0061" : [2 ] ,"b":3}', '[2 ]'],
    ['{"ä":"ü","aa":1,"a":"\\"a\\":"}', '"\\"a\\":"'],
    ['{"a":[],"b":{}}', '[]'],
    ['{"b":{"a":1}}', ''],
    ['{}', ''],
  ])('of %s, in a short body and in a long one', (json, written) => {
    const long = json.replace(/\}$/, `${json === '{}' ? '' : ','}"pad":"${'x'.repeat(9000)}"}`)
    for (const text of [json, long]) {
      expect(new JsonFields(Buffer.from(text)).textOf('a').trimEnd()).toBe(written)
    }
  })
})
