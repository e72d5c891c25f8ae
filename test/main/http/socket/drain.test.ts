import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { drain, followConnections } from '../../../../main/http/socket/drain.ts'
import { type OpenCall, OpenCalls } from '../../../../main/relay/limits/open-calls.ts'

/** A call whose booking takes so many milliseconds from its interruption on. */
function callBookedAfter(openCalls: OpenCalls, booking: number) {
  const call: OpenCall & { isBooked: boolean } = {
    ...{ slot: -1, id: 'r', userId: 1, since: 0, keptAt: 0, isBooked: false },
    soFar: () => {
      throw new Error('Nobody keeps it.')
    },
    async interrupt() {
      await sleep(booking, undefined, { ref: false })
      call.isBooked = true
      openCalls.remove(call)
    },
  }
  openCalls.add(call)
  return call
}

async function stopWith(booking: number) {
  const server = createServer()
  const connections = followConnections(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const openCalls = new OpenCalls()
  const call = callBookedAfter(openCalls, booking)
  const { port } = server.address() as AddressInfo
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
