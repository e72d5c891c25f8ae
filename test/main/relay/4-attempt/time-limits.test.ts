import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ChannelSettings } from '../../../../main/store/records/channels.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair
let models = 0

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.gateway.set({ RetryTimes: 0, ChannelFailureCount: 0 })
})
afterAll(() => pair.close())

function channel(settings: ChannelSettings, baseUrl = pair.upstream.url, type = 1): string {
  const model = `model-${++models}`
  pair.gateway.addChannel({ type, baseUrl, models: [model], settings })
  return model
}

const ask = (model: string, stream = false, path = '/v1/chat/completions') =>
  pair.send(path, {
    headers: { 'anthropic-version': '2023-06-01' },
    body: { model, stream, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] },
  })

/** A server that takes connections and never says a word. */
async function silentServer(): Promise<{ port: number; open: Set<Socket> }> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, open }
}

const event = (text: string) => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`
const comments = Array<string>(100).fill(': still thinking\n\n')

describe('a channel’s own limit', () => {
  test('for connecting ends a TLS handshake that hangs, and its connection', async () => {
    const { port, open } = await silentServer()
    const model = channel({ connect_seconds: 0.5 }, `https://127.0.0.1:${port}`)
    const { status, text } = await ask(model)
    expect(status).toBe(504)
    expect(text).toMatch(/connecting to the upstream took longer than 0.5 seconds/)
    await expect.poll(() => open.size).toBe(0)
  })

  test('for the first byte ends the wait for the head', async () => {
    const model = channel({ first_byte_seconds: 0.5 })
    pair.upstream.script({ ending: 'hang-before-headers' })
    const { status, text } = await ask(model)
    expect([status, text]).toEqual([504, expect.stringMatching(/did not begin .* 0.5 seconds/)])
    expect(await pair.upstream.last().ended).toBe('gone')
  })

  test.each([['/v1/chat/completions'], ['/v1/messages']])(
    'for the first byte ends a stream that has comments and no event (%s)',
    async (path) => {
      const model = channel({ first_byte_seconds: 0.5 })
      pair.upstream.script({ chunks: comments, pause: 50 })
      const { status, text } = await ask(model, true, path)
      expect([status, text]).toEqual([504, expect.stringMatching(/did not begin .* 0.5 seconds/)])
    },
  )

  test('for the first byte also holds when the client has been kept waiting with comments', async () => {
    pair.gateway.set({ StreamKeepAliveSeconds: 1 })
    onTestFinished(() => pair.gateway.set({ StreamKeepAliveSeconds: 12 }))
    const model = channel({ first_byte_seconds: 1.8 })
    pair.upstream.script({ chunks: comments, pause: 50 })
    const { status, text } = await ask(model, true)
    expect(status).toBe(200)
    expect(text).toMatch(/did not begin .* 1.8 seconds/)
    expect(text).not.toContain('[DONE]')
  })

  test.each([['/v1/chat/completions'], ['/v1/messages']])(
    'for the first byte leads to the next channel, although a keep-alive would be due before (%s)',
    async (path) => {
      pair.gateway.set({ StreamKeepAliveSeconds: 1, RetryTimes: 1 })
      onTestFinished(() => pair.gateway.set({ StreamKeepAliveSeconds: 12, RetryTimes: 0 }))
      const model = channel({ first_byte_seconds: 1.8 })
      const { baseUrl, type } = { baseUrl: pair.upstream.url, type: 1 }
      pair.gateway.addChannel({ type, baseUrl, models: [model], priority: -1 })
      const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
      pair.upstream.script({ chunks: comments, pause: 50 }, { chunks: [event('there'), end] })
      const { status, text } = await ask(model, true, path)
      expect(status).toBe(200)
      expect(text).toContain('there')
      expect(text).not.toContain('did not begin')
    },
  )

  test('for the first byte is over with the first event', async () => {
    const model = channel({ first_byte_seconds: 2 })
    pair.upstream.script({ chunks: [event('a'), event('b'), 'data: [DONE]\n\n'], pause: 1100 })
    expect((await ask(model, true)).text).toContain('[DONE]')
  })

  test('for silence ends a stream between two events', async () => {
    const model = channel({ idle_seconds: 0.5 })
    pair.upstream.script({ chunks: [event('a')], ending: 'hang' })
    const { text } = await ask(model, true)
    expect(text).toContain('sent nothing for 0.5 seconds')
    expect(text).not.toContain('[DONE]')
  })

  test.each([
    ['/v1/chat/completions', '[DONE]'],
    ['/v1/messages', 'message_stop'],
  ])('in all ends a stream that goes on for ever, honestly (%s)', async (path, terminator) => {
    const model = channel({ total_seconds: 2 })
    pair.upstream.script({ chunks: Array(100).fill(event('a')), pause: 60 })
    const row = await pair.rowAfter(async () => {
      const { status, text } = await ask(model, true, path)
      expect(status).toBe(200)
      expect(text).toMatch(/did not finish its answer within 2 seconds/)
      expect(text).not.toContain(terminator)
    })
    expect(JSON.parse(row.other)).toMatchObject({ error_code: 'upstream_timeout' })
    expect(await pair.upstream.last().ended).toBe('gone')
  })

  test('of 0 is none, whatever the option says', async () => {
    pair.gateway.set({ UpstreamIdleSeconds: 1 })
    onTestFinished(() => pair.gateway.set({ UpstreamIdleSeconds: 300 }))
    const [own, usual] = [channel({ idle_seconds: 0 }), channel({})]
    const body = { choices: [{ message: { content: 'late' } }] }
    pair.upstream.script({ body, delay: 2000 }, { body, delay: 2000 })
    expect((await ask(own)).status).toBe(200)
    expect((await ask(usual)).status).toBe(504)
  })
})

test('a client that takes its time is not held against the upstream, in all nor for silence', async () => {
  const model = channel({ total_seconds: 6, idle_seconds: 2, first_byte_seconds: 2 })
  const chunk = event('x'.repeat(1024 * 1024))
  pair.upstream.script({ chunks: [...Array<string>(40).fill(chunk), 'data: [DONE]\n\n'] })
  const response = await fetch(`${pair.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pair.gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await sleep(7000)
  expect((await response.text()).slice(-200)).toContain('[DONE]')
})

test('an upstream that never closes behind its last event keeps nobody waiting', async () => {
  const model = channel({})
  pair.upstream.script({ chunks: [event('a'), 'data: [DONE]\n\n'], ending: 'hang' })
  const row = await pair.rowAfter(async () => {
    const { text } = await ask(model, true)
    expect(text).toMatch(/\[DONE\]\s*$/)
  })
  expect(JSON.parse(row.other)).not.toHaveProperty('error_code')
  expect(await pair.upstream.last().ended).toBe('gone')
})
