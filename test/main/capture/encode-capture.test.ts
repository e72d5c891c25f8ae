import { expect, test } from 'vitest'
import type { Capture, CapturedAnswer, CapturedBody } from '../../../main/capture/capture.ts'
import {
  decodeCapture,
  encodeCapture,
  encodedBodies,
} from '../../../main/capture/encode-capture.ts'
import { captureOf } from './capture-of.ts'

/** A stream's body: chunks of various sizes, each at a time of its own. */
function streamed(chunks: number, delay: number): CapturedBody {
  const pieces = Array.from({ length: chunks }, (_, at) => Buffer.from(`data: ${'x'.repeat(at)}`))
  return {
    chunks: pieces,
    times: pieces.map((_, at) => at * 1.001 + delay),
    size: pieces.reduce((sum, { length }) => sum + length, 0),
  }
}

/** A captured call whose upstream sent one stream, and whose client got another. */
function withStreams(upstream: CapturedBody, client: CapturedBody): Capture {
  const capture = captureOf('id', '{}', '')
  const answer = capture.client.answer as CapturedAnswer
  return {
    ...capture,
    client: { ...capture.client, answer: { ...answer, body: client } },
    exchanges: capture.exchanges.map((one) => ({ ...one, answer: { ...answer, body: upstream } })),
  }
}

test.each([
  [8, 8],
  [9, 300],
  [300, 2],
])('streams of %i and %i chunks keep their pieces and times', (here, there) => {
  const [upstream, client] = [streamed(here, 0.123), streamed(there, 4000.25)]
  const bytes = Buffer.concat(encodeCapture(withStreams(upstream, client)))
  const shown = decodeCapture(bytes, 'memory')
  expect(shown.exchanges[0]?.answer?.body).toEqual(upstream)
  expect(shown.client.answer?.body).toEqual(client)
})

test('a search for a text does not look at the times of a stream', () => {
  const stream = streamed(100, 0)
  const bytes = Buffer.concat(encodeCapture(withStreams(stream, stream)))
  const answer = Buffer.concat(stream.chunks)
  expect(encodedBodies(bytes).map(String)).toEqual(['{}', String(answer)])
})

test('a capture written when all numbers stood in the head opens', () => {
  const [lengths, times] = [Array(20).fill(3), Array.from({ length: 20 }, (_, at) => at + 0.5)]
  const body = { place: 0, chunks: lengths, times, size: 60 }
  const head = JSON.stringify({ id: 'old', client: { answer: { body } }, exchanges: [] })
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32BE(head.length, 0)
  sizes.writeUInt32BE('[60]'.length, 4)
  const bytes = Buffer.concat([sizes, Buffer.from(`${head}[60]${'abc'.repeat(20)}`)])
  const shown = decodeCapture(bytes, 'disk').client.answer?.body
  expect(shown?.chunks.map(String)).toEqual(Array(20).fill('abc'))
  expect(shown?.times).toEqual(times)
})
