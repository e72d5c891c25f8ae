import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inventedId, toolId } from '../../../../main/convert/tools/tool-ids.ts'

const shapes = {
  any64: /^[a-zA-Z0-9_-]{1,64}$/,
  any40: /^[a-zA-Z0-9_-]{1,40}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  mistral9: /^[a-zA-Z0-9]{9}$/,
} as const
const rules = Object.keys(shapes) as (keyof typeof shapes)[]

describe.each(rules)('ids of calls for %s', (rule) => {
  test('any id becomes one the vendor takes, twice the same, and stays it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (id) => {
        const fitted = toolId(id, rule)
        expect(fitted).toMatch(shapes[rule])
        expect(toolId(id, rule)).toBe(fitted)
        expect(toolId(fitted, rule)).toBe(fitted)
      }),
    )
  })

  test('ids that differ stay different', () => {
    const long = 'a'.repeat(200)
    const ids = ['', ' ', '_', 'a:b', 'a.b', 'a_b', 'é', 'ö', long, `${long}b`, 'toolu_1', 'x/y']
    for (let index = 0; index < 5000; index++) ids.push(`call:${index}`)
    expect(new Set(ids.map((id) => toolId(id, rule))).size).toBe(ids.length)
  })
})

test('an id that fits is left alone', () => {
  expect(toolId('call_abc-1', 'any64')).toBe('call_abc-1')
  expect(toolId('toolu_01', 'anthropic')).toBe('toolu_01')
  expect(toolId('aB3dE6gH9', 'mistral9')).toBe('aB3dE6gH9')
})

test('an id that does not fit still tells where it came from', () => {
  expect(toolId('functions.read:0', 'anthropic')).toMatch(/^functions_read_0_[0-9a-z]{12}$/)
})

test('an invented id looks like OpenAI’s and follows its seed', () => {
  expect(inventedId('resp 0')).toMatch(/^call_[0-9a-z]{24}$/)
  expect(inventedId('resp 0')).toBe(inventedId('resp 0'))
  expect(inventedId('resp 0')).not.toBe(inventedId('resp 1'))
})
