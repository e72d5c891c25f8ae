import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cancellation } from '../../../main/base/cancellation.ts'
import { readAll } from '../../../main/upstream/body.ts'
import { openSocket } from '../../../main/upstream/connect/socket.ts'
import { sendUpstream } from '../../../main/upstream/send-upstream.ts'

const HINT = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n'
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'

/** The bytes of the answer to every request. */
let reply = ''
/** How the upstream's connection ended. */
let closed: Promise<unknown> = Promise.resolve()
const server = createServer((socket) => {
  closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => {}).on('data', () => socket.write(reply))
})
const place = () => `127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

const send = () => sendUpstream({ method: 'GET', url: `http://${place()}/`, headers: {} })

test('a few informational answers are passed over', async () => {
  reply = HINT.repeat(20) + ANSWER
  const answer = await send()
  expect([answer.status, String(await readAll(answer.body, 100))]).toEqual([200, 'hi'])
})

test('a flood of them is a failure of the upstream, and its connection is closed', async () => {
  reply = HINT.repeat(10_000)
  await expect(send()).rejects.toMatchObject({
    code: 'upstream_invalid',
    message: expect.stringContaining('more than 256 informational answers'),
  })
  await closed
})

test('also where a WebSocket was asked for', async () => {
  reply = HINT.repeat(10_000)
  const cancellation = new Cancellation()
  const opened = openSocket({ url: `ws://${place()}/`, headers: {}, cancellation })
  await expect(opened).rejects.toMatchObject({
    code: 'upstream_invalid',
    message: expect.stringContaining('more than 256 informational answers'),
  })
  await closed
})
