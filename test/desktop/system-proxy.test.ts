import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callOperation } from '../support/desktop/call-operation.ts'
import { type Desktop, launchDesktop, temporaryFolder } from '../support/desktop/launch-desktop.ts'
import { type ProxyServer, startConnectProxy } from '../support/network/proxy-server.ts'
import { type ScriptedUpstream, startUpstream } from '../support/upstreams/scripted-upstream.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let folder: { path: string; remove(): void }
let upstream: ScriptedUpstream
let desktop: Desktop
const proxies: ProxyServer[] = []

beforeEach(async () => {
  folder = temporaryFolder()
  upstream = await startUpstream(() => ({ body: { data: [{ id: 'gpt-a' }] } }))
  desktop = await launchDesktop({ folder: folder.path, page: 'none' })
})

afterEach(async () => {
  await desktop.close()
  await Promise.all([upstream.close(), ...proxies.splice(0).map((proxy) => proxy.close())])
  folder.remove()
})

async function startProxy(): Promise<ProxyServer> {
  const proxy = await startConnectProxy({ leadTo: Number(new URL(upstream.url).port) })
  proxies.push(proxy)
  return proxy
}

const setSystemProxy = (proxyRules: string) =>
  desktop.evaluate(
    ({ session }, rules) =>
      session.defaultSession.setProxy({ mode: 'fixed_servers', proxyRules: rules }),
    proxyRules,
  )

/** The gateway's result of asking a vendor for its models, under a name that only a proxy knows. */
const askVendor = () =>
  callOperation(desktop, 'channel.fetch-models', {
    ...{ type: 1, key: 'vendor-key', base_url: 'http://vendor.test:8000' },
  })

test('a vendor is asked through the proxies of the system, and after a sleep through its new ones', async () => {
  const [old, next, gone] = [await startProxy(), await startProxy(), await startProxy()]
  await gone.close()
  proxies.splice(proxies.indexOf(gone), 1)
  await callOperation(desktop, 'setup.run', {})
  await callOperation(desktop, 'option.update', { key: 'UseSystemProxy', value: true })

  await setSystemProxy(`http://127.0.0.1:${gone.port},http://127.0.0.1:${old.port}`)
  expect(await askVendor()).toEqual(['gpt-a'])
  expect(old.visits.map(({ target }) => target)).toEqual(['vendor.test:8000'])

  await setSystemProxy(`http://127.0.0.1:${next.port}`)
  await desktop.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'), null)
  expect(await askVendor()).toEqual(['gpt-a'])
  expect([old.visits.length, next.visits.length]).toEqual([1, 1])
})
