import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventStream, type ServerSentEvent } from '../../../main/upstream/event-stream.ts'

/** The events of a body that comes in these pieces. */
function read(pieces: readonly (string | Buffer)[]): ServerSentEvent[] {
  const stream = new EventStream()
  return [...pieces.flatMap((piece) => stream.push(Buffer.from(piece as string))), ...stream.end()]
}

const event = (data: string, name: string | null = null): ServerSentEvent => ({ event: name, data })

describe('what counts as an event', () => {
  test.each([
    ['line feeds', 'event: a\ndata: one\n\ndata: two\n\n'],
    ['carriage returns and line feeds', 'event: a\r\ndata: one\r\n\r\ndata: two\r\n\r\n'],
    ['carriage returns', 'event: a\rdata: one\r\rdata: two\r\r'],
    ['no space behind the colon', 'event:a\ndata:one\n\ndata:two\n\n'],
    ['a byte order mark', '\ufeffevent: a\ndata: one\n\ndata: two\n\n'],
    ['comments', ': hello\n\nevent: a\n: in between\ndata: one\n\n: keep-alive\n\ndata: two\n\n'],
    [
      'fields that mean nothing here',
      'retry: 5\nid: 7\nevent: a\nx: y\ndata: one\n\ndata: two\n\n',
    ],
    ['a last event without its blank line', 'event: a\ndata: one\n\ndata: two'],
    ['more blank lines than needed', '\n\nevent: a\ndata: one\n\n\n\ndata: two\n\n\n'],
    ['events without data', 'event: ping\n\ndata:\n\nevent: a\ndata: one\n\ndata: two\n\n'],
  ])('%s', (_, text) => {
    const events = [event('one', 'a'), event('two')]
    expect(read([text])).toEqual(events)
    expect(read([...Buffer.from(text)].map((byte) => Buffer.from([byte])))).toEqual(events)
  })

  test('several data lines are one event, with line ends between them', () => {
    expect(read(['data: {\ndata:  "a": 1\ndata: }\n\n'])).toEqual([event('{\n "a": 1\n}')])
  })

  test('an event is given as soon as it is whole', () => {
    const stream = new EventStream()
    expect(stream.push(Buffer.from('data: one\n'))).toEqual([])
    expect(stream.push(Buffer.from('\ndata: tw'))).toEqual([event('one')])
    expect(stream.push(Buffer.from('o\n\ndata: three\n\n'))).toEqual([event('two'), event('three')])
    expect(stream.end()).toEqual([])
  })

  test('also where its last line ends in CR, which may or may not be half of CRLF', () => {
    const stream = new EventStream()
    expect(stream.push(Buffer.from('event: a\rdata: one\r\r'))).toEqual([event('one', 'a')])
    expect(stream.push(Buffer.from('\ndata: two\r'))).toEqual([])
    expect(stream.push(Buffer.from('\n\r'))).toEqual([event('two')])
    expect(stream.push(Buffer.from('\ndata: three\n\n'))).toEqual([event('three')])
    expect(stream.end()).toEqual([])
  })

  test('an empty body has none', () => {
    expect(read([])).toEqual([])
    expect(read([''])).toEqual([])
  })
})

test('no cut harms a character, wherever it falls', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 })
  fc.assert(
    fc.property(texts, fc.array(fc.nat(), { maxLength: 8 }), (given, cuts) => {
      const data = given.map((text) => JSON.stringify({ text: `${text}日本語🌍` }))
      const bytes = Buffer.from(data.map((one) => `data: ${one}\n\n`).join(''))
      const places = [0, ...cuts.map((cut) => cut % bytes.length), bytes.length]
      places.sort((one, other) => one - other)
      const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
      expect(read(pieces)).toEqual(data.map((one) => event(one)))
    }),
    { numRuns: 100 },
  )
})

test('bytes that are no UTF-8 become marks and stop nothing', () => {
  const bytes = Buffer.concat([
    Buffer.from('data: a'),
    Buffer.from([0xff, 0xe6, 0x97]),
    Buffer.from('b\n\n'),
  ])
  expect(read([bytes])).toEqual([event('a\ufffd\ufffdb')])
})

describe('size', () => {
  const mebibyte = Buffer.alloc(1024 * 1024, 'x')

  test('an image in one event arrives, in time that grows with its size alone', () => {
    const stream = new EventStream()
    stream.push(Buffer.from('data: '))
    const begun = performance.now()
    for (let piece = 0; piece < 32 * 64; piece++) stream.push(mebibyte.subarray(0, 16 * 1024))
    expect(stream.push(Buffer.from('\n\n'))[0]?.data).toHaveLength(32 * mebibyte.length)
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  test('an event without end is given up', () => {
    const stream = new EventStream()
    expect(() => {
      for (let piece = 0; piece < 80; piece++) stream.push(mebibyte)
    }).toThrow(/more than 64 MiB/)
  })

  test('a stream of any length is not', () => {
    const stream = new EventStream()
    const piece = Buffer.concat([Buffer.from('data: '), mebibyte, Buffer.from('\n\n')])
    let count = 0
    for (let index = 0; index < 80; index++) count += stream.push(piece).length
    expect(count).toBe(80)
  })
})
