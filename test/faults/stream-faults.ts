import { constants, gzipSync } from 'node:zlib'
import type { WireFormat } from '../../main/convert/exchange.ts'
import { type Expected, type Fault, fails, type Scene } from './fault.ts'
import { typeOf } from './good-answer.ts'
import { beginChunked, chunk, head, lastChunk, resetSoon, sendEvents } from './raw-answer.ts'
import type { RawExchange } from './raw-upstream.ts'
import { sentenceOf, vendorErrorEvent } from './vendor-answer.ts'

const SHORT = 0.8
/** A stream is broken once it has begun; of a whole answer the client has seen nothing. */
const cutOr =
  (status: number | readonly number[]) =>
  (scene: Scene): Expected =>
    scene.stream ? { kind: 'cut' } : fails(status)

const halfOf = <Item>(items: readonly Item[]): Item[] =>
  items.slice(0, Math.ceil(items.length * 0.6))

/** About the first half of the answer, in its pieces. */
const firstHalf = ({ stream, answer }: Scene): string[] =>
  stream ? halfOf(answer.events) : [answer.whole.slice(0, Math.ceil(answer.whole.length / 2))]

/** Waits until the client has something: bytes that come with the beginning are inspected before any goes out. */
async function beginHalf(exchange: RawExchange, scene: Scene): Promise<void> {
  await beginChunked(exchange, typeOf(scene), firstHalf(scene))
  if (scene.stream) await scene.hasBegun()
}

/** The answer's bytes up to the middle of a letter that has several. */
function intoLetter({ stream, answer }: Scene): Buffer {
  const bytes = Buffer.from(stream ? answer.events.join('') : answer.whole)
  return bytes.subarray(0, bytes.indexOf('世') + 1)
}

/** The number of last events to drop: the format's end, and events that are as good as that. */
const ending: Readonly<Record<WireFormat, number>> = {
  chat: 3,
  messages: 1,
  'generate-content': 1,
  responses: 1,
}

const zip = (text: string, isWhole: boolean): Buffer => {
  const finishFlush = isWhole ? constants.Z_FINISH : constants.Z_SYNC_FLUSH
  return gzipSync(text, { finishFlush })
}

/** Faults while an answer is under way. */
export const streamFaults: readonly Fault[] = [
  {
    name: 'headers, then silence',
    play: (exchange, scene) => beginChunked(exchange, typeOf(scene), []),
    limits: { first_byte_seconds: SHORT, idle_seconds: SHORT },
    expected: () => fails(504),
  },
  {
    name: 'silence in the middle',
    play: beginHalf,
    limits: { idle_seconds: SHORT },
    expected: cutOr(504),
  },
  {
    name: 'half an event, then the end',
    async play(exchange, scene) {
      await beginHalf(exchange, scene)
      if (scene.stream) {
        const next = scene.answer.events[halfOf(scene.answer.events).length] ?? ''
        await sendRest(exchange, next.slice(0, Math.ceil(next.length / 2)))
      } else await sendRest(exchange, '')
    },
    expected: cutOr(502),
  },
  {
    name: 'nearly all of the event that ends it, then a reset',
    only: 'stream',
    async play(exchange, scene) {
      const { answer, upstream } = scene
      await beginHalf(exchange, scene)
      const rest = answer.events.slice(
        halfOf(answer.events).length,
        1 - ending[upstream] || undefined,
      )
      await exchange.write(chunk(rest.join('').trimEnd().slice(0, -2)))
      await resetSoon(exchange)
    },
    expected: () => ({ kind: 'cut' }),
  },
  {
    name: 'cut inside a letter',
    async play(exchange, scene) {
      await beginChunked(exchange, typeOf(scene), [intoLetter(scene)])
      await resetSoon(exchange)
    },
    expected: cutOr(502),
  },
  {
    name: 'ended inside a letter',
    async play(exchange, scene) {
      await beginChunked(exchange, typeOf(scene), [intoLetter(scene)])
      await sendRest(exchange, '')
    },
    expected: cutOr(502),
  },
  {
    name: 'reset in the middle',
    async play(exchange, scene) {
      await beginHalf(exchange, scene)
      await resetSoon(exchange)
    },
    expected: cutOr(502),
  },
  {
    name: 'no terminal event',
    only: 'stream',
    play: (exchange, scene) => {
      const { answer, upstream } = scene
      return sendEvents(exchange, answer.events.slice(0, -ending[upstream]), typeOf(scene))
    },
    expected: () => ({ kind: 'cut' }),
  },
  {
    name: 'an error as first event',
    only: 'stream',
    play: (exchange, scene) => {
      const event = vendorErrorEvent(scene.upstream, 503, scene.asArray ? 'first-item' : 'event')
      return sendEvents(exchange, [event], typeOf(scene))
    },
    expected: () => fails([500, 502, 503, 529], { says: sentenceOf(503) }),
  },
  {
    name: 'an error in the middle',
    only: 'stream',
    async play(exchange, scene) {
      const { upstream, asArray } = scene
      await beginHalf(exchange, scene)
      await sendRest(exchange, vendorErrorEvent(upstream, 503, asArray ? 'next-item' : 'event'))
    },
    expected: () => ({ kind: 'cut', says: sentenceOf(503) }),
  },
  {
    name: 'an error in the middle, and behind it the usual end',
    only: 'stream',
    upstream: 'chat',
    async play(exchange, scene) {
      await beginHalf(exchange, scene)
      await sendRest(exchange, `${vendorErrorEvent('chat', 503)}${scene.answer.events.at(-1)}`)
    },
    expected: () => ({ kind: 'cut', says: sentenceOf(503) }),
  },
  {
    name: 'no chunk where one should be',
    async play(exchange, scene) {
      await beginChunked(exchange, typeOf(scene), [])
      await exchange.write('zzzz\r\nthis is no chunk\r\n')
      exchange.done()
    },
    expected: () => fails(502),
  },
  {
    name: 'no chunk in the middle',
    async play(exchange, scene) {
      await beginHalf(exchange, scene)
      await exchange.write('zzzz\r\nthis is no chunk\r\n')
      exchange.done()
    },
    expected: cutOr(502),
  },
  {
    name: 'content-length too small',
    async play(exchange, scene) {
      const { stream, answer } = scene
      const all = stream ? answer.events.join('') : answer.whole
      const length = Buffer.byteLength(firstHalf(scene).join(''))
      await exchange.write(head(200, { ...typeOf(scene), 'content-length': length }))
      await exchange.write(all)
      exchange.done()
    },
    expected: cutOr(502),
  },
  {
    name: 'content-length too large',
    async play(exchange, scene) {
      const part = firstHalf(scene).join('')
      const length = Buffer.byteLength(part) + 1000
      await exchange.write(head(200, { ...typeOf(scene), 'content-length': length }) + part)
      exchange.socket.end()
    },
    expected: cutOr(502),
  },
  {
    name: 'closed behind the whole answer, before its length',
    async play(exchange, scene) {
      const { stream, answer } = scene
      const all = stream ? answer.events.join('') : answer.whole
      const length = Buffer.byteLength(all) + 1000
      await exchange.write(head(200, { ...typeOf(scene), 'content-length': length }) + all)
      exchange.socket.end()
    },
    // A stream has come in full by then.
    expected: ({ stream }) => (stream ? { kind: 'answer' } : fails(502)),
  },
  {
    name: 'truncated gzip, ended',
    async play(exchange, scene) {
      const packed = zip(firstHalf(scene).join(''), false)
      await beginChunked(exchange, { ...typeOf(scene), 'content-encoding': 'gzip' }, [packed])
      await sendRest(exchange, '')
    },
    expected: cutOr(502),
  },
  {
    name: 'broken gzip',
    async play(exchange, scene) {
      await beginChunked(exchange, { ...typeOf(scene), 'content-encoding': 'gzip' }, [
        Buffer.from('this is not gzip at all'),
      ])
      await sendRest(exchange, '')
    },
    expected: () => fails(502),
  },
  {
    name: 'good gzip',
    async play(exchange, scene) {
      const { stream, answer } = scene
      const packed = zip(stream ? answer.events.join('') : answer.whole, true)
      await beginChunked(exchange, { ...typeOf(scene), 'content-encoding': 'gzip' }, [packed])
      await sendRest(exchange, '')
    },
    expected: () => ({ kind: 'answer' }),
  },
]

/** The last piece of a chunked body, and its end. */
async function sendRest(exchange: RawExchange, rest: string): Promise<void> {
  if (rest) await exchange.write(`${Buffer.byteLength(rest).toString(16)}\r\n${rest}\r\n`)
  await exchange.write(lastChunk)
  exchange.done()
}
