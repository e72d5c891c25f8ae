import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ChannelSetting } from '../../../main/store/records/channels.ts'
import { connectSocket, refusedUpgrade } from '../../support/clients/socket-client.ts'
import { type Pair, startPair } from '../../support/gateway/pair.ts'
import {
  type ProxyOptions,
  type ProxyServer,
  startConnectProxy,
  startSocksProxy,
} from '../../support/network/proxy-server.ts'
import { makeSelfSigned } from '../../support/network/self-signed.ts'
import { startSocketUpstream } from '../../support/upstreams/socket-upstream.ts'

const certificate = makeSelfSigned()
let pair: Pair

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.gateway.set({ RetryTimes: 0 })
})
afterAll(() => pair.close())

const startTlsProxy = (options: ProxyOptions = {}) => startConnectProxy({ ...options, certificate })

type Start = (options?: ProxyOptions) => Promise<ProxyServer>

const kinds: [string, Start][] = [
  ['an HTTP proxy', startConnectProxy],
  ['an HTTPS proxy', startTlsProxy],
  ['a SOCKS proxy', startSocksProxy],
]

async function proxied(start: Start, options: ProxyOptions = {}): Promise<ProxyServer> {
  const proxy = await start(options)
  onTestFinished(() => proxy.close())
  return proxy
}

let models = 0

/** A channel of its own, with the name of its only model. */
function channel(setting: ChannelSetting, fields: object = {}): string {
  const model = `model-${++models}`
  pair.gateway.addChannel({
    type: 1,
    baseUrl: 'http://vendor.test:8000',
    models: [model],
    setting,
    ...fields,
  })
  return model
}

const call = (model: string, stream = false) =>
  pair.send('/v1/chat/completions', { body: { model, stream, messages: [{ role: 'user' }] } })

/** A call's attempts, as administrators see them. */
const attemptsOf = (answer: { id: string }): string =>
  JSON.stringify(JSON.parse(pair.rowsOf(answer)[0]?.other ?? '{}').admin_info.route.attempts)

const upstreamPort = () => Number(new URL(pair.upstream.url).port)
const answer = { choices: [{ message: { content: 'Hello' } }] }
const events = ['data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n', 'data: [DONE]\n\n']

/** With user and password before the host. */
const withLogin = (url: string, login: string) => url.replace('://', `://${login}@`)

/** Node reads it at every connection: certificates that nobody signed are taken. */
function trustAll(): void {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
}

describe.each(kinds)('%s', (_, start) => {
  test('carries a call and a stream to a host whose name only it knows', async () => {
    trustAll()
    const proxy = await proxied(start, { leadTo: upstreamPort() })
    const model = channel({ proxy: proxy.url })
    pair.upstream.script({ body: answer }, { chunks: events })
    expect((await call(model)).json()).toMatchObject(answer)
    expect((await call(model, true)).text).toContain('[DONE]')
    expect(proxy.visits[0]).toEqual({ target: 'vendor.test:8000', login: '' })
    expect(pair.upstream.last().headers.host).toBe('vendor.test:8000')
  })

  test('that asks for a login gets it, and nobody else sees it', async () => {
    trustAll()
    const proxy = await proxied(start, { leadTo: upstreamPort(), login: 'ada:p@ss:word' })
    pair.upstream.script({ body: answer })
    const right = withLogin(proxy.url, 'ada:p%40ss%3Aword')
    expect((await call(channel({ proxy: right }))).status).toBe(200)
    expect(pair.upstream.last().headers['proxy-authorization']).toBeUndefined()
    const refused = await call(channel({ proxy: withLogin(proxy.url, 'ada:secret1') }))
    expect(refused.status).toBe(502)
    expect(refused.text).toMatch(/the proxy refuses its user and password/)
    expect(attemptsOf(refused)).toMatch(/The proxy at .*:\d+ refuses its user and password/)
    const stranger = await call(channel({ proxy: proxy.url }))
    expect(stranger.text).toContain('asks for a user and password')
    expect(refused.text + JSON.stringify(pair.rowsOf(refused))).not.toContain('secret1')
  })

  test('that knows a user without a password lets them in', async () => {
    trustAll()
    const proxy = await proxied(start, { leadTo: upstreamPort(), login: 'ada:' })
    pair.upstream.script({ body: answer })
    const { status } = await call(channel({ proxy: withLogin(proxy.url, 'ada') }))
    expect([status, proxy.visits[0]?.login]).toEqual([200, 'ada:'])
  })

  test('carries a WebSocket', async () => {
    trustAll()
    const upstream = await startSocketUpstream({
      onFrame: ({ data }, { socket }) => socket.send(data, { binary: false }),
    })
    onTestFinished(() => upstream.close())
    const proxy = await proxied(start, { leadTo: Number(new URL(upstream.url).port) })
    const settings = { endpoint_types: ['realtime'] }
    const model = channel({ proxy: proxy.url }, { settings })
    const client = await connectSocket(pair.gateway.url, `/v1/realtime?model=${model}`, {
      headers: { authorization: `Bearer ${pair.gateway.key}` },
    })
    client.say({ type: 'session.update' })
    expect(await client.heard(1)).toEqual([{ type: 'session.update' }])
    expect(proxy.visits).toHaveLength(1)
    client.raw.close()
    await client.ended
  })

  test('carries TLS to the upstream, and its faults are told as the upstream’s', async () => {
    const server = createServer(certificate, (_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    const proxy = await proxied(start, { leadTo: port })
    const model = channel({ proxy: proxy.url }, { baseUrl: 'https://vendor.test' })
    const untrusted = await call(model)
    expect(untrusted.text).toMatch(/its certificate is self-signed: .*ExtraCaCertificates/)
    trustAll()
    expect((await call(model)).json()).toMatchObject(answer)
    expect(proxy.visits.at(-1)?.target).toBe('vendor.test:443')
  })

  test('that is in trouble is named, and never waited for without end', async () => {
    trustAll()
    const tell = async (options: ProxyOptions, settings = {}) => {
      const proxy = await proxied(start, options)
      const answer = await call(channel({ proxy: proxy.url }, { settings }))
      expect(answer.text).not.toContain('127.0.0.1')
      return { status: answer.status, told: attemptsOf(answer), proxy }
    }
    const silent = await tell({ fault: 'silent' }, { connect_seconds: 0.4 })
    expect(silent.status).toBe(504)
    expect(silent.told).toMatch(/through the proxy at .* took longer than 0.4 seconds/)
    expect((await tell({ fault: 'refuses' })).told).toMatch(
      /The proxy at .* (refused to connect to vendor.test:8000: status 403|could not connect to vendor.test:8000: its rules)/,
    )
    for (const fault of ['speaks-nonsense', 'closes'] as const) {
      const { status, told } = await tell({ fault })
      expect([fault, status, told]).toEqual([fault, 502, expect.stringMatching(/The proxy at/)])
    }
    await expect.poll(() => silent.proxy.open()).toBe(0)
    const gone = await start()
    await gone.close()
    const answered = await call(channel({ proxy: gone.url }))
    expect([answered.status, attemptsOf(answered)]).toEqual([
      ...[502, expect.stringMatching(/proxy at .*nothing listens/)],
    ])
    expect(answered.text).toMatch(/the proxy cannot be used: nothing listens at its address/)
  })

  test('carries no call whose client left before the way was open', async () => {
    trustAll()
    let open = () => {}
    const after = new Promise<void>((resolve) => {
      open = resolve
    })
    const proxy = await proxied(start, { leadTo: upstreamPort(), after })
    const body = { model: channel({ proxy: proxy.url }), messages: [{ role: 'user' }] }
    const leaving = new AbortController()
    const before = pair.upstream.requests.length
    const asked = pair.send('/v1/chat/completions', { body, signal: leaving.signal })
    await expect.poll(() => proxy.open()).toBe(1)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => pair.gateway.parts.openCalls.size).toBe(0)
    open()
    // The way is kept for the next call, which is the first that the vendor hears of.
    await expect.poll(() => proxy.visits).toHaveLength(1)
    pair.upstream.script({ body: answer })
    expect((await pair.send('/v1/chat/completions', { body })).status).toBe(200)
    expect(pair.upstream.requests).toHaveLength(before + 1)
  })

  test('lets go of the upstream when its client leaves', async () => {
    trustAll()
    const proxy = await proxied(start, { leadTo: upstreamPort() })
    const model = channel({ proxy: proxy.url })
    pair.upstream.script({ chunks: events.slice(0, 1), ending: 'hang' })
    const leaving = new AbortController()
    const count = pair.upstream.requests.length
    const body = { model, stream: true, messages: [{ role: 'user' }] }
    const asked = pair.send('/v1/chat/completions', { body, signal: leaving.signal })
    await expect.poll(() => pair.upstream.requests).toHaveLength(count + 1)
    const left = performance.now()
    leaving.abort()
    await expect(asked).rejects.toThrow()
    expect(await pair.upstream.last().ended).toBe('gone')
    expect(performance.now() - left).toBeLessThan(10_000)
    await expect.poll(() => proxy.open()).toBe(0)
  })
})

test.each(['IPv6', 'name'] as const)(
  'a SOCKS proxy may tell where it connects from by %s',
  async (tells) => {
    const proxy = await proxied(startSocksProxy, { leadTo: upstreamPort(), tells })
    pair.upstream.script({ body: answer })
    expect((await call(channel({ proxy: proxy.url }))).json()).toMatchObject(answer)
  },
)

test('an edited proxy is used from the next call on, and the old one’s connections are closed', async () => {
  const [old, next] = await Promise.all(
    [0, 1].map(() => proxied(startConnectProxy, { leadTo: upstreamPort() })),
  )
  if (!old || !next) throw new Error('No proxies.')
  const model = channel({ proxy: old.url })
  const id = pair.gateway.parts.channels.all().at(-1)?.id ?? 0
  const headers = { connection: 'keep-alive', 'keep-alive': 'timeout=3' }
  pair.upstream.script({ body: answer, headers }, { body: answer })
  await call(model)
  expect(old.open()).toBe(1)
  pair.gateway.parts.channels.update(id, { setting: { proxy: next.url } })
  await call(model)
  expect([old.visits.length, next.visits.length]).toEqual([1, 1])
  await expect.poll(() => old.open()).toBe(0)
})

test('a proxy that cannot be read stops the call: nothing goes past the proxy', async () => {
  const before = pair.upstream.requests.length
  const model = channel({ proxy: 'gopher://old.test' }, { baseUrl: pair.upstream.url })
  const { status, text } = await call(model)
  expect([status, text]).toEqual([
    502,
    expect.stringContaining('is of a kind that is not supported'),
  ])
  const socket = channel(
    { proxy: 'gopher://old.test' },
    { baseUrl: pair.upstream.url, settings: { endpoint_types: ['realtime'] } },
  )
  const refused = await refusedUpgrade(pair.gateway.url, `/v1/realtime?model=${socket}`, {
    authorization: `Bearer ${pair.gateway.key}`,
  })
  expect(refused.text).toContain('is of a kind that is not supported')
  expect(pair.upstream.requests).toHaveLength(before)
})

describe('the system’s proxy variables', () => {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']
  const set = (values: Record<string, string>) => {
    for (const name of names) {
      vi.stubEnv(name, values[name] ?? '')
      vi.stubEnv(name.toLowerCase(), values[name.toLowerCase()] ?? '')
    }
    onTestFinished(() => void vi.unstubAllEnvs())
  }

  test('are taken where the owner wants it, but for this machine and for NO_PROXY', async () => {
    const proxy = await proxied(startConnectProxy, { leadTo: upstreamPort() })
    set({
      HTTP_PROXY: proxy.url,
      NO_PROXY: 'other.test, .inside.invalid, *.wild.invalid, usual.invalid:80, odd.test:81',
    })
    const settings = { connect_seconds: 5 }
    const named = channel({}, { settings })
    const near = channel({}, { baseUrl: pair.upstream.url, settings })
    const inside = channel({}, { baseUrl: 'http://a.inside.invalid', settings })
    const wild = channel({}, { baseUrl: 'http://a.wild.invalid', settings })
    // It only ends like a name of NO_PROXY.
    const outside = channel({}, { baseUrl: 'http://not-other.test', settings })
    // Without a port the address has its scheme's.
    const usual = channel({}, { baseUrl: 'http://usual.invalid', settings })
    const odd = channel({}, { baseUrl: 'http://odd.test', settings })
    expect((await call(named)).text).toContain('host name')
    pair.gateway.set({ UseSystemProxy: true })
    onTestFinished(() => pair.gateway.set({ UseSystemProxy: false }))
    pair.upstream.script(...Array.from({ length: 4 }, () => ({ body: answer })))
    expect((await call(named)).status).toBe(200)
    expect((await call(near)).status).toBe(200)
    expect((await call(inside)).text).toContain('host name')
    expect((await call(wild)).text).toContain('host name')
    expect((await call(outside)).status).toBe(200)
    expect((await call(usual)).text).toContain('host name')
    expect((await call(odd)).status).toBe(200)
    expect(proxy.visits.map(({ target }) => target)).toEqual([
      'vendor.test:8000',
      'not-other.test:80',
      'odd.test:80',
    ])
  })

  test('that are wrong say so', async () => {
    set({ all_proxy: 'gopher://old.test' })
    pair.gateway.set({ UseSystemProxy: true })
    onTestFinished(() => pair.gateway.set({ UseSystemProxy: false }))
    const { text } = await call(channel({}))
    expect(text).toContain("The system's proxy variables (HTTP_PROXY or ALL_PROXY) are wrong.")
  })
})
