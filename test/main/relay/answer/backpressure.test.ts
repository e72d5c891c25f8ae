import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.close())

const MEGABYTE = 1024 * 1024
/** More than all socket buffers on the way take together. */
const BUFFERS = 24 * MEGABYTE

/** Opens a stream without reading any of its body. */
async function open(): Promise<http.IncomingMessage> {
  const request = http.request(`${pair.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${pair.gateway.key}`, 'content-type': 'application/json' },
  })
  request.end(
    '{"model":"chat-model","stream":true,"messages":[{}],"stream_options":{"include_usage":true}}',
  )
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  return response
}

/** How many bytes the vendor has got rid of, once that number stands still. */
async function sentWhenStill(): Promise<number> {
  let before = -1
  while (before !== pair.upstream.last().sentBytes) {
    before = pair.upstream.last().sentBytes
    await sleep(400)
  }
  return before
}

async function sizeOf(response: http.IncomingMessage): Promise<number> {
  let size = 0
  for await (const chunk of response) size += (chunk as Buffer).length
  return size
}

const event = (text: string) => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`
const done = 'data: [DONE]\n\n'

const plain = Buffer.from(event('x'.repeat(MEGABYTE)))
const noise = Buffer.from(
  Array.from({ length: 60 }, () => event(randomBytes(MEGABYTE / 2).toString('base64'))).join('') +
    done,
)
const packed = gzipSync(noise, { level: 1 })
const pieces = Array.from({ length: Math.ceil(packed.length / 65_536) }, (_, index) =>
  packed.subarray(index * 65_536, (index + 1) * 65_536),
)

const replies: [string, Reply, number][] = [
  ['plain', { chunks: [...Array<Buffer>(40).fill(plain), done] }, 40 * plain.length + done.length],
  ['packed', { chunks: pieces, headers: { 'content-encoding': 'gzip' } }, noise.length],
]

describe.each(replies)('a client that does not read (%s at the vendor)', (_, reply, size) => {
  test('makes the vendor wait instead of filling memory, and gets all of it in the end', async () => {
    pair.upstream.script(reply)
    const response = await open()
    expect(await sentWhenStill()).toBeLessThan(BUFFERS)
    expect(await sizeOf(response)).toBe(size)
  })

  test('and leaves ends the vendor’s call', async () => {
    pair.upstream.script(reply)
    const row = await pair.rowAfter(async () => {
      const response = await open()
      await sentWhenStill()
      response.destroy()
      expect(await pair.upstream.last().ended).toBe('gone')
    })
    expect(row.status).toBe(499)
  })
})

test('waiting for a slow client is not held against the vendor', async () => {
  pair.gateway.set({ UpstreamIdleSeconds: 1 })
  pair.upstream.script((replies[0] as [string, Reply, number])[1])
  const response = await open()
  await sleep(2500)
  expect(await sizeOf(response)).toBe((replies[0] as [string, Reply, number])[2])
  pair.gateway.set({ UpstreamIdleSeconds: 300 })
})
