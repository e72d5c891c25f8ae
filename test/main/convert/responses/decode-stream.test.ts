import { describe, expect, test } from 'vitest'
import { responsesConversion } from '../../../../main/convert/responses/conversion.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'

type Json = Record<string, unknown>

function read(...events: Json[]): StreamPart[] {
  const decoder = responsesConversion.createDecoder()
  const parts = events.flatMap(({ type, ...rest }) =>
    decoder.push({ event: String(type), data: JSON.stringify({ type, ...rest }) }),
  )
  return [...parts, ...decoder.end()]
}

const created = { type: 'response.created', response: { id: 'resp_1', model: 'm', created_at: 5 } }
const added = (output_index: number, item: Json) => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const done = (output_index: number, item: Json) => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const completed = (response: Json = {}) => ({
  type: 'response.completed',
  response: { status: 'completed', output: [], ...response },
})

const call = (id: string, args = '') => ({
  type: 'function_call',
  id,
  call_id: 'call_1',
  name: 'f',
  arguments: args,
})

const textOf = (parts: readonly StreamPart[], type: StreamPart['type']) =>
  parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')

describe('a call', () => {
  const delta = (text: string, item_id = 'fc_1') => ({
    type: 'response.function_call_arguments.delta',
    output_index: 0,
    item_id,
    delta: text,
  })
  const argumentsDone = {
    type: 'response.function_call_arguments.done',
    output_index: 0,
    arguments: '{"a":1}',
  }

  test('whose arguments come as the object itself keeps them', () => {
    const whole = { ...call('fc_1'), arguments: { a: 1 } }
    const parts = read(created, added(0, { ...whole, arguments: {} }), done(0, whole), completed())
    expect(textOf(parts, 'call-delta')).toBe('{"a":1}')
  })

  test('whose item changes its id on the way is one call (Copilot)', () => {
    const parts = read(
      created,
      added(0, call('fc_1')),
      delta('{"a":', 'fc_other'),
      delta('1}', 'fc_third'),
      argumentsDone,
      done(0, call('fc_fourth', '{"a":1}')),
      completed({ output: [call('fc_fifth', '{"a":1}')] }),
    )
    expect(parts.filter(({ type }) => type === 'call-start')).toHaveLength(1)
    expect(textOf(parts, 'call-delta')).toBe('{"a":1}')
    expect(parts).toContainEqual({ type: 'stop', choice: 0, stop: { reason: 'tool-calls' } })
  })

  test('whose arguments come whole is told by .done, by its item, or by the end', () => {
    for (const events of [
      [added(0, call('fc_1')), argumentsDone, done(0, call('fc_1', '{"a":1}'))],
      [added(0, call('fc_1')), done(0, call('fc_1', '{"a":1}'))],
      [done(0, call('fc_1', '{"a":1}'))],
      [],
    ]) {
      const parts = read(created, ...events, completed({ output: [call('fc_1', '{"a":1}')] }))
      expect(textOf(parts, 'call-delta')).toBe('{"a":1}')
      expect(parts.filter(({ type }) => type === 'call-end')).toHaveLength(1)
    }
  })

  test('that has its name only at the end begins then', () => {
    const parts = read(
      created,
      added(0, { type: 'function_call', id: 'fc_1', call_id: '', name: '' }),
      delta('{"a":1}'),
      done(0, call('fc_1', '{"a":1}')),
      completed(),
    )
    expect(parts.map(({ type }) => type)).toEqual([
      'response-start',
      'call-start',
      'call-delta',
      'call-end',
      'stop',
      'response-end',
    ])
  })
})

describe('what was never streamed', () => {
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: 'Hello',
        annotations: [{ type: 'url_citation', url: 'https://a.example', title: 'A' }],
      },
      { type: 'refusal', refusal: 'No more.' },
    ],
  }

  test('comes from the item, or from the answer', () => {
    for (const events of [[done(0, message)], []]) {
      const parts = read(created, ...events, completed({ output: [message] }))
      expect(textOf(parts, 'text-delta')).toBe('Hello')
      expect(textOf(parts, 'refusal-delta')).toBe('No more.')
      expect(parts.filter(({ type }) => type === 'text-citation')).toHaveLength(1)
    }
  })

  test('is not told again by an end that lists everything', () => {
    const parts = read(
      created,
      added(0, message),
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hello' },
      { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Hello' },
      {
        type: 'response.content_part.done',
        output_index: 0,
        content_index: 0,
        part: message.content[0],
      },
      done(0, { ...message, content: message.content.slice(0, 1) }),
      completed({ output: [message] }),
    )
    expect(textOf(parts, 'text-delta')).toBe('Hello')
    expect(parts.filter(({ type }) => type === 'text-end')).toHaveLength(1)
  })
})

describe('thoughts', () => {
  test('come in sections, with their state at the end', () => {
    const section = (summary_index: number, delta: string) => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index,
      delta,
    })
    const item = { type: 'reasoning', id: 'rs_1', summary: [] }
    const parts = read(
      created,
      added(0, { ...item, encrypted_content: 'begin' }),
      section(0, 'One'),
      section(1, 'Two'),
      done(0, { ...item, encrypted_content: 'end' }),
      completed(),
    )
    expect(parts.filter(({ type }) => type === 'reasoning-delta')).toMatchObject([
      { section: 0, text: 'One' },
      { section: 1, text: 'Two' },
    ])
    expect(parts).toContainEqual({
      type: 'reasoning-end',
      block: 0,
      state: { origin: 'responses', kind: 'encrypted', data: 'end', id: 'rs_1', model: null },
    })
  })

  test('as they were are raw', () => {
    const parts = read(
      created,
      { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'Hm' },
      completed(),
    )
    expect(parts).toContainEqual({ type: 'reasoning-start', block: 0, choice: 0, form: 'raw' })
    expect(parts.map(({ type }) => type)).toContain('reasoning-end')
  })
})

describe('the end', () => {
  test('of a cut answer says why', () => {
    const parts = read(created, {
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [],
        usage: { input_tokens: 5, output_tokens: 3 },
      },
    })
    expect(parts.slice(1)).toMatchObject([
      { type: 'usage', usage: { input: 5, output: 3 } },
      { type: 'stop', stop: { reason: 'length', vendorReason: 'max_output_tokens' } },
      { type: 'response-end' },
    ])
  })

  test('of an answer that was cut in the middle of a call is that cut, not a call', () => {
    const output = [{ ...call('fc_1', '{"a":'), status: 'incomplete' }]
    const response = {
      ...{ object: 'response', status: 'incomplete', output },
      incomplete_details: { reason: 'max_output_tokens' },
    }
    const stop = { reason: 'length', vendorReason: 'max_output_tokens' }
    const parts = read(created, { type: 'response.incomplete', response })
    expect(parts).toContainEqual({ type: 'stop', choice: 0, stop })
    expect(responsesConversion.decodeResponse(response).choices).toMatchObject([{ stop }])
  })

  test('counts the searches that the vendor made', () => {
    const search = { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'q' } }
    const usage = { input_tokens: 5, output_tokens: 3 }
    const parts = read(created, done(0, search), completed({ usage }))
    expect(parts).toContainEqual(
      expect.objectContaining({ usage: expect.objectContaining({ detail: { webSearches: 1 } }) }),
    )
    expect(parts).toContainEqual({
      type: 'whole',
      block: 0,
      choice: 0,
      part: { type: 'hosted', tool: 'web-search', origin: 'responses', value: search },
    })
  })

  test('by an error is told in every shape, once', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down.' }
    for (const event of [
      { type: 'error', ...error, param: null },
      { type: 'error', error: { type: 'requests', ...error } },
      { type: 'response.failed', response: { status: 'failed', error } },
    ]) {
      const parts = read(created, event, completed())
      expect(parts.slice(1)).toEqual([{ type: 'error', ...error, status: 429 }])
    }
    const bare = responsesConversion.createDecoder()
    expect(bare.push({ event: null, data: '{"error":{"message":"Busy","code":503}}' })).toEqual([
      { type: 'error', message: 'Busy', status: 503, code: null },
    ])
  })

  test('passes over what it does not know', () => {
    const decoder = responsesConversion.createDecoder()
    expect(decoder.push({ event: null, data: '[DONE]' })).toEqual([])
    expect(
      decoder.push({ event: 'codex.rate_limits', data: '{"type":"codex.rate_limits"}' }),
    ).toEqual([])
    expect(() => decoder.push({ event: null, data: '{"type":' })).toThrow(SyntaxError)
  })
})

describe('a whole answer', () => {
  test('that is none, or that failed, is an error', () => {
    expect(() => responsesConversion.decodeResponse({ choices: [] })).toThrow('isn’t a response')
    const failed = {
      object: 'response',
      status: 'failed',
      output: [],
      error: { code: 'server_error', message: 'Oops' },
    }
    expect(() => responsesConversion.decodeResponse(failed)).toThrow('Oops')
  })

  test('of a vendor’s own tool is a call where the client runs it', () => {
    const operation = { type: 'delete_file', path: 'a' }
    const item = {
      type: 'apply_patch_call',
      id: 'apc_1',
      call_id: 'c',
      status: 'completed',
      operation,
    }
    const { choices } = responsesConversion.decodeResponse({ object: 'response', output: [item] })
    expect(choices[0]).toMatchObject({
      parts: [{ type: 'call', name: 'apply_patch', arguments: JSON.stringify(operation) }],
      stop: { reason: 'tool-calls' },
    })
  })
})
