import type { LookupAddress } from 'node:dns'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SystemProxySource } from '../../../main/upstream/proxy/system-proxies.ts'
import { type Pair, startPair } from '../../support/gateway/pair.ts'
import { makeAuthority } from '../../support/network/own-authority.ts'
import {
  type ProxyServer,
  startConnectProxy,
  startSocksProxy,
} from '../../support/network/proxy-server.ts'
import { startTlsFront } from '../../support/network/tls-front.ts'

/** The resolver's addresses for each name. */
const addresses = new Map<string, string[]>()
const lookups: string[] = []

vi.mock('node:dns', async (load) => {
  const real = await load<typeof import('node:dns')>()
  type Callback = (error: Error | null, found: LookupAddress[]) => void
  return {
    ...real,
    lookup(host: string, _options: object, callback: Callback) {
      lookups.push(host)
      const list = addresses.get(host)
      const error = Object.assign(new Error('not known'), { code: 'ENOTFOUND' })
      const found = (list ?? []).map((address) => ({
        ...{ address, family: address.includes(':') ? 6 : 4 },
      }))
      process.nextTick(() => callback(list ? null : error, found))
    },
  }
})

addresses.set('intranet.test', ['10.0.0.5'])
addresses.set('mixed.test', ['8.8.8.8', '192.168.1.1'])
addresses.set('metadata.test', ['169.254.169.254'])
addresses.set('vendor.test', ['2606:4700::1111', '8.8.8.8'])

const body = { choices: [{ message: { content: 'Hello' } }] }
const { ca, server } = makeAuthority()
let models = 0

const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']

describe.each([
  ['the environment’s proxy', startConnectProxy, 'environment'],
  ['the environment’s SOCKS proxy', startSocksProxy, 'environment'],
  ['the desktop’s proxy', startConnectProxy, 'desktop'],
] as const)('through %s', (_, start, kind) => {
  let pair: Pair
  let proxy: ProxyServer

  beforeAll(async () => {
    const source: SystemProxySource = {
      resolve: async () => `PROXY 127.0.0.1:${proxy.port}`,
      onChange: () => {},
    }
    pair = await startPair({
      empty: true,
      gateway: kind === 'desktop' ? { systemProxy: source } : {},
    })
    pair.gateway.set({ RetryTimes: 0, ChannelFailureCount: 0, UseSystemProxy: true })
    proxy = await start({ leadTo: Number(new URL(pair.upstream.url).port) })
  })
  afterAll(async () => void (await Promise.all([pair.close(), proxy.close()])))
  beforeEach(() => {
    lookups.length = 0
    proxy.visits.length = 0
    nameProxy()
  })

  /** Nothing of these tests may leave this machine, so there is always a proxy. */
  function nameProxy(): void {
    if (kind === 'desktop') return
    for (const name of variables) {
      vi.stubEnv(name, name === 'ALL_PROXY' ? proxy.url : '')
      vi.stubEnv(name.toLowerCase(), '')
    }
  }

  async function call(baseUrl: string, publicOnly: boolean) {
    const model = `model-${++models}`
    pair.gateway.addChannel({ type: 1, baseUrl, models: [model], publicOnly })
    const messages = [{ role: 'user' }]
    const answer = await pair.send('/v1/chat/completions', { body: { model, messages } })
    const other = JSON.parse(pair.rowsOf(answer)[0]?.other ?? '{}')
    return { status: answer.status, told: JSON.stringify(other.admin_info) }
  }
  const targets = () => proxy.visits.map(({ target }) => target)

  test.each(['intranet.test', 'mixed.test', 'metadata.test', '10.0.0.7', '[fd00::1]'])(
    'an administrator’s channel does not reach the private address of %s',
    async (host) => {
      const { status, told } = await call(`http://${host}:8000`, true)
      expect([status, targets()]).toEqual([502, []])
      expect(told).toMatch(/private network|link-local/)
    },
  )

  test('an administrator’s channel is asked for by the address that was checked, IPv4 first', async () => {
    pair.upstream.script({ body })
    expect((await call('http://vendor.test:8000', true)).status).toBe(200)
    expect([lookups, targets()]).toEqual([['vendor.test'], ['8.8.8.8:8000']])
    expect(pair.upstream.last().headers.host).toBe('vendor.test:8000')
  })

  test('its TLS is still with the name, whose certificate is looked at', async () => {
    const front = await startTlsFront(pair.upstream.url, server)
    const secure = await start({ leadTo: front.port })
    pair.gateway.set({ ExtraCaCertificates: ca })
    const before = proxy
    proxy = secure
    nameProxy()
    onTestFinished(async () => {
      pair.gateway.set({ ExtraCaCertificates: '' })
      proxy = before
      await Promise.all([front.close(), secure.close()])
    })
    pair.upstream.script({ body })
    expect((await call('https://vendor.test:8443', true)).status).toBe(200)
    expect(targets()).toEqual(['8.8.8.8:8443'])
    addresses.set('elsewhere.test', ['8.8.4.4'])
    expect((await call('https://elsewhere.test:8443', true)).told).toContain('another host name')
  })

  test('a name that only the proxy knows is the owner’s to enter', async () => {
    const refused = await call('http://inside.test:8000', true)
    expect([refused.status, targets()]).toEqual([502, []])
    expect(refused.told).toContain("can't look up the host name inside.test")
    pair.upstream.script({ body })
    expect((await call('http://inside.test:8000', false)).status).toBe(200)
    expect(targets()).toEqual(['inside.test:8000'])
  })

  test('a connection that the owner’s channel keeps is not an administrator’s', async () => {
    const headers = { connection: 'keep-alive', 'keep-alive': 'timeout=30' }
    pair.upstream.script({ body, headers })
    expect((await call('http://intranet.test:8000', false)).status).toBe(200)
    expect((await call('http://intranet.test:8000', true)).status).toBe(502)
    expect(targets()).toEqual(['intranet.test:8000'])
  })
})
