import { describe, expect, test } from 'vitest'
import { chatConversion } from '../../../../main/convert/chat/conversion.ts'
import type { Stop } from '../../../../main/convert/exchange-response.ts'
import { readState } from '../../../../main/convert/reasoning/reasoning-state.ts'
import { collectStream } from '../../../../main/convert/stream/collect-stream.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import {
  answerTarget,
  choicesOf,
  chunksOf,
  deltasOf,
  encodeStream,
  type Json,
  start,
  usage,
} from './small-exchange.ts'

const text = (block: number, ...texts: string[]): StreamPart[] => [
  { type: 'text-start', block, choice: 0 },
  ...texts.map((one): StreamPart => ({ type: 'text-delta', block, text: one })),
  { type: 'text-end', block },
]

const call = (block: number, name: string, ...texts: string[]): StreamPart[] => [
  { type: 'call-start', block, choice: 0, id: `id${block}`, name, kind: 'function' },
  ...texts.map((one): StreamPart => ({ type: 'call-delta', block, text: one })),
  { type: 'call-end', block },
]

const stop = (reason: Stop['reason'], rest: Partial<Stop> = {}): StreamPart => ({
  type: 'stop',
  choice: 0,
  stop: { reason, ...rest },
})

const end: StreamPart = { type: 'response-end' }

const finishOf = (...parts: StreamPart[]) =>
  choicesOf(chunksOf(encodeStream([start, ...parts, end]))).filter((one) => one.finish_reason)

const signature = (origin: 'messages' | 'generate-content', data = 'sig') =>
  ({ origin, kind: 'signature', data, model: 'm' }) as const

describe('the order of a stream', () => {
  test('role first, one finish chunk, usage last, then [DONE]', () => {
    const written = encodeStream([
      start,
      ...text(0, 'Hel', 'lo'),
      { type: 'usage', usage },
      stop('end'),
      end,
    ])
    const chunks = chunksOf(written)
    expect(choicesOf(chunks)).toEqual(
      [{ role: 'assistant', content: '' }, { content: 'Hel' }, { content: 'lo' }, {}].map(
        (delta, place) => ({
          index: 0,
          delta,
          logprobs: null,
          finish_reason: place === 3 ? 'stop' : null,
        }),
      ),
    )
    expect(chunks.slice(0, -1).every((one) => one.usage === null)).toBe(true)
    expect(chunks.at(-1)).toMatchObject({
      id: 'chatcmpl-call1',
      object: 'chat.completion.chunk',
      model: 'asked-for',
      choices: [],
      usage: { prompt_tokens: 50, completion_tokens: 9, total_tokens: 59 },
    })
    expect(written.endsWith('\n\ndata: [DONE]\n\n')).toBe(true)
  })

  test('usage is not sent to a client that did not ask for it', () => {
    const target = answerTarget({ wantsStreamUsage: false })
    const parts: StreamPart[] = [start, ...text(0, 'x'), { type: 'usage', usage }, stop('end'), end]
    expect(encodeStream(parts, target)).not.toContain('usage')
  })

  test('usage that no vendor told is estimated', () => {
    const chunks = chunksOf(encodeStream([start, ...text(0, 'some words'), stop('end'), end]))
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 77, completion_tokens: 3 })
  })

  test('the estimate has what a call of a tool took', () => {
    const asked = [start, ...call(0, 'get', '{"place":', '"Bern"}'), stop('tool-calls'), end]
    expect(chunksOf(encodeStream(asked)).at(-1)?.usage).toMatchObject({ completion_tokens: 7 })
  })

  test('an error is told without [DONE]', () => {
    const error: StreamPart = { type: 'error', message: 'Lost.', status: 529, code: 'overloaded' }
    const written = encodeStream([start, ...text(0, 'x'), error])
    expect(chunksOf(written).at(-1)?.error).toMatchObject({ code: 'overloaded' })
    expect(written).toContain('Lost.')
    expect(written).not.toContain('[DONE]')
  })

  test('each of several answers has its role and finish', () => {
    const second: StreamPart[] = [
      { type: 'text-start', block: 1, choice: 1 },
      { type: 'text-delta', block: 1, text: 'b' },
      { type: 'text-end', block: 1 },
      { type: 'stop', choice: 1, stop: { reason: 'length' } },
    ]
    const written = encodeStream([start, ...text(0, 'a'), ...second, stop('end'), end])
    const ofSecond = choicesOf(chunksOf(written)).filter(({ index }) => index === 1)
    expect(ofSecond.map(({ delta }) => delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'b' },
      {},
    ])
  })
})

describe('calls', () => {
  const callsOf = (...parts: StreamPart[]) =>
    deltasOf(encodeStream([start, ...parts, stop('end'), end])).flatMap(
      (delta) => (delta.tool_calls ?? []) as Json[],
    )

  test('are counted from 0 whatever block they come in', () => {
    const calls = callsOf(
      ...text(0, 'x'),
      ...call(1, 'get', '{"a"', ':1}'),
      ...call(2, 'put', '{}'),
    )
    expect(calls).toEqual([
      { index: 0, id: 'id1', type: 'function', function: { name: 'get', arguments: '' } },
      { index: 0, function: { arguments: '{"a"' } },
      { index: 0, function: { arguments: ':1}' } },
      { index: 1, id: 'id2', type: 'function', function: { name: 'put', arguments: '' } },
      { index: 1, function: { arguments: '{}' } },
    ])
  })

  test('a call without arguments reaches the client as {}', () => {
    expect(callsOf(...call(0, 'get')).at(-1)).toEqual({ index: 0, function: { arguments: '{}' } })
  })

  test('a freeform call comes in one piece', () => {
    const parts: StreamPart[] = [
      { type: 'call-start', block: 0, choice: 0, id: 'a', name: 'patch', kind: 'freeform' },
      { type: 'call-delta', block: 0, text: '*** Begin' },
      { type: 'call-delta', block: 0, text: ' Patch' },
      { type: 'call-end', block: 0 },
    ]
    expect(callsOf(...parts)).toEqual([
      { index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input: '*** Begin Patch' } },
    ])
  })

  test('Google’s signature stands in the call’s first fragment, where clients read it', () => {
    const google: StreamPart = { ...start, model: 'gemini-3-pro' } as StreamPart
    const parts: StreamPart[] = [
      { type: 'call-start', block: 0, choice: 0, id: null, name: 'get', kind: 'function' },
      { type: 'call-delta', block: 0, text: '{"a":1}' },
      { type: 'call-end', block: 0, state: signature('generate-content', 'R29vZ2xl') },
    ]
    const deltas = deltasOf(encodeStream([google, ...parts, stop('end'), end]))
    const calls = deltas.flatMap((delta) => (delta.tool_calls ?? []) as Json[])
    expect(calls).toEqual([
      {
        index: 0,
        id: expect.stringMatching(/^call_/),
        type: 'function',
        function: { name: 'get', arguments: '{"a":1}' },
        extra_content: { google: { thought_signature: 'R29vZ2xl' } },
      },
    ])
  })
})

describe('the finish reason', () => {
  test.each([
    ['a call decides over stop', [...call(0, 'get', '{}'), stop('end')], 'tool_calls'],
    ['no call, no tool_calls', [...text(0, 'x'), stop('tool-calls')], 'stop'],
    ['a call that was cut', [...call(0, 'get', '{"a'), stop('length')], 'length'],
    ['a full context window', [stop('context-window')], 'length'],
    ['a stop sequence', [stop('stop-sequence', { sequence: 'END' })], 'stop'],
    ['a pause', [stop('pause')], 'stop'],
    ['a filter', [stop('content-filter', { vendorReason: 'SAFETY' })], 'content_filter'],
    ['a refusal', [stop('refusal')], 'content_filter'],
  ] as [string, StreamPart[], string][])('%s', (_name, parts, finish) => {
    expect(finishOf(...parts).map((one) => one.finish_reason)).toEqual([finish])
  })

  test('what went wrong stands beside a stop that is no clean end', () => {
    const [last] = finishOf(stop('malformed', { vendorReason: 'MALFORMED_FUNCTION_CALL' }))
    expect(last).toMatchObject({
      finish_reason: 'stop',
      error: { code: 'MALFORMED_FUNCTION_CALL' },
    })
  })

  test('a refusal without a word tells what the vendor says of it', () => {
    const deltas = deltasOf(
      encodeStream([start, stop('refusal', { explanation: 'Not this.' }), end]),
    )
    expect(deltas).toContainEqual({ refusal: 'Not this.' })
  })
})

describe('thoughts', () => {
  const thought = (block: number, texts: string[], state?: StreamPart & object): StreamPart[] => [
    { type: 'reasoning-start', block, choice: 0, form: 'raw' },
    ...texts.map(
      (one, section): StreamPart => ({ type: 'reasoning-delta', block, section, text: one }),
    ),
    { type: 'reasoning-end', block, ...state } as StreamPart,
  ]

  test('are read as reasoning_content, sections parted by a blank line', () => {
    const deltas = deltasOf(encodeStream([start, ...thought(0, ['A', 'B']), ...text(1, 'x'), end]))
    expect(deltas.slice(1, -1)).toEqual([
      { reasoning_content: 'A' },
      { reasoning_content: '\n\nB' },
    ])
  })

  test('are sent as reasoning, too, to a client that asked in OpenRouter’s words', () => {
    const target = answerTarget({ reasoning: { isShown: true } })
    expect(deltasOf(encodeStream([start, ...thought(0, ['A'])], target))).toContainEqual({
      reasoning_content: 'A',
      reasoning: 'A',
    })
    const hidden = answerTarget({ reasoning: { isShown: false } })
    expect(encodeStream([start, ...thought(0, ['A'])], hidden)).not.toContain('"A"')
  })

  test('carry another vendor’s state under a mark that says whose it is', () => {
    const state = signature('messages')
    const deltas = deltasOf(
      encodeStream([start, ...thought(0, ['One']), ...thought(1, ['Two'], { state } as never)]),
    )
    const [detail] = deltas.flatMap((delta) => (delta.reasoning_details ?? []) as Json[])
    expect(detail).toMatchObject({
      type: 'reasoning.encrypted',
      format: 'switchyard',
      span: [5, 8],
    })
    expect(readState(String(detail?.data), 'chat', 'encrypted')).toEqual(state)
  })
})

describe('sources and pictures', () => {
  test('a source points into the whole text', () => {
    const citation = { type: 'url', url: 'https://a.example', title: null } as const
    const parts: StreamPart[] = [
      ...text(0, 'Before. '),
      { type: 'text-start', block: 1, choice: 0 },
      { type: 'text-citation', block: 1, citation },
      { type: 'text-delta', block: 1, text: 'Cited.' },
      { type: 'text-end', block: 1 },
    ]
    const [annotation] = deltasOf(encodeStream([start, ...parts])).flatMap(
      (delta) => (delta.annotations ?? []) as Json[],
    )
    expect(annotation).toEqual({
      type: 'url_citation',
      url_citation: {
        start_index: 8,
        end_index: 14,
        title: 'https://a.example',
        url: 'https://a.example',
      },
    })
  })

  test('two messages of an answer are parted, and a drawn picture is a picture', () => {
    const message = (block: number, id: string, said: string): StreamPart[] => {
      const native = { origin: 'responses', fields: { item_id: id } } as const
      const [first, ...rest] = text(block, said)
      return [{ ...first, native } as StreamPart, ...rest]
    }
    const source = { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const
    const parts: StreamPart[] = [
      start,
      ...message(0, 'msg_1', 'I look.'),
      ...message(1, 'msg_2', 'Found.'),
      {
        type: 'whole',
        block: 2,
        choice: 0,
        part: { type: 'media', kind: 'image', source },
      },
      stop('end'),
      end,
    ]
    const deltas = deltasOf(encodeStream(parts))
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('I look.\n\nFound.')
    expect(JSON.stringify(deltas)).toContain('data:image/png;base64,iVBORw0KGgo=')
    const collected = collectStream()
    for (const part of parts) collected.push(part)
    const whole = chatConversion.encodeResponse(collected.response(), answerTarget())
    expect((whole.choices as Json[])[0]?.message).toMatchObject({
      content: 'I look.\n\nFound.',
      images: [{ image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
    })
  })

  test('a picture is found where OpenRouter’s clients look', () => {
    const source = { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const
    const whole: StreamPart = {
      type: 'whole',
      block: 0,
      choice: 0,
      part: { type: 'media', kind: 'image', source },
    }
    expect(deltasOf(encodeStream([start, whole])).at(-1)?.images).toEqual([
      { type: 'image_url', index: 0, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
    ])
  })
})

test('a stream says what the whole answer says', () => {
  const parts: StreamPart[] = [
    start,
    { type: 'reasoning-start', block: 0, choice: 0, form: 'summary' },
    { type: 'reasoning-delta', block: 0, section: 0, text: 'Hm' },
    { type: 'reasoning-end', block: 0, state: signature('messages') },
    ...text(1, 'One'),
    ...call(2, 'get', '{"a":1}'),
    ...text(3, 'Two'),
    stop('end'),
    { type: 'usage', usage },
    end,
  ]
  const collected = collectStream()
  for (const part of parts) collected.push(part)
  const whole = chatConversion.encodeResponse(collected.response(), answerTarget())
  const [choice] = whole.choices as { message: Json; finish_reason: string }[]
  const deltas = deltasOf(encodeStream(parts))
  expect(choice?.message.content).toBe(deltas.map(({ content }) => content ?? '').join(''))
  expect(choice?.message).toMatchObject({
    content: 'One\n\nTwo',
    reasoning_content: 'Hm',
    reasoning_details: deltas.find((delta) => delta.reasoning_details)?.reasoning_details,
    tool_calls: [{ id: 'id2', type: 'function', function: { name: 'get', arguments: '{"a":1}' } }],
  })
  expect(choice?.finish_reason).toBe('tool_calls')
  expect(whole.usage).toEqual(chunksOf(encodeStream(parts)).at(-1)?.usage)
})
