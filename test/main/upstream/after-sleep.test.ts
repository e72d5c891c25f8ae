import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { request } from 'undici'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { wakeUp } from '../../../main/upstream/connect/after-sleep.ts'
import { poolOf } from '../../../main/upstream/connect/connections.ts'

const connections: Socket[] = []
const server = createServer((socket) => {
  connections.push(socket)
  socket.on('error', () => {})
})

beforeEach(async () => {
  connections.length = 0
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterEach(() => {
  vi.useRealTimers()
  for (const socket of connections) socket.destroy()
  server.close()
})

function ask(): Promise<string> {
  const bound = server.address()
  const origin = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
  return request(origin, { dispatcher: poolOf() })
    .then(({ body }) => body.text())
    .catch((error: Error) => `failed: ${error.message}`)
}

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n'
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** The outcome of two calls, half a minute after a sleep: only the second one's upstream spoke again. */
async function callsAfter(slept: number): Promise<string[]> {
  const calls = [ask(), ask()]
  await expect.poll(() => connections.length).toBe(2)
  for (const socket of connections) await once(socket, 'data')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  wakeUp(slept)
  connections[1]?.write(answer)
  for (let turns = 0; turns < 50; turns++) await turn()
  vi.advanceTimersByTime(30_000)
  vi.useRealTimers()
  for (const socket of connections)
    socket.write(socket === connections[1] ? 'done' : `${answer}late`)
  return (await Promise.all(calls)).sort()
}

test('after a long sleep a call whose upstream stays silent ends, and one that hears from it goes on', async () => {
  expect(await callsAfter(3_600_000)).toEqual(['done', expect.stringContaining('slept')])
})

test('after a short sleep all calls go on', async () => {
  expect(await callsAfter(5_000)).toEqual(['done', 'late'])
})

test('after any sleep the next call gets a connection of its own', async () => {
  const calls = async () => {
    const text = await ask()
    // By now its connection waits for the next call.
    await new Promise((resolve) => setTimeout(resolve, 50))
    return text
  }
  server.on('connection', (socket) => socket.on('data', () => socket.write(`${answer}here`)))
  expect(await calls()).toBe('here')
  expect(await calls()).toBe('here')
  expect(connections).toHaveLength(1)
  wakeUp(1)
  expect(await calls()).toBe('here')
  expect(connections).toHaveLength(2)
})
