import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkedAddresses } from '../../../main/upstream/connect/checked-lookup.ts'
import { environmentProxy } from '../../../main/upstream/proxy/environment-proxy.ts'
import { openHttpTunnel } from '../../../main/upstream/proxy/http-tunnel.ts'
import { hideProxyPassword, readProxy } from '../../../main/upstream/proxy/read-proxy.ts'

test.each([
  ['https://vendor.test/v1', 'http://secure.test:3128'],
  ['wss://vendor.test/v1', 'http://secure.test:3128'],
  ['http://vendor.test/v1', 'http://plain.test:3128'],
  ['ws://vendor.test/v1', 'http://plain.test:3128'],
])('%s goes through the proxy that the system names for it', (url, proxy) => {
  for (const name of [
    'https_proxy',
    'http_proxy',
    'all_proxy',
    'ALL_PROXY',
    'no_proxy',
    'NO_PROXY',
  ])
    vi.stubEnv(name, '')
  vi.stubEnv('HTTPS_PROXY', 'http://secure.test:3128')
  vi.stubEnv('HTTP_PROXY', 'http://plain.test:3128')
  expect(environmentProxy(url)).toBe(proxy)
})

test.each([
  ['http://ada:secret@proxy.test:8080', 'http://ada:***@proxy.test:8080/'],
  ['proxy.test:8080', 'proxy.test:8080'],
  ['ftp://ada:secret@proxy.test', '***'],
  ['no address at all', '***'],
])('of a proxy such as %s no password is shown', (text, shown) => {
  expect(hideProxyPassword(text)).toBe(shown)
})

test('what an upstream says first comes through, though the proxy sends it with its own answer', async () => {
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write('HTTP/1.1 200 Connected\r\n\r\nhello'))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as AddressInfo
  const { signal } = new AbortController()
  const socket = await openHttpTunnel(readProxy(`http://127.0.0.1:${port}`), 'vendor.test:443', {
    signal,
  })
  expect(String((await once(socket, 'data'))[0])).toBe('hello')
  socket.destroy()
})

test('nobody waits for a name to be looked up for a call that is given up', async () => {
  const controller = new AbortController()
  const looked = checkedAddresses('localhost', () => {}, controller.signal)
  const reason = new Error('Given up.')
  controller.abort(reason)
  await expect(looked).rejects.toBe(reason)
})
