import { describe, expect, test } from 'vitest'
import type { Part } from '../../../../main/convert/exchange.ts'
import { collectStream } from '../../../../main/convert/stream/collect-stream.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { chunk, decodeStream, done, type Json } from './small-exchange.ts'

const call = (fragment: Json, finish: string | null = null) =>
  chunk({ tool_calls: [fragment] }, finish)

const fragment = (index: number | undefined, text: unknown, rest: Json = {}) => {
  const { name, ...outer } = rest
  return call({
    ...(index === undefined ? {} : { index }),
    ...outer,
    function: { ...(name === undefined ? {} : { name }), arguments: text },
  })
}

function partsOf(...texts: string[]): Part[] {
  const collected = collectStream()
  for (const part of decodeStream(...texts)) collected.push(part)
  return collected.response().choices.flatMap(({ parts }) => parts)
}

const callsOf = (...texts: string[]) =>
  partsOf(...texts, chunk({}, 'tool_calls'), done).flatMap((part) =>
    part.type === 'call' ? [[part.id, part.name, part.arguments]] : [],
  )

const typesOf = (parts: readonly StreamPart[]) => parts.map(({ type }) => type)

describe('calls, as vendors send them', () => {
  test('an id and a name on every fragment make one call', () => {
    const again = { id: 'a', name: 'get', type: 'function' }
    expect(callsOf(fragment(0, '{"x"', again), fragment(0, ':1}', again))).toEqual([
      ['a', 'get', '{"x":1}'],
    ])
  })

  test('an empty name that is repeated does not undo the name', () => {
    expect(
      callsOf(fragment(0, '', { id: 'a', name: 'get' }), fragment(0, '{}', { id: '', name: '' })),
    ).toEqual([['a', 'get', '{}']])
  })

  test('without index, calls are told apart by id, else by name', () => {
    const whole = (id: string | undefined, text: string) =>
      fragment(undefined, text, { ...(id ? { id } : {}), name: 'get' })
    expect(callsOf(whole('a', '{"x":1}'), whole('b', '{"x":2}'))).toEqual([
      ['a', 'get', '{"x":1}'],
      ['b', 'get', '{"x":2}'],
    ])
    const [first, second] = callsOf(whole(undefined, '{"x":1}'), whole(undefined, '{"x":2}'))
    expect([first?.[2], second?.[2]]).toEqual(['{"x":1}', '{"x":2}'])
    expect(first?.[0]).toMatch(/^call_/)
    expect(first?.[0]).not.toBe(second?.[0])
  })

  test('several calls under one index are several calls', () => {
    expect(
      callsOf(
        fragment(0, '{"x":1}', { id: 'a', name: 'get' }),
        fragment(0, '{"x":2}', { id: 'b', name: 'get' }),
      ),
    ).toEqual([
      ['a', 'get', '{"x":1}'],
      ['b', 'get', '{"x":2}'],
    ])
  })

  test.each([undefined, 0])('two whole calls of one id are two calls (index %s)', (index) => {
    const whole = (name: string, text: string) => fragment(index, text, { id: 'call_0', name })
    expect(callsOf(whole('get', '{"x":1}'), whole('put', '{}'), whole('put', '{"y":2}'))).toEqual([
      ['call_0', 'get', '{"x":1}'],
      ['call_0', 'put', '{}'],
      ['call_0', 'put', '{"y":2}'],
    ])
    expect(callsOf(whole('get', '{"x":1}'), whole('get', '{"x":1}'))).toHaveLength(1)
  })

  test('fragments that interleave go to their own call', () => {
    expect(
      callsOf(
        fragment(1, '', { id: 'a', name: 'get' }),
        fragment(1, '{"x":'),
        fragment(2, '{"y"', { id: 'b', name: 'put' }),
        fragment(1, '1}'),
        fragment(2, ':2}'),
      ),
    ).toEqual([
      ['a', 'get', '{"x":1}'],
      ['b', 'put', '{"y":2}'],
    ])
  })

  test('a call starts only when its id and name are known', () => {
    const parts = decodeStream(
      fragment(0, '{', { name: 'get' }),
      fragment(0, '"x"'),
      fragment(0, ':1}', { id: 'late' }),
      chunk({}, 'tool_calls'),
      done,
    )
    expect(parts.filter(({ type }) => type.startsWith('call'))).toEqual([
      { type: 'call-start', block: 0, choice: 0, id: 'late', name: 'get', kind: 'function' },
      { type: 'call-delta', block: 0, text: '{"x"' },
      { type: 'call-delta', block: 0, text: ':1}' },
      { type: 'call-end', block: 0 },
    ])
  })

  test('an invented id is the same each time, and another for another call', () => {
    const once = () =>
      callsOf(fragment(0, '{}', { name: 'get' }), fragment(1, '{}', { name: 'get' }))
    const [first, second] = once()
    expect(once()).toEqual([first, second])
    expect(first?.[0]).not.toBe(second?.[0])
  })

  test('arguments may be an object, of which no number is rounded', () => {
    const raw = `data: {"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"get","arguments":{"id":9007199254740993}}}]}}]}\n\n`
    expect(callsOf(raw)).toEqual([['a', 'get', '{"id":9007199254740993}']])
  })

  test('arguments that are sent whole once more are not doubled', () => {
    expect(
      callsOf(
        fragment(0, '{"x":', { id: 'a', name: 'get' }),
        fragment(0, '1}'),
        fragment(0, '{"x":1}'),
      ),
    ).toEqual([['a', 'get', '{"x":1}']])
  })

  test('a brace in a text does not end the arguments', () => {
    const text = String.raw`{"x":"}\"{","y":[{"z":"\\"}]}`
    const pieces = [...text].map((one) => fragment(0, one))
    expect(callsOf(fragment(0, '', { id: 'a', name: 'get' }), ...pieces)).toEqual([
      ['a', 'get', text],
    ])
  })

  test('the deprecated function_call is a call', () => {
    const calls = callsOf(
      chunk({ function_call: { name: 'get', arguments: '' } }),
      chunk({ function_call: { arguments: '{}' } }, 'function_call'),
    )
    expect(calls.map(([, name, text]) => [name, text])).toEqual([['get', '{}']])
  })

  test('a call of a freeform tool is its text', () => {
    const parts = partsOf(
      call({ index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input: '{"a"}' } }),
      call({ index: 0, custom: { input: ' more' } }),
      chunk({}, 'tool_calls'),
      done,
    )
    expect(parts).toEqual([
      { type: 'call', id: 'a', name: 'patch', kind: 'freeform', arguments: '{"a"} more' },
    ])
  })

  test('a call is ended when its arguments are whole and another begins', () => {
    const parts = decodeStream(
      fragment(0, '{}', { id: 'a', name: 'get' }),
      fragment(1, '{', { id: 'b', name: 'put' }),
      fragment(1, '}'),
      chunk({}, 'tool_calls'),
      done,
    )
    expect(typesOf(parts)).toEqual([
      ...['response-start', 'call-start', 'call-delta', 'call-end', 'call-start', 'call-delta'],
      ...['call-delta', 'call-end', 'stop', 'response-end'],
    ])
  })

  test('a call that is never named is no answer', () => {
    expect(() =>
      decodeStream(fragment(0, '{}', { id: 'a' }), chunk({}, 'tool_calls'), done),
    ).toThrow('without saying which')
  })
})

describe('thoughts, text and calls', () => {
  test('each is ended before the next begins', () => {
    const parts = decodeStream(
      chunk({ role: 'assistant', content: '', reasoning_content: 'Hm' }),
      chunk({ content: 'So' }),
      fragment(0, '{}', { id: 'a', name: 'get' }),
      chunk({}, 'tool_calls'),
      done,
    )
    expect(typesOf(parts)).toEqual([
      ...['response-start', 'reasoning-start', 'reasoning-delta', 'reasoning-end'],
      ...['text-start', 'text-delta', 'text-end', 'call-start', 'call-delta', 'call-end'],
      ...['stop', 'response-end'],
    ])
  })

  test.each([
    ['reasoning_content', { reasoning_content: 'Hm' }],
    ['reasoning', { reasoning: 'Hm' }],
    ['both names of it', { reasoning_content: 'Hm', reasoning: 'Hm' }],
    [
      'content with a thinking part',
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] },
    ],
    [
      'reasoning_details beside it',
      { reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0 }] },
    ],
  ])('%s is read once', (_name, delta) => {
    const [thought, text, ...rest] = partsOf(chunk(delta), chunk({ content: 'So' }, 'stop'), done)
    expect(thought).toMatchObject({ type: 'reasoning', sections: ['Hm'] })
    expect([text?.type, ...rest]).toEqual(['text'])
  })

  test('the state that a vendor sends with its thoughts is kept whole', () => {
    const detail = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 }
    const hidden = { type: 'reasoning.encrypted', data: 'secret', id: 'rs_1', index: 1 }
    const [thought, other] = partsOf(
      chunk({ reasoning_details: [{ ...detail, text: 'H' }] }),
      chunk({ reasoning_details: [{ ...detail, text: 'm' }] }),
      chunk({ reasoning_details: [{ ...detail, signature: 'sig' }, hidden] }),
      chunk({}, 'stop'),
      done,
    )
    expect(thought).toMatchObject({
      sections: ['Hm'],
      state: { origin: 'chat', kind: 'signature' },
    })
    expect(other).toMatchObject({ sections: [], state: { origin: 'chat', kind: 'encrypted' } })
    const dataOf = (part: Part | undefined) =>
      JSON.parse((part?.type === 'reasoning' && part.state?.data) || '{}')
    expect(dataOf(thought)).toEqual({ ...detail, signature: 'sig' })
    expect(dataOf(other)).toEqual(hidden)
  })

  test('a refusal and the sources of a text arrive as such', () => {
    const source = { url: 'https://a.example', title: 'A', start_index: 0, end_index: 2 }
    const parts = partsOf(
      chunk({ content: 'So' }),
      chunk({ annotations: [{ type: 'url_citation', url_citation: source }] }),
      chunk({ refusal: 'No.' }, 'stop'),
      done,
    )
    expect(parts).toEqual([
      {
        type: 'text',
        text: 'So',
        citations: [{ type: 'url', url: 'https://a.example', title: 'A', start: 0, end: 2 }],
      },
      { type: 'refusal', text: 'No.' },
    ])
  })

  test('pictures arrive whole', () => {
    const url = 'data:image/png;base64,iVBORw0KGgo='
    const images = [{ type: 'image_url', index: 0, image_url: { url } }]
    expect(partsOf(chunk({ content: '', images }), chunk({}, 'stop'), done)).toMatchObject([
      { type: 'media', kind: 'image', source: { mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
    ])
  })

  test('several answers at once are kept apart', () => {
    const of = (index: number, delta: Json, finish: string | null = null) =>
      chunk({}, null, { choices: [{ index, delta, finish_reason: finish }] })
    const collected = collectStream()
    const texts = [of(0, { content: 'a' }), of(1, { content: 'b' }), of(0, { content: 'A' })]
    const ends = [of(1, {}, 'length'), of(0, {}, 'stop'), done]
    for (const part of decodeStream(...texts, ...ends)) collected.push(part)
    const { choices } = collected.response()
    expect(choices.map(({ parts, stop }) => [parts, stop.reason])).toEqual([
      [[{ type: 'text', text: 'aA' }], 'end'],
      [[{ type: 'text', text: 'b' }], 'length'],
    ])
  })
})

describe('usage', () => {
  const told = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const usageOf = (...texts: string[]) =>
    decodeStream(chunk({ content: 'x' }), ...texts).findLast(({ type }) => type === 'usage')

  test.each([
    ['a chunk of its own', [chunk({}, 'stop'), chunk({}, null, { choices: [], usage: told })]],
    ['the last chunk', [chunk({}, 'stop', { usage: told })]],
    ['x_groq', [chunk({}, 'stop', { x_groq: { id: 'r', usage: told } })]],
  ])('is found in %s', (_name, texts) => {
    expect(usageOf(...texts, done)).toMatchObject({ usage: { input: 10, output: 5 } })
  })

  test('reasoning that a vendor left out of the output is counted', () => {
    const apart = { ...told, total_tokens: 22, completion_tokens_details: { reasoning_tokens: 7 } }
    expect(usageOf(chunk({}, 'stop', { usage: apart }), done)).toMatchObject({
      usage: { input: 10, output: 12, reasoning: 7 },
    })
    const inside = { ...told, completion_tokens_details: { reasoning_tokens: 3 } }
    expect(usageOf(chunk({}, 'stop', { usage: inside }), done)).toMatchObject({
      usage: { output: 5, reasoning: 3 },
    })
  })
})

describe('the end', () => {
  const text = chunk({ content: 'x' })

  test('a stream without [DONE] is whole when its finish reason was seen', () => {
    expect(typesOf(decodeStream(text, chunk({}, 'stop')))).toEqual([
      ...['response-start', 'text-start', 'text-delta', 'text-end', 'stop', 'response-end'],
    ])
  })

  test('a stream that is cut has no end', () => {
    const second = chunk({}, null, { choices: [{ index: 1, delta: { content: 'y' } }] })
    expect(decodeStream(text, second, chunk({}, 'stop')).at(-1)?.type).toBe('text-delta')
    expect(typesOf(decodeStream(text))).toEqual(['response-start', 'text-start', 'text-delta'])
    expect(decodeStream(done)).toEqual([])
  })

  test('an error in the stream is the last thing that is told', () => {
    const failed = `data: ${JSON.stringify({ error: { message: 'Too much.', code: 529 } })}\n\n`
    expect(decodeStream(text, failed, text, done).slice(-1)).toEqual([
      { type: 'error', message: 'Too much.', status: 529, code: null },
    ])
    const gaveUp = chunk({ content: '' }, null, {
      choices: [
        { index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: 'Lost' } },
      ],
    })
    expect(decodeStream(text, gaveUp).at(-1)).toMatchObject({ type: 'error', message: 'Lost' })
  })

  test('text behind a finish reason still counts, and a choice ends once', () => {
    const parts = decodeStream(text, chunk({}, 'stop'), chunk({ content: 'y' }, 'stop'), done)
    expect(parts.filter(({ type }) => type === 'stop')).toHaveLength(1)
    expect(parts.filter(({ type }) => type === 'text-delta')).toHaveLength(2)
  })

  test('comments, empty data, obfuscation and unknown events are passed over', () => {
    const odd = `: ping\n\ndata: \n\ndata: {"type":"ping"}\n\n`
    const padded = chunk({ content: 'x' }, 'stop', { obfuscation: 'aaaa' })
    expect(partsOf(odd, padded, odd, done)).toEqual([{ type: 'text', text: 'x' }])
  })

  test('data that is no JSON is told', () => {
    expect(() => decodeStream('data: {"id":\n\n')).toThrow(SyntaxError)
  })
})
