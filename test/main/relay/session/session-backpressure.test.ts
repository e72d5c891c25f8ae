import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

let gateway: TestGateway
let upstream: SocketUpstream

const MESSAGE = Buffer.alloc(256 * 1024, 7)
const MESSAGES = 256
/** The kernel and the gateway buffer fewer messages than this for two connections. */
const FEW = MESSAGES / 2
const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startSocketUpstream()
  gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: ['m'],
    settings: { endpoint_types: ['realtime'] },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const connect = () =>
  connectSocket(gateway.url, '/v1/realtime?model=m', {
    headers: { authorization: `Bearer ${gateway.key}` },
  })

/** Sends 64 MiB, each message once the one before is out; gives how many were out when nothing moves any more. */
async function fill(socket: { send(data: Buffer, sent: () => void): void }): Promise<number> {
  let out = 0
  const next = () => {
    out++
    if (out < MESSAGES) socket.send(MESSAGE, next)
  }
  socket.send(MESSAGE, next)
  let before = -1
  while (before !== out) {
    before = out
    await pause(1000)
  }
  return out
}

test('a client that does not read holds its upstream back, and gets everything in the end', async () => {
  const client = await connect()
  const session = await upstream.session(1)
  client.raw.pause()
  expect(await fill(session.socket)).toBeLessThan(FEW)
  client.raw.resume()
  while (client.frames.length < MESSAGES) await pause(10)
  expect(client.frames.every(({ data }) => data.equals(MESSAGE))).toBe(true)
  client.raw.close()
  await session.ended
})

test('an upstream that does not read holds its client back', async () => {
  const client = await connect()
  const session = await upstream.session(2)
  session.socket.pause()
  expect(await fill(client.raw)).toBeLessThan(FEW)
  session.socket.resume()
  expect(await session.heard(MESSAGES)).toHaveLength(MESSAGES)
  client.raw.close()
  await session.ended
})

test('twenty sessions at once, ended by either side, leave nothing open', async () => {
  const from = upstream.sessions.length
  const clients = await Promise.all(Array.from({ length: 20 }, connect))
  await upstream.session(from + 20)
  const sessions = upstream.sessions.slice(from)
  for (const client of clients) client.raw.send('hello')
  await Promise.all(sessions.map((session) => session.heard(1)))
  expect(gateway.parts.openCalls.size).toBe(20)
  for (const client of clients.slice(0, 7)) client.raw.close(1000)
  for (const client of clients.slice(7, 10)) client.raw.terminate()
  for (const session of sessions) if (Math.random() < 0.5) session.socket.terminate()
  for (const session of sessions) session.socket.close(1000)
  await Promise.all([...clients, ...sessions].map(({ ended }) => ended))
  while (upstream.open() > 0 || gateway.parts.openCalls.size > 0) await pause(10)
})
