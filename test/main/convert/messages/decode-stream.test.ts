import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import { codecOf } from '../../../../main/convert/codecs.ts'
import { JsonFields } from '../../../../main/convert/json/json-fields.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { readFixture } from '../../../support/recordings/fixtures.ts'
import { collected, decodeEvents, decodePieces, type Fields, readJson } from './exchange-parts.ts'

/** A recorded stream of payloads, framed again. */
const recorded = (name: string) =>
  decodeEvents(
    ...String(readFixture(`anthropic-messages/${name}`))
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Fields),
  )

const start = (usage: Fields = {}): Fields => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], usage },
})
const block = (index: number, content_block: Fields): Fields => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, fields: Fields): Fields => ({
  type: 'content_block_delta',
  index,
  delta: fields,
})
const stop = (index: number): Fields => ({ type: 'content_block_stop', index })
const ended = (stop_reason: string, usage: Fields = {}): Fields => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage,
})
const last: Fields = { type: 'message_stop' }

test('a call without arguments has none, streamed and whole', () => {
  const streamed = collected(recorded('tool-no-args-stream.chunks.txt'))
  const whole = messagesConversion.decodeResponse(readJson('tool-no-args.json'))
  expect(streamed.choices[0]?.stop).toEqual({ reason: 'tool-calls' })
  expect(streamed.choices[0]?.parts.at(-1)).toMatchObject({
    name: 'updateIssueList',
    arguments: expect.stringMatching(/^(?:\{\})?$/) as string,
  })
  expect(whole.choices[0]?.parts.at(-1)).toMatchObject({ arguments: '{}' })
})

test('a web search keeps its citations, its calls are counted, its input is the last figure', () => {
  const { choices, usage } = collected(recorded('web-search-stream.chunks.txt'))
  const parts = choices[0]?.parts ?? []
  expect(parts.slice(0, 2)).toMatchObject([
    { type: 'hosted', tool: 'web-search', value: { type: 'server_tool_use', name: 'web_search' } },
    { type: 'hosted', tool: 'web-search', value: { type: 'web_search_tool_result' } },
  ])
  expect(parts[0]).toMatchObject({ value: { input: { query: expect.any(String) as string } } })
  const cited = parts.find((part) => part.type === 'text' && part.citations)
  expect(cited).toMatchObject({ citations: [{ type: 'url' }, {}, {}] })
  expect(usage).toMatchObject({ input: 15_665, output: 795, detail: { webSearches: 1 } })
})

test('zeros of a compatible upstream do not hide what was told, whichever event tells', () => {
  const usageOf = (first: Fields, second: Fields) =>
    collected(decodeEvents(start(first), ended('end_turn', second), last)).usage
  expect(
    usageOf({ input_tokens: 0, output_tokens: 0 }, { input_tokens: 61, output_tokens: 2 }),
  ).toMatchObject({ input: 61, output: 2 })
  expect(
    usageOf(
      { input_tokens: 50, cache_read_input_tokens: 7 },
      { input_tokens: 0, output_tokens: 3 },
    ),
  ).toMatchObject({ input: 57, cachedInput: 7, output: 3 })
  expect(
    usageOf({ input_tokens: 5 }, { input_tokens: null, output_tokens: 9, server_tool_use: null }),
  ).toMatchObject({ input: 5, output: 9 })
})

describe('usage that a later event takes back', () => {
  const told = (first: Fields, second: Fields) => {
    const events = [start(first), ended('end_turn', second), last]
    const scanner = codecOf('messages').createScanner({
      ...{ withholdUsage: false, showModel: null, asArray: false },
    })
    scanner.push(Buffer.from(events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('')))
    const whole = codecOf('messages').readUsage(
      new JsonFields(Buffer.from(JSON.stringify({ usage: { ...first, ...second } }))),
    )
    return {
      converted: collected(decodeEvents(...events)).usage,
      passedThrough: scanner.usage(),
      whole,
    }
  }
  const cached = { cache_creation_input_tokens: 55_000, cache_read_input_tokens: 96 }
  const uncached = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

  test('an explicit 0 counts: nothing was read from the cache after all', () => {
    const usage = told(
      { input_tokens: 181, ...cached, output_tokens: 1 },
      { input_tokens: 181, ...uncached, output_tokens: 40 },
    )
    const wanted = { input: 181, cachedInput: 0, cacheWrite: 0, output: 40 }
    expect(usage.converted).toMatchObject(wanted)
    expect(usage.passedThrough).toMatchObject(wanted)
    expect(usage.whole).toMatchObject(wanted)
  })

  test('a compaction is billed beside the answer, and its tokens stand in `iterations` alone', () => {
    const usage = told(
      { input_tokens: 50_000, ...uncached, output_tokens: 1 },
      {
        ...{ input_tokens: 181, ...uncached, output_tokens: 40 },
        iterations: [
          { type: 'compaction', input_tokens: 100, ...cached, output_tokens: 7 },
          { type: 'message', input_tokens: 181, ...uncached, output_tokens: 40 },
        ],
      },
    )
    const wanted = {
      ...{ input: 181 + 100 + 55_096, cachedInput: 96, cacheWrite: 55_000, output: 47 },
      detail: { compactionInput: 55_196, compactionOutput: 7 },
    }
    expect(usage.converted).toMatchObject(wanted)
    expect(usage.passedThrough).toMatchObject(wanted)
    expect(usage.whole).toMatchObject(wanted)
  })

  test('of a compaction on demand nothing else is billed', () => {
    const usage = told(
      { input_tokens: 9, output_tokens: 1 },
      {
        ...{ input_tokens: 0, output_tokens: 0 },
        iterations: [{ type: 'compaction', input_tokens: 144, output_tokens: 276 }],
      },
    )
    for (const one of Object.values(usage)) expect(one).toMatchObject({ input: 144, output: 276 })
  })

  test('whatever carries it, a cache kept for an hour and searches are told', () => {
    const usage = told(
      { input_tokens: 1, cache_creation_input_tokens: 5, output_tokens: 1 },
      {
        output_tokens: 2,
        cache_creation: { ephemeral_1h_input_tokens: 5 },
        server_tool_use: { web_search_requests: 2 },
      },
    )
    for (const one of Object.values(usage)) {
      expect(one).toMatchObject({ detail: { cacheWrite1h: 5, webSearches: 2 } })
    }
  })
})

test('thoughts carry their signature and model; omitted ones have only that', () => {
  const { choices } = collected(
    decodeEvents(
      start(),
      block(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'signature_delta', signature: 'EqMB' }),
      stop(0),
      block(1, { type: 'redacted_thinking', data: 'EmwK' }),
      stop(1),
      ended('end_turn'),
      last,
    ),
  )
  const state = { origin: 'messages', model: 'claude' }
  expect(choices[0]?.parts).toMatchObject([
    { type: 'reasoning', sections: [], state: { ...state, kind: 'signature', data: 'EqMB' } },
    { type: 'reasoning', sections: [], state: { ...state, kind: 'redacted', data: 'EmwK' } },
  ])
})

test('pings, events of the future and text without a block do no harm', () => {
  const parts = decodeEvents(
    { type: 'ping' },
    start({ input_tokens: 3 }),
    { type: 'message_thought', text: 'x' },
    delta(0, { type: 'text_delta', text: 'Hel' }),
    delta(0, { type: 'sparkle_delta', text: '' }),
    delta(0, { type: 'text_delta', text: 'lo' }),
    ended('end_turn'),
    last,
  )
  expect(parts.filter(({ type }) => type === 'response-start')).toHaveLength(1)
  expect(collected(parts).choices[0]?.parts).toEqual([{ type: 'text', text: 'Hello' }])
})

test('a second message in one stream is an error, never more of the first', () => {
  const text = delta(0, { type: 'text_delta', text: 'Hel' })
  expect(() => decodeEvents(start(), start(), text)).toThrow('second "message_start"')
  expect(() => decodeEvents(start(), text, ended('end_turn'), start(), text, last)).toThrow(
    GatewayError,
  )
  // The SDK of the format reads it as an error too; what comes behind the end is nobody's.
  expect(decodeEvents(start(), text, ended('end_turn'), last, start()).at(-1)).toEqual({
    type: 'response-end',
  })
})

test('a start that comes after the first words is the only one', () => {
  const parts = decodeEvents(
    delta(0, { type: 'text_delta', text: 'Hello' }),
    start({ input_tokens: 3 }),
    ended('end_turn'),
    last,
  )
  expect(collected(parts).choices[0]?.parts).toEqual([{ type: 'text', text: 'Hello' }])
})

test('a call whose input came whole at its start keeps it', () => {
  const input = { path: 'a' }
  const { choices } = collected(
    decodeEvents(start(), block(0, { type: 'tool_use', id: 't', name: 'f', input }), stop(0), last),
  )
  expect(choices[0]).toMatchObject({
    parts: [{ id: 't', name: 'f', arguments: '{"path":"a"}' }],
    stop: { reason: 'tool-calls' },
  })
})

test('a block that is never closed ends before the answer does', () => {
  const types = decodeEvents(
    start(),
    block(0, { type: 'text', text: 'A' }),
    block(1, { type: 'tool_use', id: 't', name: 'f', input: {} }),
    ended('tool_use', { output_tokens: 1 }),
    last,
  ).map(({ type }) => type)
  expect(types).toEqual([
    'response-start',
    'text-start',
    'text-delta',
    'text-end',
    'call-start',
    'call-end',
    'stop',
    'usage',
    'response-end',
  ])
})

test('an error in the stream is the last of it, with the vendor’s words', () => {
  const error = { type: 'overloaded_error', message: 'Overloaded' }
  expect(decodeEvents(start(), { type: 'error', error }, last).at(-1)).toEqual({
    type: 'error',
    message: 'Overloaded',
    status: 529,
    code: 'overloaded_error',
  })
})

test('a refusal in mid-stream says why', () => {
  const { choices } = collected(recorded('refusal-stream.chunks.txt'))
  expect(choices[0]).toMatchObject({ parts: [], stop: { reason: 'refusal' } })
  expect(choices[0]?.stop.explanation).toContain('Usage Policy')
})

test('broken JSON is an error; a block without end is not held for ever', () => {
  expect(() => decodePieces([Buffer.from('event: message_start\ndata: {"type"\n\n')])).toThrow(
    SyntaxError,
  )
  const decoder = messagesConversion.createDecoder()
  const push = (event: Fields) => decoder.push({ event: null, data: JSON.stringify(event) })
  push(block(0, { type: 'server_tool_use', name: 'web_search', id: 's', input: {} }))
  const piece = delta(0, { type: 'input_json_delta', partial_json: 'x'.repeat(1024 * 1024) })
  expect(() => {
    for (let count = 0; count < 20; count++) push(piece)
  }).toThrow(GatewayError)
})

test('a whole answer that is an error, or no answer at all, throws', () => {
  const error = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } }
  expect(() => messagesConversion.decodeResponse(error)).toThrow('Slow down')
  expect(() => messagesConversion.decodeResponse({ choices: [] })).toThrow(
    'isn’t an Anthropic message',
  )
})

test.each(['tool_use', 'end_turn', 'compaction', 'something_new'])(
  'an answer that calls a tool and stops with %s waits for the tool',
  (word) => {
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }]
    const { choices } = messagesConversion.decodeResponse({ content, stop_reason: word })
    expect(choices[0]?.stop.reason).toBe('tool-calls')
  },
)

test.each([
  ['end_turn', 'end'],
  ['max_tokens', 'length'],
  ['stop_sequence', 'stop-sequence'],
  ['tool_use', 'end'],
  ['pause_turn', 'pause'],
  ['refusal', 'refusal'],
  ['model_context_window_exceeded', 'context-window'],
  ['compaction', 'end'],
  ['something_new', 'other'],
])('stop reason %s without a call is %s, and comes out as it was', (word, reason) => {
  const response = messagesConversion.decodeResponse({ content: [], stop_reason: word })
  expect(response.choices[0]?.stop.reason).toBe(reason)
})
