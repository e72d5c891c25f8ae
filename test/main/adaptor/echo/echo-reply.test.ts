import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replyTo } from '../../../../main/adaptor/echo/reply/echo-reply.ts'
import type { EchoTurn } from '../../../../main/adaptor/echo/reply/echo-turn.ts'
import { pieces } from '../../../../main/adaptor/echo/reply/pieces.ts'
import { estimateTokens } from '../../../../main/base/estimate-tokens.ts'

const turn = (fields: Partial<EchoTurn> = {}): EchoTurn => ({
  text: 'Hello',
  toolResult: null,
  tools: [],
  toolChoice: 'auto',
  maxTokens: null,
  stop: [],
  thinking: false,
  json: null,
  inputTokens: 7,
  ...fields,
})

const tools = [
  { name: 'read_file', schema: {} },
  { name: 'get_weather', schema: {} },
]
const called = (fields: Partial<EchoTurn>) => replyTo(turn({ tools, ...fields })).toolCall?.name

describe('a tool is called', () => {
  test.each(['What does get_weather say?', 'get weather for Oslo, please', 'Get Weather'])(
    'when it is named: %s',
    (text) => {
      expect(called({ text })).toBe('get_weather')
    },
  )

  test.each(['Please call a tool', 'use the tool', 'try one of your functions'])(
    'the first, when any is asked for: %s',
    (text) => {
      expect(called({ text })).toBe('read_file')
    },
  )

  test('when the request forces it', () => {
    expect(called({ toolChoice: 'required' })).toBe('read_file')
    expect(called({ toolChoice: { name: 'get_weather' } })).toBe('get_weather')
  })

  test.each([
    { text: 'Hello' },
    { text: 'What is the use of it?' },
    { text: 'forget_weather' },
    { text: 'get_weather', toolChoice: 'none' as const },
    { text: 'get_weather', toolResult: 'rain' },
    { text: 'get_weather', tools: [] },
    { text: 'get_weather', tools: [{ name: 'get_weather['.repeat(9000), schema: {} }] },
  ])('but not for %o', (fields) => {
    expect(called(fields)).toBeUndefined()
  })

  test('with the least that its schema asks for', () => {
    const schema = {
      type: 'object',
      properties: {
        path: { type: 'string' },
        mode: { enum: ['fast', 'slow'] },
        depth: { type: 'integer', minimum: 3 },
        to: { $ref: '#/$defs/Place' },
        skipped: { type: 'string' },
      },
      required: ['path', 'mode', 'depth', 'to'],
      $defs: {
        Place: {
          type: 'OBJECT',
          properties: { at: { type: 'STRING', format: 'date' } },
          required: ['at'],
        },
      },
    }
    const reply = replyTo(turn({ text: 'read_file', tools: [{ name: 'read_file', schema }] }))
    expect(reply.toolCall?.arguments).toEqual({
      path: 'echo',
      mode: 'fast',
      depth: 3,
      to: { at: '2026-01-01' },
    })
  })

  test('even when the schema refers to itself', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] }
    expect(called({ text: 'walk', tools: [{ name: 'walk', schema }] })).toBe('walk')
  })

  test('even when its references multiply without end', () => {
    const names = Array.from({ length: 20 }, (_, index) => `field${index}`)
    const level = (next: string) => ({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${next}` }])),
      required: names,
    })
    const $defs = { a: level('b'), b: level('c'), c: level('d'), d: level('e'), e: level('f') }
    const schema = { ...level('a'), $defs: { ...$defs, f: level('g'), g: { type: 'string' } } }
    const { toolCall } = replyTo(turn({ text: 'walk', tools: [{ name: 'walk', schema }] }))
    expect(Object.keys(toolCall?.arguments ?? {})).toContain('field0')
    expect(JSON.stringify(toolCall).length).toBeLessThan(100_000)
  })

  test('even when it gives one long value many times', () => {
    const item = { const: 'long '.repeat(20_000) }
    const names = Array.from({ length: 500 }, (_, index) => `field${index}`)
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/item' }]))
    const schema = { type: 'object', properties, required: names, $defs: { item } }
    const { toolCall } = replyTo(turn({ text: 'walk', tools: [{ name: 'walk', schema }] }))
    expect(toolCall?.arguments).toMatchObject({ field0: item.const })
    expect(JSON.stringify(toolCall).length).toBeLessThan(1_000_000)
  })

  test('with braces in the text that are not JSON', () => {
    expect(called({ text: 'get_weather {of the} world' })).toBe('get_weather')
  })
})

test('no reply is longer than its limit, whatever was said', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      (text, maxTokens, thinking) => {
        const reply = replyTo(turn({ text, maxTokens, thinking }))
        expect(reply.usage.output).toBeLessThanOrEqual(maxTokens)
        const isWhole = reply.text === `Echo: ${text === '' ? '(nothing)' : text}`
        expect(reply.finish).toBe(isWhole ? 'stop' : 'length')
      },
    ),
  )
})

test('the pieces of a stream are its text, and never too many', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 3000 }), (text) => {
      const parts = pieces(text)
      expect(parts.join('')).toBe(text)
      expect(parts.length).toBeLessThanOrEqual(40)
    }),
  )
})

test('estimates are about four letters a token, and one a CJK character', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('the quick brown fox')).toBe(5)
  expect(estimateTokens('世界你好')).toBe(4)
  expect(estimateTokens('{"a":[1,2]}')).toBeGreaterThanOrEqual(5)
})
