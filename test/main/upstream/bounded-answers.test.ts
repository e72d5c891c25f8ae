import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GatewayError } from '../../../main/base/errors.ts'
import { readAll, readBeginning } from '../../../main/upstream/body.ts'
import { openSockets } from '../../../main/upstream/connect/connector.ts'
import { usualLimits } from '../../../main/upstream/connect/time-limits.ts'
import type { UpstreamRequest } from '../../../main/upstream/request.ts'
import { sendUpstream } from '../../../main/upstream/send-upstream.ts'

const MEBIBYTE = 1024 * 1024

/** Answers each connection's next request. */
let play: (socket: Socket) => unknown = () => {}
let url = ''

const server = createServer((socket) => {
  socket.on('error', () => {}).on('data', () => play(socket))
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => void server.close())

const send = (more: Partial<UpstreamRequest> = {}) =>
  sendUpstream({ method: 'GET', url, headers: {}, ...more })

const outcome = (sent: Promise<unknown>): Promise<GatewayError> =>
  sent.then(
    () => {
      throw new Error('It did not fail.')
    },
    (error) => (error instanceof GatewayError ? error : Promise.reject(error)),
  )

const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`

/** Writes pieces one after the other for as long as they are taken; gives how many bytes were. */
async function pour(socket: Socket, piece: Buffer, most: number): Promise<number> {
  let sent = 0
  while (sent < most && !socket.destroyed) {
    sent += piece.length
    if (!socket.write(piece)) {
      await new Promise((resolve) => {
        socket.once('drain', resolve).once('close', resolve)
      })
    }
  }
  return sent
}

describe('an answer that is no answer', () => {
  test.each([
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n', 'upstream_invalid'],
    ['a page of garbage in chunked coding', `${head('transfer-encoding: chunked')}zz\r\nxx`, ''],
    ['a body that is shorter than it says', `${head('content-length: 50')}short`, 'upstream_cut'],
  ])('%s is an error with a sentence', async (_, bytes, code) => {
    play = (socket) => socket.end(bytes)
    const error = await outcome(send().then(({ body }) => readAll(body, MEBIBYTE)))
    expect(error.code).toMatch(code || /upstream_(invalid|cut)/)
    expect(error.message).toMatch(/^The upstream failed: .+/)
    expect(error.adminMessage).toMatch(/The upstream at http:\/\/127\.0\.0\.1:\d+ failed: .+/)
  })

  test('a flood of headers is cut off', async () => {
    let poured: Promise<number> = Promise.resolve(0)
    play = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      poured = pour(socket, Buffer.from(`x-flood: ${'y'.repeat(8000)}\r\n`), 64 * MEBIBYTE)
    }
    const error = await outcome(send())
    expect([error.code, error.message]).toEqual([
      'upstream_invalid',
      expect.stringContaining('more headers than are accepted'),
    ])
    expect(await poured).toBeLessThan(32 * MEBIBYTE)
  })

  test('a flood of preliminary answers ends with the limit for the first byte', async () => {
    play = (socket) =>
      pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 1024 * MEBIBYTE)
    const error = await outcome(send({ limits: { ...usualLimits, firstByte: 500 } }))
    expect(error.code).toMatch(/upstream_(timeout|invalid)/)
  })
})

describe('a body without end', () => {
  test('of a refusal is read no further than its beginning', async () => {
    let poured: Promise<number> = Promise.resolve(0)
    play = (socket) => {
      socket.write('HTTP/1.1 500 Broken\r\n\r\n')
      poured = pour(socket, Buffer.alloc(MEBIBYTE, 'x'), 1024 * MEBIBYTE)
    }
    const { status, body } = await send()
    expect([status, (await readBeginning(body, 1000)).toString()]).toEqual([500, 'x'.repeat(1000)])
    expect(await poured).toBeLessThan(64 * MEBIBYTE)
  })

  test('of a refusal that breaks off still says what has come', async () => {
    play = (socket) => socket.end(`HTTP/1.1 500 Broken\r\ncontent-length: 99\r\n\r\nso far`)
    const { body } = await send()
    expect((await readBeginning(body, 1000)).toString()).toBe('so far')
  })

  test('that is packed a thousand times over waits for its reader all the same', async () => {
    const gzip = createGzip({ level: 9 })
    const packed: Buffer[] = []
    gzip.on('data', (chunk: Buffer) => packed.push(chunk))
    const zeros = Buffer.alloc(MEBIBYTE)
    for (let count = 0; count < 512; count++) {
      if (!gzip.write(zeros)) await once(gzip, 'drain')
    }
    await once(gzip.end(), 'end')
    const before = process.memoryUsage().arrayBuffers
    play = (socket) => {
      socket.write(head('content-encoding: gzip'))
      socket.write(Buffer.concat(packed))
    }
    const { body } = await send()
    let size = 0
    let seen = () => {}
    const begun = new Promise<void>((resolve) => (seen = resolve))
    body.read({
      onChunk(chunk) {
        size += chunk.length
        body.pause()
        seen()
      },
      onEnd() {},
      onError() {},
    })
    await begun
    await sleep(1000)
    for (let turns = 0; turns < 20; turns++) {
      body.resume()
      await sleep(20)
    }
    expect(size).toBeLessThan(8 * MEBIBYTE)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * MEBIBYTE)
    body.abort()
  })

  test('whole but too long is refused, and says the limit', async () => {
    play = (socket) => {
      socket.write(head('content-type: text/plain'))
      void pour(socket, Buffer.alloc(MEBIBYTE, 'x'), 64 * MEBIBYTE)
    }
    const error = await outcome(send().then(({ body }) => readAll(body, 2 * MEBIBYTE)))
    expect([error.code, error.message]).toEqual([
      'upstream_invalid',
      expect.stringContaining('longer than 2 MiB'),
    ])
  })
})

test('an answer that was half read, or longer than it said, spoils no other call', async () => {
  const answers = [
    `${head('content-length: 1000')}half`,
    `${head('content-length: 4')}good${head('content-length: 6')}stolen`,
  ]
  for (const bytes of answers) {
    const asked: Socket[] = []
    play = (socket) => {
      asked.push(socket)
      socket.write(bytes)
    }
    const first = await send()
    if (bytes.includes('half')) first.body.abort()
    else expect((await readAll(first.body, 100)).toString()).toBe('good')
    play = (socket) => {
      asked.push(socket)
      socket.write(`${head('content-length: 2')}ok`)
    }
    const next = await send()
    expect((await readAll(next.body, 100)).toString()).toBe('ok')
    expect(asked).toHaveLength(2)
    expect(asked[1]).not.toBe(asked[0])
  }
})

test('no connection stays open behind all this', async () => {
  await expect.poll(() => openSockets().size).toBe(0)
})
