import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { GatewayOptions } from '../../../main/gateway.ts'
import { SystemProxies } from '../../../main/upstream/proxy/system-proxies.ts'
import { connectSocket } from '../../support/clients/socket-client.ts'
import { type Pair, startPair } from '../../support/gateway/pair.ts'
import {
  type ProxyOptions,
  type ProxyServer,
  startConnectProxy,
  startSocksProxy,
} from '../../support/network/proxy-server.ts'
import { makeSelfSigned } from '../../support/network/self-signed.ts'
import { startSocketUpstream } from '../../support/upstreams/socket-upstream.ts'

/** Plays the system: what it says of proxies, what it was asked, and how it tells of another network. */
interface PlayedSystem {
  list: string | Error
  asked: string[]
  change(): void
  source: NonNullable<GatewayOptions['systemProxy']>
}

function playSystem(): PlayedSystem {
  const listeners: (() => void)[] = []
  const system: PlayedSystem = {
    list: 'DIRECT',
    asked: [],
    change: () => {
      for (const listener of listeners) listener()
    },
    source: {
      async resolve(url) {
        system.asked.push(url)
        if (system.list instanceof Error) throw system.list
        return system.list
      },
      onChange: (listener) => void listeners.push(listener),
    },
  }
  return system
}

let system: PlayedSystem
let pair: Pair

beforeEach(async () => {
  system = playSystem()
  pair = await startPair({ empty: true, gateway: { systemProxy: system.source } })
  pair.gateway.set({ RetryTimes: 0, ChannelFailureCount: 0, UseSystemProxy: true })
})
afterEach(() => pair.close())

async function proxied(start = startConnectProxy, options: ProxyOptions = {}) {
  const leadTo = Number(new URL(pair.upstream.url).port)
  const proxy = await start({ leadTo, ...options })
  onTestFinished(() => proxy.close())
  return proxy
}

const entry = (kind: string, { port }: ProxyServer) => `${kind} 127.0.0.1:${port}`

/** Entry of a proxy that has ended. */
async function deadEntry(): Promise<string> {
  const gone = await startConnectProxy()
  await gone.close()
  return entry('PROXY', gone)
}

let models = 0

function channel(fields: object = {}): string {
  const model = `model-${++models}`
  pair.gateway.addChannel({
    ...{ type: 1, baseUrl: 'http://vendor.test:8000', models: [model] },
    settings: { connect_seconds: 2 },
    ...fields,
  })
  return model
}

const call = (model: string, fields: object = {}) =>
  pair.send('/v1/chat/completions', { body: { model, messages: [{ role: 'user' }], ...fields } })

const body = { choices: [{ message: { content: 'Hello' } }] }
const headers = { connection: 'keep-alive', 'keep-alive': 'timeout=30' }

test('a call takes the proxy that the system names for the origin, and tells it no more than that', async () => {
  const proxy = await proxied()
  system.list = entry('PROXY', proxy)
  pair.upstream.script({ body }, { body })
  const model = channel({ baseUrl: 'http://vendor.test:8000/some/path' })
  expect((await call(model)).json()).toMatchObject(body)
  expect((await call(model)).status).toBe(200)
  expect(proxy.visits[0]).toEqual({ target: 'vendor.test:8000', login: '' })
  expect(system.asked).toEqual(['http://vendor.test:8000/'])
})

test('without the option, and with a proxy of its own, the system is not asked', async () => {
  const own = await proxied()
  system.list = await deadEntry()
  pair.upstream.script({ body }, { body })
  expect((await call(channel({ setting: { proxy: own.url } }))).status).toBe(200)
  pair.gateway.set({ UseSystemProxy: false })
  expect((await call(channel({ baseUrl: pair.upstream.url }))).status).toBe(200)
  expect(system.asked).toEqual([])
})

test.each([
  ['HTTPS', (options?: ProxyOptions) => startConnectProxy({ ...options, certificate })],
  ['SOCKS5', startSocksProxy],
])('%s proxies are spoken to, for WebSockets too', async (kind, start) => {
  pair.gateway.set({ ExtraCaCertificates: certificate.cert })
  const upstream = await startSocketUpstream({
    onFrame: ({ data }, { socket }) => socket.send(data, { binary: false }),
  })
  onTestFinished(() => upstream.close())
  const proxy = await proxied(start, { leadTo: Number(new URL(upstream.url).port) })
  system.list = `${entry(kind, proxy)};DIRECT`
  const model = channel({ settings: { endpoint_types: ['realtime'] } })
  const client = await connectSocket(pair.gateway.url, `/v1/realtime?model=${model}`, {
    headers: { authorization: `Bearer ${pair.gateway.key}` },
  })
  client.say({ type: 'session.update' })
  expect(await client.heard(1)).toEqual([{ type: 'session.update' }])
  expect(proxy.visits.map(({ target }) => target)).toEqual(['vendor.test:8000'])
  client.raw.close()
  await client.ended
})

const certificate = makeSelfSigned()

test('the next way is taken where a proxy is gone, silent or none', async () => {
  const [silent, nonsense, good] = [
    await proxied(startConnectProxy, { fault: 'silent' }),
    await proxied(startConnectProxy, { fault: 'speaks-nonsense' }),
    await proxied(startSocksProxy),
  ]
  system.list = [
    ...[await deadEntry(), entry('PROXY', silent), entry('PROXY', nonsense)],
    entry('SOCKS5', good),
  ].join('; ')
  // The connection isn't kept: the second call has to find its way anew.
  pair.upstream.script({ body, headers: { connection: 'close' } }, { body })
  const model = channel()
  expect((await call(model)).status).toBe(200)
  // Those that failed come last from now on: nobody waits for the silent one again.
  const tried = silent.connections()
  expect((await call(model)).status).toBe(200)
  expect([tried, silent.connections()]).toEqual([1, 1])
  expect(silent.open()).toBe(0)
})

test('past a dead proxy a call goes straight only where the system says DIRECT', async () => {
  const dead = await deadEntry()
  const model = channel({ baseUrl: pair.upstream.url })
  system.list = dead
  const refused = await call(model)
  expect(refused.text).toMatch(/the proxy cannot be used: nothing listens/)
  expect(pair.upstream.requests).toEqual([])
  system.list = `${dead}; DIRECT`
  system.change()
  pair.upstream.script({ body })
  expect((await call(model)).status).toBe(200)
})

test('a proxy that says no is not gone around', async () => {
  const strict = await proxied(startConnectProxy, { fault: 'refuses' })
  system.list = `${entry('PROXY', strict)}; DIRECT`
  const { status, text } = await call(channel({ baseUrl: pair.upstream.url }))
  expect([status, text]).toEqual([502, expect.stringContaining('refused to connect')])
  expect(pair.upstream.requests).toEqual([])
})

test('another network asks anew; a stream under way goes on by its old way', async () => {
  const [old, next] = [await proxied(), await proxied()]
  const model = channel()
  system.list = entry('PROXY', old)
  const chunks = ['data: {"choices":[]}\n\n', 'data: [DONE]\n\n']
  pair.upstream.script({ body, headers }, { body, headers }, { chunks, pause: 300 })
  await call(model)
  system.list = entry('PROXY', next)
  system.change()
  // Not by the connection that the old proxy keeps.
  expect((await call(model)).status).toBe(200)
  expect([old.visits.length, next.visits.length]).toEqual([1, 1])
  const streamed = call(model, { stream: true })
  await expect.poll(() => pair.upstream.requests).toHaveLength(3)
  system.change()
  expect((await streamed).text).toContain('[DONE]')
})

test('what the system changes without saying so is noticed within a minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await pair.close()
  pair = await startPair({ empty: true, gateway: { systemProxy: system.source } })
  pair.gateway.set({ UseSystemProxy: true })
  const [old, next] = [await proxied(), await proxied()]
  const model = channel()
  system.list = entry('PROXY', old)
  pair.upstream.script({ body, headers }, { body, headers }, { body })
  await call(model)
  vi.advanceTimersByTime(60_000)
  await call(model)
  system.list = entry('PROXY', next)
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => system.asked).toHaveLength(3)
  await new Promise((resolve) => setImmediate(resolve))
  expect((await call(model)).status).toBe(200)
  expect([old.visits.length, next.visits.length]).toEqual([1, 1])
})

test.each([
  ['', /settings name neither a proxy/],
  ['SOCKS old.test:1080', /name only proxies of kinds that are not supported/],
  [new Error('gone'), /settings could not be read/],
])('a system that says %j stops the call, and nothing goes past it', async (list, sentence) => {
  system.list = list
  const { status, text } = await call(channel({ baseUrl: pair.upstream.url }))
  expect([status, text]).toEqual([502, expect.stringMatching(sentence)])
  expect(pair.upstream.requests).toEqual([])
  // Not kept: the next call asks again.
  system.list = 'DIRECT'
  pair.upstream.script({ body })
  expect((await call(channel({ baseUrl: pair.upstream.url }))).status).toBe(200)
})

test('a system that does not answer is waited for no longer than for a connection', async () => {
  system.source.resolve = () => new Promise(() => {})
  const { status, text } = await call(channel({ settings: { connect_seconds: 0.3 } }))
  expect([status, text]).toEqual([504, expect.stringContaining('within 0.3 seconds')])
})

test('an answer that never comes holds up neither a later call nor the news of other origins', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { source } = system
  const { resolve } = source
  const never = new Promise<string>(() => {})
  source.resolve = (url) => (url.includes('silent') ? never : resolve(url))
  const proxies = new SystemProxies(source)
  onTestFinished(() => proxies.stop())
  const silent = expect(proxies.find('https://silent.test')).rejects.toThrow(/could not be read/)
  await proxies.find('https://other.test')
  await vi.advanceTimersByTimeAsync(30_000)
  await silent
  // Known once, silent from now on.
  source.resolve = resolve
  expect(await proxies.find('https://silent.test')).toEqual([null])
  source.resolve = (url) => (url.includes('silent') ? never : resolve(url))
  await proxies.find('https://other.test')
  system.list = 'PROXY 127.0.0.1:8080'
  await vi.advanceTimersByTimeAsync(90_000)
  expect(proxies.version).toBe(1)
  expect(await proxies.find('https://silent.test')).toEqual([null])
})
