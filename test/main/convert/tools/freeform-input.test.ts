import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FreeformInput, wrapInput } from '../../../../main/convert/tools/freeform-input.ts'

function unwrap(pieces: readonly string[]): string[] {
  const input = new FreeformInput()
  const out = pieces.map((piece) => input.push(piece))
  return [...out, input.end()]
}

/** A text cut at some places. */
const cut = (text: string, places: readonly number[]) => {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort(
    (a, b) => a - b,
  )
  return [0, ...sorted].map((start, index) => text.slice(start, sorted[index] ?? text.length))
}

/** Every character as `\uXXXX`, as some vendors write what is not ASCII. */
const escaped = (text: string) =>
  `{"input": "${[...Array(text.length).keys()]
    .map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('')}"}`

describe('free text that comes wrapped in JSON', () => {
  test('is the same however the stream is cut, and no piece ends inside a character', () => {
    const texts = fc.string({
      unit: fc.oneof(
        fc.constantFrom('"', '\\', '\n', '😀', 'u', '}'),
        fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
      ),
    })
    fc.assert(
      fc.property(texts, fc.array(fc.nat()), fc.boolean(), (text, places, isEscaped) => {
        const pieces = unwrap(cut(isEscaped ? escaped(text) : wrapInput(text), places))
        expect(pieces.join('')).toBe(text)
        for (const piece of pieces) expect(piece).not.toMatch(/\p{Surrogate}/u)
      }),
      { numRuns: 1000 },
    )
  })

  test('is told while it is being written', () => {
    const input = new FreeformInput()
    expect(input.push(' {\n "input"')).toBe('')
    expect(input.push(' : "*** Begin')).toBe('*** Begin')
    expect(input.push(' Patch\\')).toBe(' Patch')
    expect(input.push('n+a\\u00')).toBe('\n+a')
    expect(input.push('e9"}')).toBe('é')
    expect(input.push(' ')).toBe('')
    expect(input.end()).toBe('')
  })

  test('cut in the middle is given as far as it came', () => {
    expect(unwrap(['{"input":"ab\\u00']).join('')).toBe('ab')
    expect(unwrap(['{"input":"ab\\']).join('')).toBe('ab')
  })

  test.each([
    ['{"reason":"x","input":"text"}', 'text'],
    ['{"reason":"x","input":"te', 'te'],
    ['*** Begin Patch', '*** Begin Patch'],
    ['{"patch":"x"}', '{"patch":"x"}'],
    ['{"input":{"a":1}}', '{"input":{"a":1}}'],
    ['{"in', ''],
    ['{}', ''],
    ['', ''],
    ['  ', ''],
    ['{"input":""}', ''],
    ['{"input":"a\nb\\q"}', 'a\nbq'],
    ['{"input":"a","more":"b"}', 'a'],
  ])('%j gives %j', (source, text) => {
    expect(unwrap([source]).join('')).toBe(text)
    expect(unwrap([...source]).join('')).toBe(text)
  })

  test('white space without end is not looked at again and again', () => {
    const input = new FreeformInput()
    const start = performance.now()
    for (let count = 0; count < 200_000; count++) input.push(' ')
    input.end()
    expect(performance.now() - start).toBeLessThan(2000)
  })

  test('more than 16 MiB is not held', () => {
    const input = new FreeformInput()
    expect(() => {
      for (let count = 0; count < 20; count++) input.push(`x${'a'.repeat(1024 * 1024)}`)
    }).toThrow('16 MiB')
  })

  test('megabytes of one text pass through', () => {
    const text = 'line "a"\\ \n'.repeat(300_000)
    expect(unwrap([wrapInput(text)])[0]?.length).toBe(text.length)
  })
})
