import { afterAll, beforeAll, expect, test } from 'vitest'
import { secrets } from '../../../main/base/log/redact.ts'
import { redactCapture } from '../../../main/capture/redact-capture.ts'
import { captureOf } from './capture-of.ts'

const SECRET = 'sk-across-two-chunks-of-an-answer'

let unfollow: () => void
beforeAll(() => {
  unfollow = secrets.follow({ version: () => SECRET, list: () => [SECRET] })
})
afterAll(() => unfollow())

/** The answer's chunks and when they came, of one that came in chunks of so many characters. */
function chunksOf(got: string, chunk: number): [string, number][] {
  const capture = captureOf('a', '{}', got, chunk)
  const answer = capture.client.answer
  if (!answer) throw new Error('the capture has an answer')
  const times = answer.body.times.map((_, at) => 10 + at)
  const body = { ...answer.body, times }
  const client = { ...capture.client, answer: { ...answer, body } }
  const told = redactCapture({ ...capture, client }).client.answer?.body
  return (told?.chunks ?? []).map((one, at) => [one.toString(), told?.times[at] ?? Number.NaN])
}

test('an answer with a secret in one of its chunks keeps its chunks and their times', () => {
  expect(chunksOf(`${'a'.repeat(40)}b${SECRET}${'c'.repeat(6)}`, 40)).toEqual([
    ['a'.repeat(40), 10],
    [`b***${'c'.repeat(6)}`, 11],
  ])
})

test('an answer with a secret across its chunks is one chunk, as of when the last one came', () => {
  expect(chunksOf(`Key: ${SECRET}.`, 10)).toEqual([['Key: ***.', 13]])
})

test('a secret in a URL’s path, or in the words of a failure, stands in no capture', () => {
  const capture = captureOf('a', '{}', '{}')
  const [exchange] = capture.exchanges
  if (!exchange) throw new Error('the capture has an exchange')
  const request = { ...exchange.request, url: `https://vendor.example/${SECRET}/v1/messages` }
  const failure = {
    ...{ code: 'upstream_unreachable', message: `No way to ${SECRET}.` },
    reason: { code: 'redirect_to_host', host: SECRET },
  } as const
  const told = redactCapture({ ...capture, exchanges: [{ ...exchange, request, failure }] })
  expect(told.exchanges[0]).toMatchObject({
    request: { url: 'https://vendor.example/***/v1/messages' },
    failure: { message: 'No way to ***.', reason: { host: '***' } },
  })
})
