import { expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { readState, STATE_MARK } from '../../../../main/convert/reasoning/reasoning-state.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import {
  answerTarget,
  blocksOf,
  chatRequest,
  collected,
  encodeParts,
  eventsOf,
  type Fields,
} from './exchange-parts.ts'

const start: StreamPart = { type: 'response-start', id: 'chatcmpl-1', model: 'gpt', created: 1 }
const textStart = (block: number): StreamPart => ({ type: 'text-start', block, choice: 0 })
const text = (block: number, value: string): StreamPart => ({
  type: 'text-delta',
  block,
  text: value,
})
const textEnd = (block: number): StreamPart => ({ type: 'text-end', block })
const callStart = (block: number, name = `f${block}`): StreamPart => ({
  type: 'call-start',
  block,
  choice: 0,
  id: `call_${block}`,
  name,
  kind: 'function',
})
const args = (block: number, value: string): StreamPart => ({
  type: 'call-delta',
  block,
  text: value,
})
const callEnd = (block: number): StreamPart => ({ type: 'call-end', block })
const stop: StreamPart = { type: 'stop', choice: 0, stop: { reason: 'end' } }
const end: StreamPart = { type: 'response-end' }

const encoded = (...parts: StreamPart[]): Fields[] => eventsOf(encodeParts([start, ...parts]))

test('a stream begins with a whole message, an estimate of the input and a ping', () => {
  const [first, second] = encoded()
  expect(first).toEqual({
    type: 'message_start',
    message: {
      id: 'msg_20261121101534a1b2c3d4e5f6',
      type: 'message',
      role: 'assistant',
      model: 'asked-for',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        input_tokens: 321,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { thinking_tokens: 0 },
        server_tool_use: null,
        service_tier: null,
        inference_geo: null,
        speed: null,
      },
    },
  })
  expect(second).toEqual({ type: 'ping' })
  const unknown = eventsOf(encodeParts([start], answerTarget({ estimatedInput: 0 })))[0]
  expect(unknown).toMatchObject({ message: { usage: { input_tokens: 1 } } })
})

test('the end tells the true usage, without the caches in the input', () => {
  const usage = {
    input: 1000,
    cachedInput: 600,
    cacheWrite: 100,
    output: 50,
    reasoning: 20,
    detail: { webSearches: 2 },
  }
  const events = encoded(
    textStart(0),
    text(0, 'Hi'),
    textEnd(0),
    stop,
    { type: 'usage', usage },
    end,
  )
  expect(events.slice(-2)).toEqual([
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null, container: null },
      usage: {
        input_tokens: 300,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 600,
        output_tokens: 50,
        output_tokens_details: { thinking_tokens: 20 },
        server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
      },
    },
    { type: 'message_stop' },
  ])
})

test('the first words are not swallowed, and come at once', () => {
  const events = eventsOf(encodeParts([start, textStart(0), text(0, 'Hel')]))
  expect(events.slice(2)).toMatchObject([
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
  ])
})

test('a signature that comes when text has divided its thoughts makes no third block', () => {
  const state = readState('c2lnbmVk', 'messages', 'signature')
  const events = encoded(
    { type: 'reasoning-start', block: 0, choice: 0, form: 'raw' },
    { type: 'reasoning-delta', block: 0, section: 0, text: 'Hm.' },
    textStart(1),
    text(1, 'So.'),
    { type: 'reasoning-end', block: 0, state },
    textEnd(1),
    stop,
    end,
  )
  expect(blocksOf(events)).toMatchObject([
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'So.' },
  ])
})

test('a call without arguments reaches an Anthropic client as {}', () => {
  const events = encoded(callStart(0), callEnd(0), stop, end)
  expect(blocksOf(events)).toMatchObject([{ type: 'tool_use', id: 'call_0', input: {}, json: '' }])
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } })
})

test('calls that arrive interleaved come one after the other, each with its own arguments', () => {
  const events = encoded(
    callStart(0),
    callStart(1),
    args(1, '{"b":'),
    args(0, '{"a":'),
    args(1, '2}'),
    args(0, '1}'),
    callEnd(1),
    callEnd(0),
    stop,
    end,
  )
  expect(blocksOf(events)).toMatchObject([
    { name: 'f0', json: '{"a":1}' },
    { name: 'f1', json: '{"b":2}' },
  ])
})

test('text that goes on beside a call is no part of the call', () => {
  const events = encoded(
    textStart(0),
    text(0, 'One '),
    callStart(1),
    args(1, '{'),
    args(1, '"a":'),
    text(0, 'two'),
    args(1, '1}'),
    callEnd(1),
    textEnd(0),
    stop,
    end,
  )
  expect(blocksOf(events)).toMatchObject([
    { type: 'text', text: 'One ' },
    { type: 'tool_use', json: '{"a":1}' },
    { type: 'text', text: 'two' },
  ])
})

test('thoughts that an upstream leaves open do not hold up the answer', () => {
  const think: StreamPart[] = [
    { type: 'reasoning-start', block: 0, choice: 0, form: 'raw' },
    { type: 'reasoning-delta', block: 0, section: 0, text: 'Hm' },
    { type: 'reasoning-delta', block: 0, section: 1, text: 'So' },
  ]
  const sofar = encodeParts([start, ...think, textStart(1), text(1, 'Hello')])
  expect(sofar).toContain('Hello')
  const blocks = blocksOf(
    encoded(
      ...think,
      textStart(1),
      text(1, 'Hello'),
      textEnd(1),
      { type: 'reasoning-end', block: 0 },
      stop,
      end,
    ),
  )
  expect(blocks).toMatchObject([
    { type: 'thinking', thinking: 'Hm\n\nSo' },
    { type: 'text', text: 'Hello' },
  ])
  expect(String(blocks[0]?.signature).startsWith(STATE_MARK)).toBe(true)
})

test('another vendor’s state comes in the signature, a call’s own in a block before the call', () => {
  const secret = {
    origin: 'responses',
    kind: 'encrypted',
    data: 'gAAA',
    model: 'gpt',
    id: 'rs_1',
  } as const
  const google = {
    origin: 'generate-content',
    kind: 'signature',
    data: 'CiQ=',
    model: 'g',
  } as const
  const blocks = blocksOf(
    encoded(
      { type: 'reasoning-start', block: 0, choice: 0, form: 'summary' },
      { type: 'reasoning-end', block: 0, state: secret },
      callStart(1),
      args(1, '{"a":1}'),
      { type: 'call-end', block: 1, state: google },
      stop,
      end,
    ),
  )
  expect(blocks.map(({ type }) => type)).toEqual(['thinking', 'thinking', 'tool_use'])
  const read = (block: Fields | undefined) =>
    readState(String(block?.signature), 'messages', 'signature')
  expect(read(blocks[0])).toEqual(secret)
  expect(read(blocks[1])).toEqual(google)
})

test('a client that wants no thoughts gets their state alone', () => {
  const secret = { origin: 'responses', kind: 'encrypted', data: 'gAAA', model: 'gpt' } as const
  const thought = (block: number, end: StreamPart): StreamPart[] => [
    { type: 'reasoning-start', block, choice: 0, form: 'summary' },
    { type: 'reasoning-delta', block, section: 0, text: 'Hm.' },
    end,
  ]
  const parts = [
    start,
    ...thought(0, { type: 'reasoning-end', block: 0, state: secret }),
    ...thought(1, { type: 'reasoning-end', block: 1 }),
    stop,
    end,
  ]
  for (const reasoning of [{ mode: 'off' }, { mode: 'adaptive', isShown: false }] as const) {
    const target = answerTarget({ request: chatRequest({ reasoning }) })
    const blocks = blocksOf(eventsOf(encodeParts(parts, target)))
    expect(blocks).toMatchObject([{ type: 'thinking', thinking: '' }])
    const whole = messagesConversion.encodeResponse(collected(parts), target)
    expect(whole.content).toEqual([
      { type: 'thinking', thinking: '', signature: blocks[0]?.signature },
    ])
  }
})

test('a refusal in words is a refusal', () => {
  const parts: StreamPart[] = [
    start,
    { type: 'refusal-start', block: 0, choice: 0 },
    { type: 'refusal-delta', block: 0, text: 'No.' },
    { type: 'refusal-end', block: 0 },
    stop,
    end,
  ]
  expect(eventsOf(encodeParts(parts)).at(-2)).toMatchObject({ delta: { stop_reason: 'refusal' } })
  expect(messagesConversion.encodeResponse(collected(parts), answerTarget())).toMatchObject({
    content: [{ type: 'text', text: 'No.' }],
    stop_reason: 'refusal',
  })
})

test('arguments that are no object reach the client as one', () => {
  const events = encoded(callStart(0), args(0, ' '), args(0, 'oops'), callEnd(0), stop, end)
  expect(blocksOf(events)).toMatchObject([{ json: '{"_raw":" oops"}' }])
})

test('an answer of nothing has no block, and an end', () => {
  const events = encoded(textStart(0), textEnd(0), stop, end)
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    'ping',
    'message_delta',
    'message_stop',
  ])
})

test('a cut or failed answer has an error and no end', () => {
  const error: StreamPart = { type: 'error', message: 'Slow down', status: 429, code: 'rate' }
  const events = encoded(textStart(0), text(0, 'Hi'), error, end)
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    error: { type: 'rate_limit_error', message: 'Slow down' },
  })
})

test('what a vendor could not read is told, and is no clean end without words', () => {
  const malformed: StreamPart = {
    type: 'stop',
    choice: 0,
    stop: { reason: 'malformed', vendorReason: 'MALFORMED_FUNCTION_CALL' },
  }
  expect(blocksOf(encoded(malformed, end))).toMatchObject([
    { type: 'text', text: expect.stringContaining('MALFORMED_FUNCTION_CALL') as string },
  ])
})

test.each([
  [{ reason: 'length' }, 'max_tokens', true],
  [{ reason: 'end' }, 'tool_use', true],
  [{ reason: 'tool-calls' }, 'end_turn', false],
  [{ reason: 'stop-sequence' }, 'end_turn', false],
  [{ reason: 'stop-sequence', sequence: 'END' }, 'stop_sequence', false],
  [{ reason: 'content-filter', vendorReason: 'SAFETY' }, 'refusal', false],
  [{ reason: 'context-window' }, 'model_context_window_exceeded', false],
  [{ reason: 'pause' }, 'pause_turn', false],
] as const)('%j is stop reason %s', (given, word, hasCall) => {
  const call = hasCall ? [callStart(0), callEnd(0)] : []
  const events = encoded(...call, { type: 'stop', choice: 0, stop: given }, end)
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: word } })
})

test('a call that waits too long for the one before it is given up', () => {
  const piece = args(1, 'x'.repeat(1024 * 1024))
  const parts = [start, callStart(0), callStart(1), ...Array.from({ length: 20 }, () => piece)]
  expect(() => encodeParts(parts)).toThrow(GatewayError)
})
