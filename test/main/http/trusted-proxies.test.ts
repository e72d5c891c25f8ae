import net from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addressGroup } from '../../../main/base/net/address-list.ts'
import { readOptions } from '../../../main/options.ts'
import { startTestGateway } from '../../support/gateway/start-test-gateway.ts'
import { OWNER, startManagement, startUnset } from '../manage/management.ts'

const PUBLIC = 'gateway.example.com'

/** One request, byte for byte, since fetch chooses Host and HTTP version itself; gives status and headers. */
function send(
  { port }: { port: number },
  headers: Record<string, string>,
  { path = '/api/user/login', body = {}, version = '1.1' }: Partial<Sent> = {},
): Promise<{ status: number; text: string }> {
  const content = JSON.stringify(body)
  const lines = Object.entries({
    ...{ host: `127.0.0.1:${port}`, 'content-type': 'application/json', connection: 'close' },
    'content-length': String(Buffer.byteLength(content)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1')
    let text = ''
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve({ status: Number(text.slice(9, 12)), text }))
    socket.write(`POST ${path} HTTP/${version}\r\n${lines.join('')}\r\n${content}`)
  })
}

interface Sent {
  path: string
  body: object
  version: '1.0' | '1.1'
}

const FIRST_RUN = { ...OWNER, confirmPassword: OWNER.password }

describe('the first run', () => {
  test.each([
    ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.9' }, '1.1'],
    ['X-Forwarded-Proto', { 'x-forwarded-proto': 'https' }, '1.1'],
    ['X-Real-IP', { 'x-real-ip': '203.0.113.9' }, '1.1'],
    ['Via', { via: '1.1 proxy' }, '1.1'],
    ['the public host name', { host: PUBLIC }, '1.1'],
    ["nginx's HTTP/1.0", {}, '1.0'],
  ] as const)(
    'is closed to a proxy on this machine that shows by %s',
    async (_, headers, version) => {
      const { gateway } = await startUnset()
      gateway.parts.settings.update({ AllowedHosts: [PUBLIC] })
      const { status } = await send(gateway, headers, {
        path: '/api/setup',
        body: FIRST_RUN,
        version,
      })
      expect(status).toBe(403)
      expect(gateway.parts.users.all()).toEqual([])
    },
  )

  test('is closed to a proxy that shows by nothing but is named', async () => {
    const { gateway } = await startUnset({ trustedProxies: ['127.0.0.1'] })
    const { status } = await send(gateway, {}, { path: '/api/setup', body: FIRST_RUN })
    expect(status).toBe(403)
  })

  test('is open to a call from the machine itself', async () => {
    const { gateway } = await startUnset()
    const { status } = await send(gateway, {}, { path: '/api/setup', body: FIRST_RUN })
    expect(status).toBe(200)
  })
})

describe("the client's address", () => {
  const call = async (forwarded: string, trusted: string[], allowIps: string[]) => {
    const gateway = await startTestGateway()
    onTestFinished(() => gateway.close())
    gateway.set({ TrustedProxies: trusted })
    gateway.addChannel({ type: 900, models: ['echo'] })
    const token = gateway.addToken({ allowIps })
    const { status } = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token.full}`, 'content-type': 'application/json' },
        'x-forwarded-for': forwarded,
      },
      body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'hi' }] }),
    })
    const [row] = await gateway.rowsWhen(1)
    return { status, ip: row?.ip }
  }

  test.each([
    ['is what a trusted proxy says', '203.0.113.9', ['127.0.0.1'], '203.0.113.9'],
    ['may come with a port', '203.0.113.9:50123', ['127.0.0.1'], '203.0.113.9'],
    ['may be IPv6', '[2001:db8::9]:443', ['127.0.0.0/8'], '2001:db8::9'],
    [
      'skips a chain of trusted proxies',
      '203.0.113.9, 10.1.1.1',
      ['127.0.0.1', '10.0.0.0/8'],
      '203.0.113.9',
    ],
    ['is not what the client itself wrote', '10.9.9.9, 203.0.113.9', ['127.0.0.1'], '203.0.113.9'],
    ['is the proxy where it sends rubbish', 'unknown', ['127.0.0.1'], '127.0.0.1'],
    ['is the connection where nobody is trusted', '203.0.113.9', [], '127.0.0.1'],
  ])('%s', async (_, forwarded, trusted, ip) => {
    const inside = await call(forwarded, trusted, [ip])
    expect(inside).toEqual({ status: 200, ip })
    expect((await call(forwarded, trusted, ['192.0.2.1'])).status).toBe(403)
  })

  test('stands in the list of sessions and in the log of logins', async () => {
    const { gateway, visitor } = await startManagement()
    gateway.parts.settings.update({ TrustedProxies: ['127.0.0.1'] })
    const browser = visitor()
    const from = { 'x-forwarded-for': '203.0.113.9' }
    await browser.send('POST', '/api/user/login', { ...OWNER, password: 'wrong' }, from)
    await browser.send('POST', '/api/user/login', OWNER, from)
    const { data } = (await browser.get('/api/user/sessions')).body
    expect(data.find(({ current }: { current: boolean }) => current).ip).toBe('203.0.113.9')
    const { items } = gateway.parts.ledger.list({}, { page: 1, pageSize: 10 })
    expect(items.map(({ ip }) => ip)).toContain('203.0.113.9')
  })
})

describe('behind TLS', () => {
  const login = async (headers: Record<string, string>, trusted: string[] = []) => {
    const { gateway } = await startManagement()
    gateway.parts.settings.update({ AllowedHosts: [PUBLIC], TrustedProxies: trusted })
    return send(gateway, { host: PUBLIC, ...headers }, { body: OWNER })
  }

  test.each([
    ['a page that was loaded by https', { origin: `https://${PUBLIC}` }, []],
    ['the word of a trusted proxy', { 'x-forwarded-proto': 'https' }, ['127.0.0.1']],
  ])('cookies are Secure by %s', async (_, headers, trusted) => {
    const { status, text } = await login(headers, trusted)
    expect(status).toBe(200)
    const cookies = text.match(/^set-cookie: .*$/gim) ?? []
    expect(cookies).not.toEqual([])
    for (const cookie of cookies) expect(cookie).toContain('; Secure')
  })

  test('and not by the word of anybody else', async () => {
    const { status, text } = await login({ 'x-forwarded-proto': 'https' })
    expect(status).toBe(200)
    expect(text).not.toContain('; Secure')
  })

  test('a trusted proxy may name only hosts that are known', async () => {
    const known = await login({ 'x-forwarded-host': PUBLIC }, ['127.0.0.1'])
    expect(known.status).toBe(200)
    const unknown = await login({ 'x-forwarded-host': 'evil.example' }, ['127.0.0.1'])
    expect([unknown.status, unknown.text]).toEqual([403, expect.stringContaining('evil.example')])
  })
})

test('trusted proxies come from the flag, else from the environment', () => {
  const env = { SWITCHYARD_TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16' }
  expect(readOptions([], env)?.trustedProxies).toEqual(['10.0.0.1', '10.1.0.0/16'])
  expect(readOptions(['--trusted-proxies', '::1'], env)?.trustedProxies).toEqual(['::1'])
  expect(() => readOptions(['--trusted-proxies', 'nginx'], {})).toThrow(
    /--trusted-proxies: "nginx"/,
  )
  expect(readOptions([], {})).not.toHaveProperty('trustedProxies')
})

test.each([
  ['127.0.0.7', 'loopback'],
  ['::ffff:127.3.2.1', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
])('limits take %s for %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})
