import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { UpstreamBody } from '../../../main/upstream/body.ts'
import { sendUpstream } from '../../../main/upstream/send-upstream.ts'

const MEBIBYTE = 1024 * 1024
const KIBIBYTE = 1024

/** A body whose connection is played, and what was asked of that. */
function playedBody() {
  const source = { pause: vi.fn(), resume: vi.fn(), abort: vi.fn() }
  return { body: new UpstreamBody(source), source }
}

/** The answer of an upstream that says `piece` again and again while it may, up to 256 MiB, and what it has said. */
async function pouring(headers: Record<string, string>, piece: Buffer) {
  let said = 0
  const pour = (response: ServerResponse) => {
    while (said < 256 * MEBIBYTE && !response.destroyed) {
      said += piece.length
      if (!response.write(piece)) return void response.once('drain', () => pour(response))
    }
    response.end()
  }
  const server = createServer((_request, response) => pour(response.writeHead(200, headers)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { body } = await sendUpstream({ method: 'GET', url, headers: {} })
  onTestFinished(() => body.abort())
  return { body, said: () => said }
}

/** Waits until nothing more comes, and gives how many bytes are held. */
async function settled(body: UpstreamBody): Promise<number> {
  const held = () => body.held.reduce((sum, { length }) => sum + length, 0)
  for (let before = -1; before !== held(); await sleep(300)) before = held()
  return held()
}

test('a body that nobody reads waits at its upstream', async () => {
  const { body, said } = await pouring({}, Buffer.alloc(64 * KIBIBYTE))
  expect(await settled(body)).toBeLessThan(MEBIBYTE)
  expect(said()).toBeLessThan(64 * MEBIBYTE)
})

test('a packed body that nobody reads waits too', async () => {
  const gzip = createGzip()
  const packed: Buffer[] = []
  gzip.on('data', (chunk: Buffer) => packed.push(chunk))
  gzip.end(Buffer.alloc(64 * MEBIBYTE))
  await new Promise((resolve) => gzip.once('end', resolve))
  const { body } = await pouring({ 'content-encoding': 'gzip' }, Buffer.concat(packed))
  expect(await settled(body)).toBeLessThan(4 * MEBIBYTE)
})

test('the rest of an answer is read off up to 64 KiB, and its connection closed behind that', () => {
  const { body, source } = playedBody()
  body.take(Buffer.alloc(KIBIBYTE))
  body.discardRest()
  body.take(Buffer.alloc(63 * KIBIBYTE))
  expect(source.abort).not.toHaveBeenCalled()
  body.take(Buffer.alloc(1))
  expect(source.abort).toHaveBeenCalledOnce()
})

test('a rest that ends in time leaves the connection open, and one that does not is given up', () => {
  const { body, source } = playedBody()
  const before = performance.now()
  body.discardRest()
  expect(body.giveUpAt).toBeGreaterThan(before)
  expect(body.giveUpAt).toBeLessThan(before + 10_000)
  body.take(Buffer.alloc(KIBIBYTE))
  body.finish('end')
  body.take(Buffer.alloc(MEBIBYTE))
  expect(source.abort).not.toHaveBeenCalled()
})
