import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Capture, CapturedFrame } from '../../../../main/capture/capture.ts'
import { har } from '../../../../main/inspect/export/har.ts'
import { captureCall } from '../../../support/captures/capture-call.ts'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import { readFixture } from '../../../support/recordings/fixtures.ts'

let pair: Pair
let capture: Capture
beforeAll(async () => {
  pair = await startPair()
  capture = await captureCall(pair, {
    format: 'messages',
    path: '/v1/messages?beta=true&key=sk-secret',
    body: { model: modelOf.chat, max_tokens: 9, messages: [{ role: 'user', content: 'Grüße 😀' }] },
    headers: { cookie: 'session=secret' },
    model: modelOf.chat,
    upstream: 'chat',
    replies: [{ body: JSON.parse(String(readFixture('openai-chat/text.json'))) }],
  })
})
afterAll(() => pair.close())

type Json = Record<string, unknown>

/**
 * Fields that HAR 1.2 requires, with their types (http://www.softwareishard.com/blog/har-12-spec/); `?` may be left
 * out, and names that begin with an underscore are free.
 */
const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  log: {
    version: 'string',
    creator: 'creator',
    pages: 'page[]',
    entries: 'entry[]',
    comment: 'string?',
  },
  page: { startedDateTime: 'date', id: 'string', title: 'string', pageTimings: 'object' },
  creator: { name: 'string', version: 'string' },
  entry: {
    ...{ startedDateTime: 'date', time: 'duration', request: 'request', response: 'response' },
    ...{ pageref: 'string', cache: 'object', timings: 'timings', comment: 'string?' },
  },
  request: {
    ...{ method: 'string', url: 'url', httpVersion: 'string', cookies: 'pair[]' },
    ...{ headers: 'pair[]', queryString: 'pair[]', postData: 'postData?' },
    ...{ headersSize: 'size', bodySize: 'size' },
  },
  response: {
    ...{ status: 'number', statusText: 'string', httpVersion: 'string', cookies: 'pair[]' },
    ...{ headers: 'pair[]', content: 'content', redirectURL: 'string' },
    ...{ headersSize: 'size', bodySize: 'size' },
  },
  pair: { name: 'string', value: 'string' },
  postData: { mimeType: 'string', params: 'param[]?', text: 'string?', comment: 'string?' },
  param: {
    ...{ name: 'string', value: 'string?', fileName: 'string?', contentType: 'string?' },
    comment: 'string?',
  },
  content: {
    ...{ size: 'size', mimeType: 'string', text: 'string?', encoding: 'string?' },
    comment: 'string?',
  },
  timings: {
    ...{ blocked: 'size', dns: 'size', connect: 'size', ssl: 'size' },
    ...{ send: 'duration', wait: 'duration', receive: 'duration' },
  },
}

const plain: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: Number.isInteger,
  object: (value) => typeof value === 'object' && value !== null,
  size: (value) => Number.isInteger(value) && (value as number) >= -1,
  duration: (value) => typeof value === 'number' && value >= 0,
  url: (value) => URL.canParse(String(value)),
  date: (value) => new Date(String(value)).toISOString() === value,
}

/** Places where an archive is not what the specification says. */
function faultsIn(value: unknown, type: string, at: string): string[] {
  if (type.endsWith('?')) return value === undefined ? [] : faultsIn(value, type.slice(0, -1), at)
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${at} is no list`]
    return value.flatMap((one, index) => faultsIn(one, type.slice(0, -2), `${at}[${index}]`))
  }
  const known = fields[type]
  if (!known) return plain[type]?.(value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${type}`]
  const object = (value ?? {}) as Json
  return [
    ...Object.entries(known).flatMap(([name, one]) => faultsIn(object[name], one, `${at}.${name}`)),
    ...Object.keys(object)
      .filter((name) => !(name in known || name.startsWith('_')))
      .map((name) => `${at}.${name} is not known`),
  ]
}

const archiveOf = (...captures: Capture[]) =>
  JSON.parse(har(captures, { baseUrl: pair.gateway.url, version: '1.2.3', gone: 2 })) as {
    log: {
      pages: { id: string }[]
      entries: (Json & { pageref: string; time: number; timings: Json })[]
    }
  }

test('an archive has every field that HAR 1.2 asks for, and no other', () => {
  const exchange = capture.exchanges[0] as Capture['exchanges'][0]
  const failed = { ...exchange, answer: null, failure: { code: 'x', message: 'No connection.' } }
  const binary = { chunks: [Buffer.from([0, 255])], times: [], size: 9 }
  const form = {
    ...capture.client.request,
    body: binary,
    files: [{ field: 'file', name: 'a.mp3', type: 'audio/mpeg', size: 3, digest: 'ab' }],
  }
  const odd: Capture = {
    ...capture,
    client: { request: form, answer: null },
    exchanges: [failed, exchange],
  }
  const archive = archiveOf(odd, capture)
  expect(archive.log.entries).toHaveLength(5)
  expect(faultsIn(archive.log, 'log', 'log')).toEqual([])
  const pages = new Set(archive.log.pages.map(({ id }) => id))
  expect(archive.log.entries.every(({ pageref }) => pages.has(pageref))).toBe(true)
  for (const { time, timings } of archive.log.entries) {
    const { send, wait, receive } = timings as Record<string, number>
    expect((send ?? 0) + (wait ?? 0) + (receive ?? 0)).toBeCloseTo(time, 1)
  }
})

test('it holds both sides as they were sent, and no key', () => {
  const text = har([capture], { baseUrl: pair.gateway.url, version: '1' })
  expect(text).not.toContain('sk-secret')
  expect(text).not.toContain('session=secret')
  expect(text).not.toContain(pair.gateway.key)
  expect(text).not.toContain('vendor-key')
  const [client, upstream] = archiveOf(capture).log.entries
  expect(client?.request).toMatchObject({
    method: 'POST',
    url: `${pair.gateway.url}/v1/messages?beta=true`,
    queryString: [{ name: 'beta', value: 'true' }],
    postData: {
      mimeType: 'application/json',
      text: Buffer.concat([...capture.client.request.body.chunks]).toString(),
    },
  })
  expect(client?.response).toMatchObject({ status: 200, statusText: 'OK' })
  expect(upstream?.request).toMatchObject({ url: `${pair.upstream.url}/v1/chat/completions` })
  expect(upstream?.response).toMatchObject({
    content: { text: expect.stringContaining('choices') },
  })
})

test('an attempt begins in the archive when it was made, not when the call came', () => {
  const [exchange] = capture.exchanges as [Capture['exchanges'][0]]
  const late = { ...exchange, request: { ...exchange.request, at: 2500 } }
  const [client, attempt] = archiveOf({ ...capture, receivedAt: 1000, exchanges: [late] }).log
    .entries
  expect(client?.startedDateTime).toBe('1970-01-01T00:00:01.000Z')
  expect(attempt?.startedDateTime).toBe('1970-01-01T00:00:03.500Z')
})

test('messages of a WebSocket session stand at the attempt that succeeded', () => {
  const [exchange] = capture.exchanges as [Capture['exchanges'][0]]
  const failed = { ...exchange, answer: null, failure: { code: 'x', message: 'No connection.' } }
  const frames: CapturedFrame[] = [
    { at: 500, border: 'upstream-in', isBinary: false, data: Buffer.from('{}') },
  ]
  const exchanges = [failed, exchange]
  const [, first, second] = archiveOf({ ...capture, exchanges, frames }).log.entries
  expect(first?._webSocketMessages).toBeUndefined()
  expect(second?._webSocketMessages).toHaveLength(1)
})

test('a WebSocket session has its messages, each side with its own', () => {
  const frame = (border: CapturedFrame['border'], data: string, isBinary = false) => ({
    at: 500,
    border,
    isBinary,
    data: Buffer.from(data),
  })
  const frames = [
    frame('client-in', '{"type":"a"}'),
    frame('upstream-out', '{"type":"b"}'),
    frame('upstream-in', '{"type":"c"}'),
    frame('client-out', 'd', true),
  ]
  const [client, upstream] = archiveOf({ ...capture, receivedAt: 1000, frames }).log.entries
  expect(client?._webSocketMessages).toEqual([
    { type: 'send', time: 1.5, opcode: 1, data: '{"type":"a"}' },
    { type: 'receive', time: 1.5, opcode: 2, data: 'ZA==' },
  ])
  expect(upstream?._webSocketMessages).toEqual([
    { type: 'send', time: 1.5, opcode: 1, data: '{"type":"b"}' },
    { type: 'receive', time: 1.5, opcode: 1, data: '{"type":"c"}' },
  ])
})

test('a body that was kept in part is said to be cut, on both ways', () => {
  const cut = { chunks: [Buffer.from('Hel')], times: [1], size: 5 }
  const { client, exchanges } = capture
  const answer = client.answer && { ...client.answer, body: cut }
  const request = { ...client.request, body: cut }
  const { entries } = archiveOf({ ...capture, client: { request, answer }, exchanges }).log
  const comment = 'cut at 3 of 5 bytes'
  expect(entries[0]).toMatchObject({
    request: { postData: { comment } },
    response: { content: { comment } },
  })
})
