import { gzipSync } from 'node:zlib'
import { type Fault, fails, type Scene } from './fault.ts'
import { typeOf } from './good-answer.ts'
import { head, JSON_TYPE } from './raw-answer.ts'
import type { RawExchange } from './raw-upstream.ts'

const GIGABYTE = 1024 ** 3
const piece = Buffer.alloc(1024 * 1024, 'a')

/** Writes the beginning and then one letter, until `bytes` are out or nobody takes them. */
async function pour(exchange: RawExchange, begin: string, bytes: number): Promise<void> {
  await exchange.write(begin)
  for (let sent = 0; sent < bytes; sent += piece.length) {
    if (!(await exchange.write(piece))) return
  }
}

const beginning = (scene: Scene, events: readonly string[]): string =>
  head(200, { ...typeOf(scene), connection: 'close' }) + events.join('')

/** How an event, or a further item that holds a text, begins. */
const opening = ({ asArray }: Scene): string => (asArray ? ',{"text":"' : 'data: ')

const AT_ONCE = 500

/** An event many times, numbered on where its format numbers events. */
const repeated = (event: string, from: number): string =>
  Array.from({ length: AT_ONCE }, (_, index) =>
    event.replace(/"sequence_number":\d+/, `"sequence_number":${from + index}`),
  ).join('')

/** 256 MiB in a quarter of one. */
let bomb: Buffer | null = null
const packedBomb = (): Buffer => {
  bomb ??= gzipSync(Buffer.alloc(256 * 1024 * 1024, 'a'))
  return bomb
}

/** Answers without end. They have to be given up at a limit, and not kept until then. */
export const endlessFaults: readonly Fault[] = [
  {
    name: 'an answer of a gigabyte',
    only: 'whole',
    isHeavy: true,
    async play(exchange, { answer }) {
      const length = GIGABYTE + answer.whole.length
      // Up to where the text begins, so that it looks right for as long as it goes.
      const begin = answer.whole.slice(0, answer.whole.indexOf(answer.text))
      await pour(exchange, head(200, { ...JSON_TYPE, 'content-length': length }) + begin, GIGABYTE)
    },
    expected: () => fails(502),
  },
  {
    name: 'an answer packed to a thousandth',
    only: 'whole',
    isHeavy: true,
    async play(exchange) {
      const packed = packedBomb()
      await exchange.write(
        head(200, { ...JSON_TYPE, 'content-encoding': 'gzip', 'content-length': packed.length }),
      )
      await exchange.write(packed)
      exchange.done()
    },
    expected: () => fails(502),
  },
  {
    name: 'an error of a gigabyte',
    isHeavy: true,
    play: (exchange) =>
      pour(
        exchange,
        `${head(500, { ...JSON_TYPE, 'content-length': GIGABYTE })}{"error":{"message":"`,
        GIGABYTE,
      ),
    expected: () => fails([500, 502]),
  },
  {
    name: 'a line of a gigabyte as first event',
    only: 'stream',
    exceptArray: true,
    isHeavy: true,
    play: (exchange, scene) => pour(exchange, `${beginning(scene, [])}data: `, GIGABYTE),
    expected: () => fails(502),
  },
  {
    name: 'an endless line in the middle',
    only: 'stream',
    isHeavy: true,
    // Passthrough keeps nothing, so only the time limit can end it: it counts the vendor's time, not the client's.
    limits: { total_seconds: 3 },
    play: (exchange, scene) =>
      pour(
        exchange,
        beginning(scene, scene.answer.events.slice(0, 4)) + opening(scene),
        GIGABYTE / 4,
      ),
    expected: () => ({ kind: 'cut' }),
  },
  {
    name: 'events without end',
    only: 'stream',
    isHeavy: true,
    limits: { total_seconds: 1.5 },
    mostCounted: Infinity,
    async play(exchange, scene) {
      const { answer } = scene
      await exchange.write(beginning(scene, answer.events.slice(0, 4)))
      // The fifth is text in every format.
      const text = answer.events[4] as string
      for (let number = 4; ; number += AT_ONCE) {
        if (!(await exchange.write(repeated(text, number)))) return
      }
    },
    expected: () => ({ kind: 'cut' }),
  },
]
