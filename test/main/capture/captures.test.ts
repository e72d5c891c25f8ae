import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Capture, CapturedBody } from '../../../main/capture/capture.ts'
import { type Pair, startPair } from '../../support/gateway/pair.ts'
import { startTestGateway } from '../../support/gateway/start-test-gateway.ts'
import { vendorReply } from '../../support/upstreams/vendor-replies.ts'

const MEBIBYTE = 1024 * 1024

let pair: Pair
beforeEach(async () => {
  pair = await startPair({ handler: vendorReply })
})
afterEach(() => pair?.close())

const chat = (content: string, rest: object = {}) => ({
  body: { model: 'chat-model', messages: [{ role: 'user', content }], ...rest },
})
const captures = () => pair.gateway.parts.captures
const find = (id: string): Capture | null => captures().find(id)
const textOf = (body: CapturedBody | undefined): string =>
  Buffer.concat(body?.chunks ?? []).toString()
const say = (content: string, rest: object = {}) =>
  pair.send('/v1/chat/completions', chat(content, rest))

/** All bytes of the data folder's files. */
const filesOf = (folder: string): string =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(folder, entry.name), 'latin1'))
    .join('')

test('while capture is off nothing is kept', async () => {
  pair.gateway.set({ CaptureLevel: 'off' })
  const answer = await say('hello')
  expect(find(answer.id)).toBeNull()
  expect(captures().status().memory).toMatchObject({ count: 0, bytes: 0 })
})

test('in memory nothing goes to the disk, not even a file', async () => {
  const answer = await say('only in memory')
  expect(textOf(find(answer.id)?.client.request.body)).toContain('only in memory')
  await sleep(100)
  expect(existsSync(join(pair.gateway.dataFolder, 'captures.db'))).toBe(false)
  expect(filesOf(pair.gateway.dataFolder)).not.toContain('only in memory')
})

test('each attempt has its own pair, and a channel that cannot be reached says why', async () => {
  pair.gateway.addChannel({
    ...{ name: 'nobody there', baseUrl: 'http://127.0.0.1:9', models: ['both'], priority: 9 },
  })
  const refusing = await startPair({
    empty: true,
    handler: () => ({ status: 503, body: { error: { message: 'overloaded' } } }),
  })
  pair.gateway.addChannel({
    ...{ name: 'overloaded', baseUrl: refusing.upstream.url, models: ['both'], priority: 8 },
  })
  pair.gateway.addChannel({
    ...{ name: 'good', baseUrl: pair.upstream.url, models: ['both'], priority: 7 },
  })
  const answer = await pair.send('/v1/chat/completions', {
    body: { model: 'both', messages: [{ role: 'user', content: 'hi' }] },
  })
  await refusing.close()
  expect(answer.status).toBe(200)
  const exchanges = find(answer.id)?.exchanges ?? []
  expect(exchanges.map(({ channelName }) => channelName)).toEqual([
    'nobody there',
    'overloaded',
    'good',
  ])
  expect(exchanges[0]).toMatchObject({
    answer: null,
    ...{ connectedAt: null, sentAt: null },
    failure: { code: 'upstream_unreachable' },
  })
  expect(exchanges[1]?.answer?.status).toBe(503)
  expect(textOf(exchanges[1]?.answer?.body)).toContain('overloaded')
  expect(textOf(exchanges[2]?.answer?.body)).toContain('hello')
  const { connectedAt, sentAt } = exchanges[2] ?? {}
  expect(connectedAt).toBeTypeOf('number')
  expect(sentAt).toBeGreaterThanOrEqual(connectedAt as number)
})

test('a long request is sent when its last piece is on its way', async () => {
  const long = {
    ...{ model: 'chat-model' },
    messages: [{ role: 'user', content: 'x'.repeat(5e6) }],
  }
  const { id } = await pair.send('/v1/chat/completions', { body: long })
  const [whole] = find(id)?.exchanges ?? []
  expect(whole?.sentAt).toBeGreaterThan(whole?.connectedAt as number)
  expect(whole?.sentAt).toBeLessThanOrEqual(whole?.answer?.at as number)
})

test('a refusal of the gateway itself shows what was sent and what was answered', async () => {
  const broken = await pair.send('/v1/chat/completions', { body: '{"model": "chat-model", oops' })
  expect(broken.status).toBe(400)
  const capture = find(broken.id)
  expect(textOf(capture?.client.request.body)).toBe('{"model": "chat-model", oops')
  expect(textOf(capture?.client.answer?.body)).toBe(broken.text)
  expect(capture?.client.answer?.status).toBe(400)
  expect(capture?.exchanges).toEqual([])

  for (const content of ['x', 'x'.repeat(20_000)]) {
    const unknown = await pair.send('/v1/chat/completions', {
      body: { model: 'no-such-model', messages: [{ role: 'user', content }] },
    })
    expect(textOf(find(unknown.id)?.client.answer?.body)).toBe(unknown.text)
  }
})

test('a stream that its client leaves is captured as far as it came, and says that it was cut', async () => {
  const controller = new AbortController()
  const response = await fetch(`${pair.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pair.gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(chat('hang', { stream: true }).body),
    signal: controller.signal,
  })
  await response.body?.getReader().read()
  controller.abort()
  const id = String(response.headers.get('x-oneapi-request-id'))
  await expect.poll(() => find(id)?.client.answer?.isCut).toBe(true)
  const capture = find(id)
  expect(textOf(capture?.client.answer?.body)).toContain('word0')
  expect(capture?.exchanges[0]?.answer?.isCut).toBe(true)
})

test('a key that the client wrote into its prompt is in no capture', async () => {
  const channel = pair.addChannelOf('chat', {
    ...{ key: 'sk-live-0123456789abcdef0123', models: ['leaky'] },
  })
  expect(channel.key).toBe('sk-live-0123456789abcdef0123')
  const answer = await pair.send('/v1/chat/completions?key=abc&x=1', {
    body: {
      model: 'leaky',
      messages: [{ role: 'user', content: `sk-live-0123456789abcdef0123 ${pair.gateway.key}` }],
    },
    headers: {
      ...{ cookie: 'session=secret-cookie', 'x-goog-api-key': 'AIza-foreign-key' },
      ...{ 'x-body-signature': 'v1=0123abcd', 'x-session-id': 'harmless-id' },
    },
  })
  const capture = find(answer.id) as Capture
  const told = JSON.stringify(capture, (name, value) =>
    name === 'body' ? textOf(value as CapturedBody) : value,
  )
  for (const secret of [
    'sk-live-0123456789abcdef0123',
    pair.gateway.key,
    'secret-cookie',
    'AIza-foreign-key',
    'key=abc',
    'v1=0123abcd',
  ])
    expect(told).not.toContain(secret)
  expect(told).toContain('harmless-id')
  expect(capture.client.request.url).toBe('/v1/chat/completions?key=[removed]&x=1')
  expect(told).toContain('Bearer [removed]')
  const { body } = capture.client.request
  expect(textOf(body)).toContain('***')
  expect(body.size).toBe(Buffer.concat(body.chunks).length)
})

test('captures on disk are sealed, read back as they were, and gone with the file', async () => {
  pair.gateway.set({ CaptureLevel: 'all' })
  const { dataFolder } = pair.gateway
  const first = await say('a sealed secret of mine')
  const streamed = await say('2', { stream: true })
  await expect.poll(() => captures().status().disk.count).toBe(2)
  expect(filesOf(dataFolder)).not.toContain('a sealed secret of mine')
  const before = find(streamed.id) as Capture
  const { parts } = pair.gateway
  for (const name of readdirSync(dataFolder).filter((one) => one.startsWith('captures.db')))
    expect(statSync(join(dataFolder, name)).mode & 0o077, name).toBe(0)

  // Newer calls take their place in memory, once they are packed.
  const fill = () => {
    for (let calls = 0; calls < 40; calls++) {
      const filler = parts.captures.begin({
        ...{ id: `filler-${calls}`, receivedAt: 0, userId: 1, tokenId: 0, format: 'chat' },
        ...{ model: 'm', method: 'POST', url: '/', headers: [] },
      })
      filler?.sent(Buffer.alloc(MEBIBYTE))
      filler?.end(false)
    }
    return find(streamed.id)?.source
  }
  await expect.poll(fill).toBe('disk')
  const fromDisk = find(streamed.id) as Capture
  expect({ ...fromDisk, source: 'memory' }).toEqual(before)
  expect(textOf(find(first.id)?.client.request.body)).toContain('a sealed secret of mine')

  expect(captures().clear()).toBeGreaterThan(2)
  expect(find(first.id)).toBeNull()
  expect(existsSync(join(dataFolder, 'captures.db'))).toBe(false)
})

test('of failures only the failed calls go to the disk', async () => {
  pair.gateway.set({ CaptureLevel: 'failures' })
  await say('good')
  pair.upstream.script({ status: 400, body: { error: { message: 'no' } } })
  const failed = await say('bad')
  expect(failed.status).toBe(400)
  await expect.poll(() => captures().status().disk.count).toBe(1)
  await sleep(60)
  expect(captures().status().disk.count).toBe(1)
  expect(captures().has([failed.id])).toEqual(new Set([failed.id]))
})

test('everything for ten minutes is captured although capture is off, and then no more', async () => {
  pair.gateway.set({ CaptureLevel: 'off' })
  captures().burst(10)
  await say('in the burst')
  await expect.poll(() => captures().status().disk.count).toBe(1)
  expect(captures().status().burstUntil).toBeGreaterThan(Date.now() + 9 * 60_000)
  captures().burst(0)
  const after = await say('after the burst')
  expect(find(after.id)).toBeNull()
})

test('a crowd of calls under way that fill the memory does not move the cap', async () => {
  const begin = (id: string) =>
    captures().begin({
      ...{ id, receivedAt: 0, userId: 1, tokenId: 0, format: 'chat' },
      ...{ model: 'm', method: 'POST', url: '/', headers: [] },
    })
  const crowd = Array.from({ length: 500 }, (_, index) => {
    const capture = begin(`crowd ${index}`)
    capture?.sent(Buffer.alloc(MEBIBYTE))
    return capture
  })
  for (const capture of crowd) capture?.end(false)
  expect(captures().status().memory.bytes).toBeGreaterThan(0)
  captures().clear()
  expect(captures().status().memory).toMatchObject({ count: 0, bytes: 0 })
})

test('a capture in memory is the same before and after it is packed', async () => {
  const { id } = await say('3')
  const loose = find(id)
  const { bytes } = captures().status().memory
  await expect.poll(() => captures().status().memory.bytes).not.toBe(bytes)
  expect(find(id)).toEqual(loose)
})

test('memory stays under its cap, the oldest captures go first', async () => {
  const big = 'x'.repeat(3 * MEBIBYTE)
  const ids: string[] = []
  for (let calls = 0; calls < 14; calls++) ids.push((await say(`${calls} ${big}`)).id)
  const { memory } = captures().status()
  expect(memory.bytes).toBeLessThanOrEqual(memory.cap)
  expect(find(ids[0] as string)).toBeNull()
  expect(find(ids.at(-1) as string)).not.toBeNull()
})

test('what is captured when a call is over, such as its refusal, is counted and freed as well', async () => {
  for (let calls = 0; calls < 30; calls++) {
    await pair.send('/v1/chat/completions', { body: '{"model": "chat-model", oops' })
    await say('1', { stream: true })
  }
  expect(captures().status().memory).toMatchObject({ count: 60 })
  expect(captures().clear()).toBe(60)
  expect(captures().status().memory).toMatchObject({ count: 0, bytes: 0 })
})

test('a body past the cap is cut, and its full size is still known', async () => {
  pair.gateway.set({ CaptureBodyMegabytes: 1 })
  const answer = await say('y'.repeat(2 * MEBIBYTE))
  const { body } = (find(answer.id) as Capture).client.request
  expect(body.size).toBeGreaterThan(2 * MEBIBYTE)
  expect(Buffer.concat(body.chunks)).toHaveLength(MEBIBYTE)
})

test('the oldest captures on disk go when there are more than the option allows', async () => {
  pair.gateway.set({ CaptureLevel: 'all', CaptureMegabytes: 1 })
  // Random text cannot be packed.
  const noise = () =>
    Buffer.from(Array.from({ length: 300_000 }, () => Math.random() * 256)).toString('base64')
  const ids: string[] = []
  for (let calls = 0; calls < 5; calls++) ids.push((await say(noise())).id)
  await expect.poll(() => captures().newestOnDisk(1)).toEqual(ids.slice(-1))
  const { disk } = captures().status()
  expect(disk.count).toBeLessThan(5)
  expect(disk.bytes).toBeLessThanOrEqual(MEBIBYTE)
})

test('captures on disk go by age, those in memory stay', async () => {
  pair.gateway.set({ CaptureLevel: 'all', CaptureDays: 3 })
  const day = 86_400_000
  for (const days of [1, 5]) {
    captures()
      .begin({
        ...{ id: `${days} days ago`, receivedAt: performance.now() - days * day, userId: 1 },
        ...{ tokenId: 0, format: 'chat', model: 'm', method: 'POST', url: '/', headers: [] },
      })
      ?.end(false)
  }
  await expect.poll(() => captures().status().disk.count).toBe(1)
  expect(captures().has(['1 days ago', '5 days ago']).size).toBe(2)
  captures().prune()
  expect(captures().status().disk.count).toBe(1)
  pair.gateway.set({ CaptureDays: 0 })
})

test('a damaged file is set aside until all captures are deleted, and the gateway starts', async () => {
  const gateway = await startTestGateway()
  const { dataFolder } = gateway
  gateway.set({ CaptureLevel: 'all' })
  writeFileSync(join(dataFolder, 'captures.db'), 'this is no database at all'.repeat(100))
  gateway.parts.captures
    .begin({
      ...{ id: 'one', receivedAt: 0, userId: 1, tokenId: 0, format: 'chat' },
      ...{ model: 'm', method: 'POST', url: '/', headers: [] },
    })
    ?.end(false)
  await expect.poll(() => gateway.parts.captures.status().disk.count).toBe(1)
  expect(existsSync(join(dataFolder, 'captures.db.damaged'))).toBe(true)
  gateway.parts.captures.clear()
  expect(readdirSync(dataFolder).filter((name) => name.startsWith('captures.db'))).toEqual([])
  await gateway.close()
})
