import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSockets } from '../../../../main/upstream/connect/connector.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

/** A vendor whose every byte the test writes. */
interface RawVendor {
  url: string
  /** Answers the next connection's request. */
  play: (socket: Socket) => void
  /** When the newest connection went away (`performance.now()`). */
  gone: Promise<number>
  /** The newest connection's request has begun to come. */
  asked: Promise<void>
  close(): void
}

let pair: Pair
let vendor: RawVendor

async function startRawVendor(): Promise<RawVendor> {
  const server = createServer((socket) => {
    raw.gone = new Promise((resolve) => socket.on('close', () => resolve(performance.now())))
    socket.on('error', () => {})
    raw.asked = once(socket, 'data').then(() => raw.play(socket))
    connected(socket)
  })
  let connected: (socket: Socket) => void = () => {}
  const raw: RawVendor & { next(): Promise<Socket> } = {
    url: '',
    play: () => {},
    gone: Promise.resolve(0),
    asked: Promise.resolve(),
    next: () => new Promise((resolve) => (connected = resolve)),
    close: () => server.close(),
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  raw.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return raw
}

beforeAll(async () => {
  vendor = await startRawVendor()
  pair = await startPair({ empty: true })
  pair.gateway.set({ RetryTimes: 0, ChannelFailureCount: 0 })
  pair.gateway.addChannel({ baseUrl: vendor.url, models: ['model-a'] })
})
afterAll(async () => {
  vendor.close()
  await pair.close()
})

const HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const event = chunk('data: {"choices":[{"delta":{"content":"a"}}]}\n\n')
const mebibyte = chunk(`data: {"choices":[{"delta":{"content":"${'x'.repeat(1024 * 1024)}"}}]}\n\n`)

const moments: [string, (socket: Socket) => void, number][] = [
  ['before the head', () => {}, 0],
  ['before the first event', (socket) => void socket.write(HEAD + chunk(': wait\n\n')), 0],
  ['between two events', (socket) => void socket.write(HEAD + event), 0],
  [
    'while it takes nothing of a long stream',
    (socket) => void socket.write(HEAD + mebibyte.repeat(40)),
    500,
  ],
]

/** Sends a call whose answer nobody reads; `body` may be less than it says. */
function call(path: string, body: string, length = Buffer.byteLength(body)): http.ClientRequest {
  const request = http.request(pair.gateway.url + path, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${pair.gateway.key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'content-length': length,
    },
  })
  request.on('error', () => {}).write(body)
  return request
}

const paths = ['/v1/chat/completions', '/v1/messages']
const body = JSON.stringify({
  model: 'model-a',
  stream: true,
  max_tokens: 5,
  messages: [{ role: 'user', content: 'Hi' }],
})

test.each(moments.flatMap((moment) => paths.map((path) => [path, ...moment] as const)))(
  '%s: a client that leaves %s frees the vendor at once',
  async (path, name, play, pause) => {
    vendor.play = play
    const row = await pair.rowAfter(async () => {
      const next = new Promise<void>((resolve) => {
        vendor.play = (socket) => {
          play(socket)
          resolve()
        }
      })
      const request = call(path, body)
      await next
      await sleep(100 + pause)
      const left = performance.now()
      request.destroy()
      const took = (await vendor.gone) - left
      console.info(`${path}, ${name}: the vendor was free after ${took.toFixed(0)} ms`)
      expect(took).toBeLessThan(10_000)
    })
    expect(row.status).toBe(499)
  },
)

test('a vendor that still connects is not waited for when the client leaves', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const sockets: Socket[] = []
  silent.on('connection', (socket) => sockets.push(socket))
  pair.gateway.addChannel({ baseUrl: `https://127.0.0.1:${port}`, models: ['model-tls'] })
  const row = await pair.rowAfter(async () => {
    const request = call('/v1/chat/completions', body.replace('model-a', 'model-tls'))
    await once(silent, 'connection')
    request.destroy()
  })
  expect(row.status).toBe(499)
  for (const socket of sockets) socket.destroy()
  silent.close()
})

test('no connection is left over when all calls are over', async () => {
  await expect.poll(() => openSockets().size).toBe(0)
})
