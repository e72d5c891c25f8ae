import { once } from 'node:events'
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { decodedBody } from '../../../main/http/model/read-body.ts'

const LIMIT = 1024 * 1024

/** A server that reads each body as told and answers with what became of it. */
async function serve(read: (request: IncomingMessage) => Promise<unknown>): Promise<number> {
  const server = createServer(async (request, response) => {
    const result = await read(request).catch((error: Error) => ({ ...error }))
    response.end(JSON.stringify(result))
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function sizeOf(request: IncomingMessage): Promise<unknown> {
  let size = 0
  for await (const chunk of decodedBody(request, LIMIT)) size += chunk.length
  return { size }
}

async function post(port: number, body: Buffer, encoding = '', agent?: Agent): Promise<unknown> {
  const request = httpRequest({
    ...{ host: '127.0.0.1', port, method: 'POST', agent },
    headers: encoding ? { 'content-encoding': encoding } : {},
  }).end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  return JSON.parse(text)
}

const bytes = Buffer.alloc(LIMIT, 'sound ')

describe('a body read as a stream', () => {
  test('comes whole and decoded', async () => {
    const port = await serve(sizeOf)
    expect(await post(port, bytes)).toEqual({ size: LIMIT })
    expect(await post(port, gzipSync(bytes), 'gzip')).toEqual({ size: LIMIT })
    expect(await post(port, gzipSync(brotliCompressSync(bytes)), 'br, gzip')).toEqual({
      size: LIMIT,
    })
    expect(await post(port, Buffer.alloc(0))).toEqual({ size: 0 })
  })

  test.each<[string, Buffer, string, string]>([
    ['too large', Buffer.alloc(LIMIT + 1), '', 'payload_too_large'],
    [
      'too large when it is unpacked',
      gzipSync(Buffer.alloc(LIMIT + 1)),
      'gzip',
      'payload_too_large',
    ],
    ['damaged', bytes, 'gzip', 'corrupt_body'],
    ['cut within its packing', gzipSync(bytes).subarray(0, 500), 'gzip', 'corrupt_body'],
    ['packed in an unknown way', bytes, 'lzma', 'unsupported_encoding'],
  ])('%s fails, and the answer reaches the client', async (_, body, encoding, code) => {
    expect(await post(await serve(sizeOf), body, encoding)).toMatchObject({ code })
  })

  test('fails without harm when nobody listens yet', async () => {
    const port = await serve(async (request) => {
      const body = decodedBody(request, LIMIT)
      await sleep(30)
      for await (const _ of body);
      return { done: true }
    })
    expect(await post(port, bytes, 'lzma')).toMatchObject({ code: 'unsupported_encoding' })
    expect(await post(port, Buffer.alloc(2 * LIMIT))).toMatchObject({ code: 'payload_too_large' })
  })

  test('is not read ahead of who takes it', async () => {
    let held = 0
    const port = await serve(async (request) => {
      const body = decodedBody(request, LIMIT)
      body.once('readable', () => {})
      while (body.readableLength === 0) await sleep(5)
      await sleep(100)
      held = body.readableLength
      for await (const _ of body);
      return { done: true }
    })
    expect(await post(port, bytes)).toEqual({ done: true })
    expect(held).toBeGreaterThan(0)
    expect(held).toBeLessThan(LIMIT / 2)
  })

  test('given up lets the answer through, and the next request on the connection', async () => {
    const port = await serve(async (request) => {
      const body = decodedBody(request, 64 * LIMIT)
      await once(body, 'readable')
      body.destroy()
      return { refused: request.socket.remotePort }
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const large = Buffer.alloc(16 * LIMIT)
    const first = await post(port, large, '', agent)
    expect(first).toMatchObject({ refused: expect.any(Number) })
    expect(await post(port, large, '', agent)).toEqual(first)
  })

  test.each([
    ['plain', ''],
    ['packed', 'Content-Encoding: gzip\r\n'],
  ])('whose client leaves says so (%s)', async (_, header) => {
    let told: (error: unknown) => void = () => {}
    const failure = new Promise((resolve) => {
      told = resolve
    })
    const port = await serve((request) => sizeOf(request).catch(told))
    const socket = connect(port, '127.0.0.1')
    const start = header ? gzipSync(bytes).subarray(0, 200) : bytes.subarray(0, 200)
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${header}Content-Length: 1000\r\n\r\n`)
    socket.write(start)
    await sleep(50)
    socket.destroy()
    expect(await failure).toMatchObject({ code: 'client_gone' })
  })
})
