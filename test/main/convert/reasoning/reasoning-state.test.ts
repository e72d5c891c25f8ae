import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReasoningState } from '../../../../main/convert/exchange.ts'
import {
  carriesMark,
  markState,
  readState,
  STATE_MARK,
  stateFor,
} from '../../../../main/convert/reasoning/reasoning-state.ts'

const state: ReasoningState = {
  origin: 'generate-content',
  kind: 'signature',
  data: 'CsAB+/vN_-==',
  model: 'gemini-3.8-flash',
  id: 'rs_1',
}

const arbitraryState = fc.record<ReasoningState, 'origin' | 'kind' | 'data' | 'model'>(
  {
    origin: fc.constantFrom('chat', 'messages', 'generate-content', 'responses'),
    kind: fc.constantFrom('signature', 'redacted', 'encrypted'),
    data: fc.string({ unit: 'grapheme' }),
    model: fc.option(fc.string()),
    id: fc.string(),
    text: fc.string(),
  },
  { requiredKeys: ['origin', 'kind', 'data', 'model'] },
)

describe('state that a client carries for another vendor', () => {
  test('comes back as it was, through any client', () => {
    fc.assert(
      fc.property(arbitraryState, (one) => {
        expect(readState(markState(one), 'messages', 'signature')).toEqual(one)
      }),
    )
  })

  test('survives an SDK that decodes it to bytes and writes it as base64url', () => {
    const text = Buffer.from(markState(state), 'base64').toString('base64url')
    expect(readState(text, 'messages', 'signature')).toEqual(state)
  })

  test('is valid base64 and begins with a mark that shows in a body’s bytes', () => {
    const text = markState(state)
    expect(text).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
    expect(text.length % 4).toBe(0)
    expect(text.startsWith(STATE_MARK)).toBe(true)
    const body = JSON.stringify({ messages: [{ content: [{ signature: text }] }] })
    expect(carriesMark(Buffer.from(body))).toBe(true)
    expect(carriesMark(Buffer.from(body.replace(text, 'EqQBCkYIBBgC')))).toBe(false)
  })
})

describe('what a client sends as state', () => {
  test('is the vendor’s own when it bears no mark', () => {
    expect(readState('EqQBCkYIBBgC', 'messages', 'signature')).toEqual({
      origin: 'messages',
      kind: 'signature',
      data: 'EqQBCkYIBBgC',
      model: null,
    })
  })

  const marked = (content: unknown) =>
    Buffer.from(Buffer.from(STATE_MARK, 'base64').toString() + JSON.stringify(content)).toString(
      'base64',
    )

  test.each([
    ['only the mark', STATE_MARK],
    ['a mark cut in the middle', markState(state).slice(0, 40)],
    ['no base64 behind the mark', `${STATE_MARK}***`],
    ['an array', marked([])],
    ['null', marked(null)],
    ['an unknown format', marked({ ...state, origin: 'telepathy' })],
    ['a format that is an object', marked({ ...state, origin: { toString: 'chat' } })],
    ['an unknown kind', marked({ ...state, kind: 1 })],
    ['data that is no text', marked({ ...state, data: { a: 1 } })],
    ['nothing', ''],
  ])('is taken as the vendor’s own when it is hostile: %s', (_name, text) => {
    expect(readState(text, 'responses', 'encrypted')).toEqual({
      origin: 'responses',
      kind: 'encrypted',
      data: text,
      model: null,
    })
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        readState(STATE_MARK + text, 'chat', 'signature')
      }),
    )
  })
})

test('goes to no vendor but its maker', () => {
  expect(stateFor(state, 'generate-content')).toBe(state)
  expect(stateFor(state, 'messages')).toBeUndefined()
  expect(stateFor(undefined, 'messages')).toBeUndefined()
})
