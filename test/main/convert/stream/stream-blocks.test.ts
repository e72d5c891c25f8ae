import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Citation, Part, ReasoningState } from '../../../../main/convert/exchange.ts'
import type { Choice, ExchangeResponse } from '../../../../main/convert/exchange-response.ts'
import { collectStream, spreadResponse } from '../../../../main/convert/stream/stream-blocks.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'

function collect(parts: readonly StreamPart[]): ExchangeResponse {
  const collector = collectStream()
  for (const part of parts) collector.push(part)
  return collector.response()
}

const start: StreamPart = { type: 'response-start', id: 'r', model: 'm', created: null }
const end: StreamPart = { type: 'response-end' }
const usage = { input: 5, cachedInput: 1, cacheWrite: 0, output: 7, reasoning: 2 }

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 900 })
const native = fc.constant({ origin: 'chat' as const, fields: { extra: { deep: [1] } } })
const state = fc.record<ReasoningState>({
  origin: fc.constantFrom('messages', 'responses', 'generate-content'),
  kind: fc.constantFrom('signature', 'encrypted'),
  data: words,
  model: fc.constant('m'),
})
const arbitraryPart: fc.Arbitrary<Part> = fc.oneof(
  fc.record(
    {
      type: fc.constant('text' as const),
      text: fc.oneof(fc.constant(''), words),
      citations: fc.constant<Citation[]>([
        { type: 'url', url: 'https://example.org', title: null, start: 0, end: 1 },
      ]),
      state,
      native,
    },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record(
    { type: fc.constant('refusal' as const), text: words, native },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record(
    {
      type: fc.constant('reasoning' as const),
      sections: fc.array(words, { maxLength: 3 }),
      form: fc.constantFrom('summary' as const, 'raw' as const),
      state,
      native,
    },
    { requiredKeys: ['type', 'sections', 'form'] },
  ),
  fc.record(
    {
      type: fc.constant('call' as const),
      id: fc.option(words),
      name: words,
      namespace: words,
      kind: fc.constantFrom('function' as const, 'freeform' as const),
      arguments: fc.oneof(fc.constant(''), fc.json()),
      state,
      native,
    },
    { requiredKeys: ['type', 'id', 'name', 'kind', 'arguments'] },
  ),
  fc.constant<Part>({
    type: 'media',
    kind: 'image',
    source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
  }),
  fc.constant<Part>({ type: 'native', origin: 'responses', value: { type: 'compaction' } }),
)
const arbitraryChoice: fc.Arbitrary<Choice> = fc.record(
  {
    parts: fc.array(arbitraryPart, { maxLength: 6 }),
    stop: fc.record<Choice['stop'], 'reason'>(
      { reason: fc.constantFrom('end', 'length', 'tool-calls'), sequence: words, native },
      { requiredKeys: ['reason'] },
    ),
    native,
  },
  { requiredKeys: ['parts', 'stop'] },
)
const arbitraryResponse: fc.Arbitrary<ExchangeResponse> = fc.record(
  {
    id: words,
    model: words,
    created: fc.option(fc.nat()),
    choices: fc.array(arbitraryChoice, { minLength: 1, maxLength: 3 }),
    usage: fc.option(fc.constant(usage)),
    serviceTier: words,
    native,
  },
  { requiredKeys: ['id', 'model', 'created', 'choices', 'usage'] },
)

describe('a whole answer for a client that wants a stream', () => {
  test('is the same answer when its parts are put together again', () => {
    fc.assert(
      fc.property(arbitraryResponse, (response) => {
        expect(collect(spreadResponse(response))).toEqual(response)
      }),
    )
  })

  test('comes in a legal order: blocks numbered as they begin, each with one start and one end', () => {
    fc.assert(
      fc.property(arbitraryResponse, (response) => {
        const parts = spreadResponse(response)
        expect(parts[0]?.type).toBe('response-start')
        expect(parts.at(-1)?.type).toBe('response-end')
        const open = new Set<number>()
        const stopped = new Set<number>()
        let next = 0
        for (const part of parts) {
          if ('choice' in part && part.type !== 'stop') expect(stopped.has(part.choice)).toBe(false)
          if (part.type.endsWith('-delta')) expect('text' in part && part.text).not.toBe('')
          if (part.type === 'whole') expect(part.block).toBe(next++)
          else if (part.type === 'stop') {
            expect(open.size).toBe(0)
            stopped.add(part.choice)
          } else if ('block' in part) {
            if (part.type.endsWith('-start')) {
              expect(part.block).toBe(next++)
              open.add(part.block)
            } else expect(open.has(part.block)).toBe(true)
            if (part.type.endsWith('-end')) open.delete(part.block)
          }
        }
        expect(stopped.size).toBe(response.choices.length)
      }),
    )
  })

  test('comes in a few pieces, none of which cuts a character', () => {
    const text = '👩‍🚀a'.repeat(1001)
    const parts = spreadResponse({
      id: 'r',
      model: 'm',
      created: null,
      choices: [{ parts: [{ type: 'text', text }], stop: { reason: 'end' } }],
      usage: null,
    })
    const pieces = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : []))
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.length).toBeLessThanOrEqual(5)
    // UTF-8 holds no half character: it would come back as another.
    expect(pieces.map((piece) => Buffer.from(piece).toString())).toEqual(pieces)
  })

  test('keeps the likely tokens of its text', () => {
    const logprobs = { content: [{ token: 'Hi', logprob: -0.1 }], refusal: null }
    const response: ExchangeResponse = {
      id: 'r',
      model: 'm',
      created: 1,
      choices: [{ parts: [{ type: 'text', text: 'Hi' }], stop: { reason: 'end' }, logprobs }],
      usage,
    }
    expect(collect(spreadResponse(response))).toEqual(response)
  })
})

describe('a stream for a client that wants a whole answer', () => {
  test('is put together though its blocks and choices interleave', () => {
    const response = collect([
      start,
      { type: 'call-start', block: 0, choice: 0, id: 'a', name: 'one', kind: 'function' },
      { type: 'text-start', block: 1, choice: 1 },
      { type: 'call-delta', block: 0, text: '{"n":' },
      { type: 'text-delta', block: 1, text: 'Second ', logprobs: { content: [1] } },
      { type: 'call-start', block: 2, choice: 0, id: 'b', name: 'two', kind: 'function' },
      { type: 'call-delta', block: 2, text: '{}' },
      { type: 'call-delta', block: 0, text: '1}' },
      { type: 'text-delta', block: 1, text: 'answer', logprobs: { content: [2] } },
      { type: 'call-end', block: 2 },
      { type: 'call-end', block: 0 },
      { type: 'text-end', block: 1 },
      { type: 'stop', choice: 1, stop: { reason: 'end' } },
      { type: 'stop', choice: 0, stop: { reason: 'tool-calls' } },
      { type: 'usage', usage: { ...usage, output: 1 } },
      { type: 'usage', usage },
      end,
    ])
    expect(response.choices).toEqual([
      {
        parts: [
          { type: 'call', id: 'a', name: 'one', kind: 'function', arguments: '{"n":1}' },
          { type: 'call', id: 'b', name: 'two', kind: 'function', arguments: '{}' },
        ],
        stop: { reason: 'tool-calls' },
      },
      {
        parts: [{ type: 'text', text: 'Second answer' }],
        stop: { reason: 'end' },
        logprobs: { content: [1, 2] },
      },
    ])
    expect(response.usage).toEqual(usage)
  })

  test('does not pass a choice off as finished whose end the vendor never told', () => {
    const response = collect([
      start,
      { type: 'text-start', block: 0, choice: 1 },
      { type: 'text-delta', block: 0, text: 'Hi' },
      { type: 'text-end', block: 0 },
      { type: 'stop', choice: 1, stop: { reason: 'end' } },
      end,
    ])
    expect(response.choices.map(({ stop }) => stop.reason)).toEqual(['other', 'end'])
  })

  test('keeps the sections of a summary apart', () => {
    const response = collect([
      start,
      { type: 'reasoning-start', block: 0, choice: 0, form: 'summary' },
      { type: 'reasoning-delta', block: 0, section: 0, text: 'One' },
      { type: 'reasoning-delta', block: 0, section: 2, text: 'Th' },
      { type: 'reasoning-delta', block: 0, section: 2, text: 'ree' },
      { type: 'reasoning-end', block: 0 },
      { type: 'stop', choice: 0, stop: { reason: 'end' } },
      end,
    ])
    expect(response.choices[0]?.parts[0]).toMatchObject({ sections: ['One', '', 'Three'] })
  })

  test('fails with the vendor’s own error when it brings one', () => {
    const collector = collectStream()
    collector.push(start)
    const error: StreamPart = {
      type: 'error',
      message: 'Overloaded',
      status: 529,
      code: 'overloaded_error',
    }
    expect(() => collector.push(error)).toThrow(
      expect.objectContaining({
        code: 'upstream_error',
        message: 'Overloaded',
        status: 529,
        vendorCode: 'overloaded_error',
      }),
    )
    expect(() => collectStream().push({ ...error, status: null, code: null })).toThrow(
      expect.objectContaining({ status: 502, vendorCode: undefined }),
    )
  })

  test('is no answer when it was cut off', () => {
    const collector = collectStream()
    collector.push(start)
    collector.push({ type: 'text-start', block: 0, choice: 0 })
    collector.push({ type: 'text-delta', block: 0, text: 'Half' })
    expect(() => collector.response()).toThrow(expect.objectContaining({ code: 'upstream_cut' }))
  })

  test('is given up when it grows without end', () => {
    const collector = collectStream()
    collector.push(start)
    collector.push({ type: 'text-start', block: 0, choice: 0 })
    const text = 'x'.repeat(16 * 1024 * 1024)
    for (let index = 0; index < 4; index++) collector.push({ type: 'text-delta', block: 0, text })
    const more: StreamPart = { type: 'text-delta', block: 0, text: 'x' }
    expect(() => collector.push(more)).toThrow(
      expect.objectContaining({ code: 'upstream_invalid' }),
    )
  })

  test('is refused when a part goes on that never began, or a section is out of all measure', () => {
    const collector = collectStream()
    collector.push(start)
    expect(() => collector.push({ type: 'text-delta', block: 3, text: 'x' })).toThrow(
      expect.objectContaining({ code: 'upstream_invalid' }),
    )
    collector.push({ type: 'reasoning-start', block: 0, choice: 0, form: 'summary' })
    expect(() =>
      collector.push({ type: 'reasoning-delta', block: 0, section: 1e9, text: 'x' }),
    ).toThrow(expect.objectContaining({ code: 'upstream_invalid' }))
  })
})
