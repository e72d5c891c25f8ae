import { once } from 'node:events'
import { Agent, createServer, get, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { drain, followConnections } from '../../../../main/http/socket/drain.ts'
import { type OpenCall, OpenCalls } from '../../../../main/relay/limits/open-calls.ts'

/** A call whose booking takes so many milliseconds from its interruption on; its last words come then. */
function callBookedAfter(openCalls: OpenCalls, booking: number, sayLastWords = () => {}) {
  const call: OpenCall & { isBooked: boolean } = {
    ...{ slot: -1, id: 'r', userId: 1, since: 0, keptAt: 0, isBooked: false },
    soFar: () => {
      throw new Error('Nobody keeps it.')
    },
    async interrupt() {
      await sleep(booking, undefined, { ref: false })
      call.isBooked = true
      sayLastWords()
      openCalls.remove(call)
    },
  }
  openCalls.add(call)
  return call
}

async function listen(onRequest?: RequestListener) {
  const server = createServer(onRequest)
  const connections = followConnections(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { server, connections, port }
}

async function stopWith(booking: number) {
  const { server, connections, port } = await listen()
  const openCalls = new OpenCalls()
  const call = callBookedAfter(openCalls, booking)
  const began = performance.now()
  await drain(server, connections, openCalls, 20)
  return { call, took: performance.now() - began, port }
}

test('a call whose booking is slow is waited for before the gateway ends', async () => {
  expect((await stopWith(300)).call.isBooked).toBe(true)
})

test('a call that is never booked does not keep the gateway', async () => {
  const { call, took } = await stopWith(60_000)
  expect(call.isBooked).toBe(false)
  expect(took).toBeLessThan(3_000)
})

test('a client that is slow to read still gets the last words of a call that was interrupted', async () => {
  const lastWords = Buffer.alloc(16 * 1024 * 1024, 'x')
  const openCalls = new OpenCalls()
  const { server, connections, port } = await listen((_request, response) => {
    response.flushHeaders()
    callBookedAfter(openCalls, 0, () => response.end(lastWords))
  })
  const [answer] = await once(get({ host: '127.0.0.1', port }), 'response')
  const stopped = drain(server, connections, openCalls, 20)
  await sleep(200)
  expect((await buffer(answer)).equals(lastWords)).toBe(true)
  await stopped
})

test('a client that calls while the gateway stops is told to close its connection', async () => {
  const openCalls = new OpenCalls()
  callBookedAfter(openCalls, 0)
  const { server, connections, port } = await listen((_request, response) => response.end())
  const stopped = drain(server, connections, openCalls, 300)
  const [answer] = await once(
    get({ host: '127.0.0.1', port, agent: new Agent({ keepAlive: true }) }),
    'response',
  )
  expect(answer.headers.connection).toBe('close')
  answer.resume()
  await stopped
})
