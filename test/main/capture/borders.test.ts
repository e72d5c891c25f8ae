import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Capture, CapturedBody } from '../../../main/capture/capture.ts'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import { type Pair, startPair } from '../../support/gateway/pair.ts'
import { formats } from '../../support/strict/loops/stage.ts'
import {
  formatOfRequest,
  isStreamRequest,
  recordedAnswers,
  vendorOf,
} from '../../support/upstreams/recorded-vendor.ts'
import type { RecordedRequest, Reply } from '../../support/upstreams/scripted-upstream.ts'

const KEY = 'sk-vendor-0123456789abcdef'

const requests: Readonly<
  Record<WireFormat, (model: string, stream: boolean) => { path: string; body: object }>
> = {
  chat: (model, stream) => ({
    path: '/v1/chat/completions',
    body: { model, stream, seed: 7, messages: [{ role: 'user', content: 'Größe? "quoted"' }] },
  }),
  messages: (model, stream) => ({
    path: '/v1/messages',
    body: {
      ...{ model, stream, max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      messages: [{ role: 'user', content: 'Größe?' }],
    },
  }),
  'generate-content': (model, stream) => ({
    path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Größe?' }] }] },
  }),
  responses: (model, stream) => ({
    path: '/v1/responses',
    body: { model, stream, input: 'Größe?' },
  }),
}

function replyTo(request: RecordedRequest, seed: number): Reply {
  const { whole, stream } = recordedAnswers[formatOfRequest(request)]
  return isStreamRequest(request)
    ? { headers: { 'content-type': 'text/event-stream' }, chunks: [stream], cutSeed: seed }
    : { headers: { 'content-type': 'application/json' }, body: whole }
}

let pair: Pair

beforeAll(async () => {
  pair = await startPair({ empty: true, handler: replyTo })
  for (const format of formats) {
    const { type, endpoint: spoken } = vendorOf[format]
    pair.addChannelOf(format, {
      type,
      key: KEY,
      models: [`to-${format}`],
      settings: { endpoint_types: [spoken] },
    })
  }
})
afterAll(() => pair?.close())

const bytesOf = ({ chunks }: CapturedBody): Buffer => Buffer.concat(chunks)

function captureOf(id: string): Capture {
  const capture = pair.gateway.parts.captures.find(id)
  if (!capture) throw new Error(`There is no capture of ${id}.`)
  return capture
}

const headerOf = (headers: readonly (readonly [string, string])[], name: string) =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1]

const anthropic = { 'anthropic-version': '2023-06-01' }

describe.each(formats)('a client that speaks %s', (client) => {
  test.each(
    formats.flatMap((vendor) => [
      [vendor, 'whole'],
      [vendor, 'streamed'],
    ]) as [WireFormat, string][],
  )('the four borders of a call to %s, %s, are what client and vendor saw', async (vendor, way) => {
    const { path, body } = requests[client](`to-${vendor}`, way === 'streamed')
    const sent = Buffer.from(JSON.stringify(body, null, 1))
    const answer = await pair.send(path, {
      body: sent,
      headers: anthropic,
    })
    expect(answer.status).toBe(200)
    const capture = captureOf(answer.id)
    const seen = pair.upstream.last()

    expect(capture.client.request.method).toBe('POST')
    expect(capture.client.request.url).toBe(path)
    expect(bytesOf(capture.client.request.body).equals(sent)).toBe(true)
    expect(capture.client.answer?.status).toBe(200)
    expect(bytesOf(capture.client.answer?.body as CapturedBody).equals(answer.bytes)).toBe(true)
    expect(capture.client.answer?.isCut).toBe(false)
    for (const [name, value] of capture.client.answer?.headers ?? []) {
      expect(answer.headers[name.toLowerCase()], name).toBe(value)
    }

    expect(capture.exchanges).toHaveLength(1)
    const [exchange] = capture.exchanges
    expect(exchange?.request.url).toBe(pair.upstream.url + seen.url)
    expect(bytesOf(exchange?.request.body as CapturedBody).equals(seen.body)).toBe(true)
    const { whole, stream } = recordedAnswers[formatOfRequest(seen)]
    const given = isStreamRequest(seen) ? stream : whole
    await expect.poll(() => captureOf(answer.id).exchanges[0]?.answer?.endedAt).toBeTypeOf('number')
    expect(bytesOf(exchange?.answer?.body as CapturedBody).equals(given)).toBe(true)
    expect(headerOf(exchange?.request.headers ?? [], 'content-type')).toBe('application/json')
    const times = exchange?.answer?.body.times ?? []
    expect([...times]).toEqual([...times].sort((one, other) => one - other))

    const told = JSON.stringify(capture, (name, value) =>
      name === 'body' ? bytesOf(value as CapturedBody).toString('latin1') : value,
    )
    expect(told).not.toContain(KEY)
    expect(told).not.toContain(pair.gateway.key)
    expect(told).not.toContain(pair.gateway.key.slice(3))
  })
})
