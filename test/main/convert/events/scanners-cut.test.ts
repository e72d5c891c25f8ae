import { describe, expect, test } from 'vitest'
import type { StreamOptions } from '../../../../main/convert/codec.ts'
import { codecOf } from '../../../../main/convert/codecs.ts'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { vendorAnswer } from '../../../faults/vendor-answer.ts'

const asIs: StreamOptions = { withholdUsage: false, showModel: null, asArray: false }
const asArray = { ...asIs, asArray: true }
const formats: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']

type Format = Parameters<typeof codecOf>[0]

/** The client's part of a stream that ends at `end`, and whether it counts as whole. */
function cutAt(format: Format, bytes: Buffer, end: number, options = asIs) {
  const scanner = codecOf(format).createScanner(options)
  const out = [scanner.push(bytes.subarray(0, end)), scanner.flush()]
  return { isWhole: scanner.isWhole(), text: Buffer.concat(out).toString(), scanner }
}

/** The first place at which a stream cut there counts as whole, and the place from which on every cut does. */
function wholeFrom(format: Format, bytes: Buffer, options = asIs): [number, number] {
  const places = Array.from({ length: bytes.length }, (_, index) => index + 1)
  const whole = places.filter((end) => cutAt(format, bytes, end, options).isWhole)
  const lastBroken = places.filter((end) => !whole.includes(end)).at(-1) ?? 0
  return [whole[0] ?? Number.POSITIVE_INFINITY, lastBroken + 1]
}

const data = (event: object | string) =>
  `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`

describe('a stream that breaks off, at whatever byte', () => {
  test.each(formats)('%s: is never taken for whole by half of its last event', (format) => {
    const events = vendorAnswer(format, 'model-a', 10, 20).events
    const bytes = Buffer.from(events.join(''))
    // Behind Chat's finish reason come usage and `[DONE]`, which some vendors leave out.
    const after = format === 'chat' ? events.slice(-2).join('') : ''
    const [first, always] = wholeFrom(format, bytes)
    const end = bytes.length - Buffer.byteLength(after) - '\n\n'.length
    expect([first, always]).toEqual([end, end])
  })

  test('an array of Gemini’s is whole with its own last bracket only', () => {
    const { events } = vendorAnswer('generate-content', 'model-a', 10, 20, true)
    const bytes = Buffer.from(`${events.join('')}\n`)
    const [first, always] = wholeFrom('generate-content', bytes, asArray)
    expect([first, always]).toEqual([bytes.length - 1, bytes.length - 1])
  })

  test('brackets in the texts of an array of Gemini’s are none', () => {
    const parts = [{ text: '\\"]}[{' }, { text: ']\\' }]
    const bytes = Buffer.from(JSON.stringify([{ candidates: [{ content: { parts } }] }]))
    for (const size of [1, 3, bytes.length]) {
      const scanner = codecOf('generate-content').createScanner(asArray)
      for (let at = 0; at < bytes.length; at += size) {
        expect(scanner.isWhole()).toBe(false)
        scanner.push(bytes.subarray(at, at + size))
      }
      expect(scanner.isWhole()).toBe(true)
    }
  })

  test('half a line behind what makes it whole does not go out', () => {
    const whole = data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    const half = Buffer.from(`${whole}data: {"choices":[],"usage":{"prompt_tok`)
    const { isWhole, text } = cutAt('chat', half, half.length)
    expect(isWhole).toBe(true)
    expect(text).toBe(whole)
  })

  test('half of a long line counts for what has been made', () => {
    const line = `data: {"type":"response.output_text.delta","delta":"${'word '.repeat(100_000)}`
    const { scanner } = cutAt('responses', Buffer.from(line), line.length)
    expect(scanner.isWhole()).toBe(false)
    expect(scanner.hasBegun).toBe(true)
  })
})

describe('several answers at once', () => {
  const texts = ['chat', 'completions'] as const

  test.each(texts)('%s: are whole when all are, not when the first is', (format) => {
    const chunk = (index: number, content: string, reason: string | null) =>
      data({
        choices: [{ index, text: content, delta: { content }, finish_reason: reason }],
      })
    const begin = chunk(0, 'a', null) + chunk(1, 'b', null) + chunk(0, '', 'stop')
    const bytes = Buffer.from(begin + chunk(1, 'more', null) + chunk(1, '', 'stop'))
    expect(cutAt(format, bytes, Buffer.byteLength(begin)).isWhole).toBe(false)
    expect(wholeFrom(format, bytes)).toEqual([bytes.length - 2, bytes.length - 2])
  })

  test('of Gemini’s are whole when all are', () => {
    const chunk = (index: number, finishReason?: string) =>
      data({ candidates: [{ index, content: { parts: [{ text: 'a' }] }, finishReason }] })
    const bytes = Buffer.from(chunk(0) + chunk(1) + chunk(0, 'STOP') + chunk(1, 'STOP'))
    expect(wholeFrom('generate-content', bytes)).toEqual([bytes.length - 2, bytes.length - 2])
  })
})

/** Sources as a search brings them, longer than what a vendor sends of them in one read. */
const sources = Array.from({ length: 80 }, (_, index) => ({
  web: { uri: `https://example.com/${index}?q=%22finishReason%22`, title: 'page '.repeat(20) },
}))
const comments = Array.from({ length: 3 }, () => `: ${'keep-alive '.repeat(800)}\n\n`)
const chatEnd = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

/** Streams that go on long after the sign that they are whole, as [the sign, the rest]. */
const longTails: readonly [string, Format, string[], string[]][] = [
  [
    'Gemini’s sources behind the finish reason, in the same event',
    'generate-content',
    [
      data({ candidates: [{ content: { parts: [{ text: 'a' }] } }] }),
      data({
        candidates: [{ finishReason: 'STOP', groundingMetadata: { groundingChunks: sources } }],
      }),
    ],
    [],
  ],
  [
    'Gemini’s usage behind the last words, in reads of its own',
    'generate-content',
    [data({ candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }] })],
    [data({ usageMetadata: { promptTokenCount: 3 } }), ...comments],
  ],
  [
    'a blocked prompt and comments',
    'generate-content',
    [data({ promptFeedback: { blockReason: 'SAFETY' } })],
    comments,
  ],
  [
    'Gemini’s fields in snake_case',
    'generate-content',
    [data({ candidates: [{ content: { parts: [{ text: 'a' }] }, finish_reason: 'STOP' }] })],
    comments,
  ],
  [
    'Chat without [DONE], its usage and late comments',
    'chat',
    [data({ choices: [{ index: 0, delta: { content: 'a' } }] }), data(chatEnd)],
    [data({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }), ...comments],
  ],
  [
    'Chat without [DONE], chunks behind the finish reason that have none',
    'chat',
    [data(chatEnd)],
    [data({ choices: [{ index: 0, delta: {}, finish_reason: null }], pad: 'p'.repeat(9000) })],
  ],
  [
    'completions without [DONE]',
    'completions',
    [data({ choices: [{ index: 0, text: 'a', finish_reason: 'stop' }] })],
    comments,
  ],
]

describe('a stream that is whole stays so, whatever comes behind its end:', () => {
  test.each(longTails)('%s, cut at every byte', (_, format, begin, tail) => {
    const whole = Buffer.from(begin.join('')).length - '\n\n'.length
    const bytes = Buffer.from([...begin, ...tail].join(''))
    // Beyond its first KiB a comment is like the bytes before.
    const places = Array.from({ length: bytes.length }, (_, index) => index + 1).filter(
      (end) => end <= whole + 1024 || end % 97 === 0 || end > bytes.length - 1024,
    )
    const scanner = codecOf(format).createScanner(asIs)
    for (const end of places) {
      if (end <= whole + 1024 && cutAt(format, bytes, end).isWhole !== end >= whole) {
        expect(`cut at ${end}`).toBe(`whole from ${whole} on`)
      }
    }
    for (const byte of bytes) scanner.push(Buffer.of(byte))
    scanner.flush()
    expect(scanner.isWhole()).toBe(true)
    expect(cutAt(format, bytes, bytes.length).isWhole).toBe(true)
  })

  test('an error behind [DONE] is none, since no client reads it', () => {
    const error = data({ error: { message: 'Too late', code: 500 } })
    const whole = data(chatEnd) + data('[DONE]')
    for (const pieces of [[whole + error], [whole, error]]) {
      const scanner = codecOf('chat').createScanner(asIs)
      const out = pieces.map((one) => scanner.push(Buffer.from(one)).toString())
      expect(out.join('')).toBe(whole + error)
      expect(scanner.error).toBeNull()
      expect(scanner.isTerminated).toBe(true)
    }
  })
})

describe('what only looks like an end', () => {
  test.each<[string, Format, object]>([
    [
      'a tool’s argument named finishReason',
      'generate-content',
      {
        candidates: [
          { content: { parts: [{ functionCall: { name: 'f', args: { finishReason: 'STOP' } } }] } },
        ],
      },
    ],
    [
      'a text that quotes a finish reason',
      'generate-content',
      { candidates: [{ content: { parts: [{ text: '"finishReason": "STOP"' }] } }] },
    ],
    [
      'a text that quotes a finish reason',
      'chat',
      { choices: [{ index: 0, delta: { content: '"finish_reason":"stop"' } }] },
    ],
    [
      'a vendor’s own field',
      'chat',
      { choices: [{ index: 0, delta: {} }], debug: { finish_reason: 'stop' } },
    ],
  ])('%s does not end %s', (_, format, event) => {
    const bytes = Buffer.from(data(event))
    expect(cutAt(format, bytes, bytes.length).isWhole).toBe(false)
  })
})

test('an empty finish reason, which some vendors send all along, ends nothing', () => {
  const chunk = (reason: string) =>
    data({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: reason }] })
  const begin = Buffer.from(chunk('').repeat(3))
  expect(cutAt('chat', begin, begin.length).isWhole).toBe(false)
})

test.each([
  ['in one piece', (all: string) => [all]],
  ['event by event', (all: string) => all.split(/(?<=\n\n)/)],
])('[DONE] behind an error neither hides the error nor goes out, %s', (_, cut) => {
  const text = data({ choices: [{ index: 0, delta: { content: 'a' } }] })
  const error = data({ error: { message: 'Out of memory', type: 'server_error', code: 500 } })
  const scanner = codecOf('chat').createScanner(asIs)
  const out = cut(text + error + data('[DONE]')).map((one) => scanner.push(Buffer.from(one)))
  expect(scanner.isTerminated).toBe(false)
  expect(scanner.error?.message).toBe('Out of memory')
  expect(Buffer.concat([...out, scanner.flush()]).toString()).toBe(`${text}${error}`)
})
