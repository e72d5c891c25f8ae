import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conversionOf } from '../../../../main/convert/codecs.ts'
import { RepeatedDelta } from '../../../../main/convert/stream/repeated-delta.ts'
import { EventStream, type ServerSentEvent } from '../../../../main/upstream/event-stream.ts'
import { recordedStreams } from '../../../support/recordings/fixtures.ts'

type Format = 'chat' | 'messages'

const streams = recordedStreams.filter(
  (stream): stream is typeof stream & { format: Format } =>
    stream.format === 'chat' || stream.format === 'messages',
)

function eventsOf(bytes: Buffer): ServerSentEvent[] {
  const events = new EventStream()
  return [...events.push(bytes), ...events.end()]
}

function decode(format: Format, events: readonly ServerSentEvent[]): unknown[] {
  const decoder = conversionOf(format).createDecoder()
  return [...events.flatMap((event) => decoder.push(event)), ...decoder.end()]
}

/** The same events, of which none begins as the one before it does. */
const allDifferent = (events: readonly ServerSentEvent[]): ServerSentEvent[] =>
  events.map(({ event, data }, index) => ({
    event,
    data: data.startsWith('{') ? ' '.repeat(index % 2) + data : data,
  }))

const chunk = (choice: object, more: object = {}): string =>
  JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, ...choice }], ...more })

const said = (content: unknown, more: object = {}): string => chunk({ delta: { content } }, more)

const ofChat = (...texts: string[]): ServerSentEvent[] =>
  [...texts, '[DONE]'].map((data) => ({ event: null, data }))

const delta = (delta: object, index = 0): ServerSentEvent => ({
  event: 'content_block_delta',
  data: JSON.stringify({ type: 'content_block_delta', index, delta }),
})

test.each(streams)('$name reads the same with and without events that repeat', (stream) => {
  const events = eventsOf(stream.bytes)
  expect(decode(stream.format, events)).toEqual(decode(stream.format, allDifferent(events)))
})

test('most deltas of recorded streams of text are taken without being parsed', () => {
  let read = 0
  let deltas = 0
  for (const { format, bytes } of streams) {
    const decoder = conversionOf(format).createDecoder()
    const repeated = new RepeatedDelta()
    for (const event of eventsOf(bytes)) {
      const parts = decoder.push(event)
      const [part] = parts
      if (part?.type !== 'text-delta' && part?.type !== 'reasoning-delta')
        repeated.learn(event, parts, [])
      else {
        deltas++
        if (repeated.read(event)) read++
        else repeated.learn(event, parts, [part.text])
      }
    }
  }
  expect(read / deltas).toBeGreaterThan(0.5)
})

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    'm',
    'c',
    'content',
    'assistant',
    '"',
    '\\',
    '\\n',
    '\u2028',
    '',
    '0',
    '😀',
    '\n',
  ),
)
const choices = fc.oneof(
  words.map((content) => ({ delta: { content } })),
  words.map((content) => ({ delta: { content }, finish_reason: null })),
  words.map((reasoning_content) => ({ delta: { reasoning_content } })),
  fc.tuple(words, words).map(([content, role]) => ({ delta: { role, content } })),
  fc.tuple(words, words).map(([reasoning, content]) => ({ delta: { reasoning, content } })),
  words.map((content) => ({ index: 1, delta: { content } })),
  words.map((text) => ({
    delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: text } }] },
  })),
  words.map((content) => ({ delta: { content }, logprobs: { content: [{ token: content }] } })),
  words.map((content) => ({ delta: { content }, finish_reason: 'stop' })),
)
const endings = fc.constantFrom(
  {},
  {},
  { usage: null },
  { usage: { prompt_tokens: 1, completion_tokens: 2 } },
)
const padding = fc.oneof(
  fc.constant({}),
  words.map((obfuscation) => ({ obfuscation })),
)
const spelt = (json: string, isEscaped: boolean): string =>
  isEscaped
    ? json.replace(/[a-z](?=[^"]*"\}\}\])/, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
    : json

test('chunks of any words, in any order, read the same with and without repeating', () => {
  const event = fc
    .tuple(choices, endings, padding, fc.boolean())
    .map(([choice, ending, pad, isEscaped]) =>
      spelt(chunk(choice, { ...ending, ...pad }), isEscaped),
    )
  // Of few different events many follow one of their kind.
  const stream = fc
    .array(event, { minLength: 1, maxLength: 4 })
    .chain((few) => fc.array(fc.tuple(fc.constantFrom(...few), words), { maxLength: 12 }))
  fc.assert(
    fc.property(stream, (events) => {
      const texts = events.map(([text, other]) => {
        const body = JSON.parse(text)
        const [{ delta }] = body.choices
        for (const name of ['content', 'reasoning_content']) if (name in delta) delta[name] = other
        return text.includes('\\') ? text : JSON.stringify(body)
      })
      const sent = ofChat(...texts)
      expect(decode('chat', sent)).toEqual(decode('chat', allDifferent(sent)))
    }),
    { numRuns: 500 },
  )
})

describe('events that only look alike', () => {
  test.each<[string, ServerSentEvent[]]>([
    [
      'words with quotes and escapes',
      ofChat(said('a'), said('b'), said('"c"'), said('\\u0041'), said('\n'), said('d')),
    ],
    [
      'words that stand elsewhere too',
      ofChat(said('m'), said('m'), said('n'), said('content'), said('x')),
    ],
    [
      'words that end the answer',
      ofChat(said('a'), said('b'), chunk({ delta: { content: 'c' }, finish_reason: 'length' })),
    ],
    [
      'words beside counts',
      ofChat(
        said('a', { usage: { prompt_tokens: 3 } }),
        said('b', { usage: { prompt_tokens: 3 } }),
      ),
    ],
    [
      'words behind a call',
      ofChat(
        said('a'),
        chunk({
          delta: { tool_calls: [{ index: 0, id: 'i', function: { name: 'f', arguments: '{}' } }] },
        }),
        said('b'),
        said('c'),
      ),
    ],
    [
      'another id than the words before',
      ofChat(
        ...[said('a'), said('m'), said('m', { model: 'n' }), said('k', { model: 'n' })],
        ...[
          said('m').replace('"m"}', '"\\u006d"}'),
          said('m', { model: 'o' }).replace('"m"}', '"\\u006d"}'),
        ],
      ),
    ],
    [
      'a thought in pieces, whose whole stands elsewhere',
      ofChat(
        ...['x', 'ab', 'cd'].map((id) =>
          said(
            [{ type: 'thinking', thinking: ['a', 'b'].map((text) => ({ type: 'text', text })) }],
            { id },
          ),
        ),
      ),
    ],
    [
      'words beside sound and calls, which add up',
      ofChat(
        ...['a', 'b', 'c', 'd'].map((content) =>
          chunk({ delta: { content, audio: { data: 'AAAA' } } }),
        ),
        ...['e', 'f', 'g', 'h'].map((content) =>
          chunk({ delta: { content, tool_calls: [{ index: 0, function: { arguments: '1' } }] } }),
        ),
        chunk({ delta: { tool_calls: [{ index: 0, id: 'i', function: { name: 'f' } }] } }),
      ),
    ],
    ['no words', ofChat(said('a'), said(''), said('b'), said(null), said('c'))],
    [
      'OpenAI’s padding',
      ofChat(said('a', { obfuscation: 'xyz' }), said('b', { obfuscation: 'p' }), said('c')),
    ],
  ])('%s', (_name, events) => {
    expect(decode('chat', events)).toEqual(decode('chat', allDifferent(events)))
  })

  test('an event of another name is another event', () => {
    const start = {
      event: 'content_block_start',
      data: '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    }
    const unnamed = (event: string, text: string) => ({
      event,
      data: `{"index":0,"delta":{"type":"text_delta","text":"${text}"}}`,
    })
    const events = [
      start,
      unnamed('content_block_delta', 'a'),
      unnamed('content_block_delta', 'b'),
      unnamed('content_block_stop', 'c'),
    ]
    expect(decode('messages', events)).toEqual(decode('messages', allDifferent(events)))
  })

  test('a thought is no text, and another block is another', () => {
    const start = (index: number, type: string) => ({
      event: 'content_block_start',
      data: JSON.stringify({
        type: 'content_block_start',
        index,
        content_block: { type, [type]: '' },
      }),
    })
    const events = [
      ...[
        start(0, 'thinking'),
        delta({ type: 'thinking_delta', thinking: 'a' }),
        delta({ type: 'thinking_delta', thinking: 'b' }),
      ],
      ...[
        start(1, 'text'),
        delta({ type: 'text_delta', text: 'b' }, 1),
        delta({ type: 'text_delta', text: 'c' }, 1),
        delta({ type: 'text_delta', text: 'd' }, 0),
      ],
    ]
    expect(decode('messages', events)).toEqual(decode('messages', allDifferent(events)))
  })
})
