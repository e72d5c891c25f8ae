import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import {
  codeToSend,
  reasonToSend,
  type SocketEnd,
  WireSocket,
} from '../../../main/base/net/frame-socket.ts'

/** A server whose side of the next connection is a WireSocket that pings every `interval` milliseconds. */
async function listen(interval: number) {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    sockets.close()
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const ended = new Promise<SocketEnd>((resolve) => {
    sockets.on('connection', (raw) => {
      const nothing = () => {}
      new WireSocket(raw, interval).listen({ onFrame: nothing, onDrain: nothing, onEnd: resolve })
    })
  })
  return { port, ended }
}

test('a peer that answers no pings is given up, without a word', async () => {
  const { port, ended } = await listen(200)
  const key = Buffer.alloc(16, 1).toString('base64')
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  socket.resume()
  expect(await ended).toMatchObject({ code: 1006, isRefused: false })
  socket.destroy()
})

test('a peer that answers them is kept', async () => {
  const { port, ended } = await listen(200)
  const client = new WebSocket(`ws://127.0.0.1:${port}`)
  let pings = 0
  client.on('ping', () => pings++)
  await once(client, 'open')
  while (pings < 5) await new Promise((resolve) => setTimeout(resolve, 10))
  client.close(4000, 'enough')
  expect(await ended).toEqual({ code: 4000, reason: 'enough', isRefused: false })
})

test('a peer whose frames nobody takes is not given up: its answers cannot be read', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  onTestFinished(() => server.close())
  server.on('connection', (raw) => new WireSocket(raw, 20))
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  let pings = 0
  let isClosed = false
  client.on('ping', () => pings++)
  client.on('close', () => {
    isClosed = true
  })
  while (pings < 5 && !isClosed) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(isClosed).toBe(false)
  client.terminate()
})

test('codes that only tell of an end are never sent', () => {
  const sent = [1000, 1001, 1004, 1005, 1006, 1011, 1014, 1015, 2999, 3000, 4999, 5000, 0].map(
    codeToSend,
  )
  expect(sent).toEqual([
    ...[1000, 1001, 1011, 1000, 1011, 1011, 1014, 1011, 1011],
    ...[3000, 4999, 1011, 1011],
  ])
})

test('a reason is cut to what a frame holds, between two characters', () => {
  expect(reasonToSend('short')).toBe('short')
  const cut = reasonToSend('😀'.repeat(50))
  expect(cut).toBe('😀'.repeat(30))
  expect(Buffer.byteLength(cut)).toBe(120)
})
