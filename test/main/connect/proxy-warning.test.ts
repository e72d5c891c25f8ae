import { expect, test } from 'vitest'
import { proxyWarning } from '../../../main/connect/proxy-warning.ts'

const HERE = 'http://127.0.0.1:4747'
const proxy = 'http://proxy.example:3128'

test.each([
  ['one for http', HERE, { HTTP_PROXY: proxy }, 'HTTP_PROXY'],
  ['one in small letters', HERE, { http_proxy: proxy }, 'HTTP_PROXY'],
  [
    'one for https, which some tools ask for every call',
    HERE,
    { https_proxy: proxy },
    'HTTPS_PROXY',
  ],
  ['one for all', HERE, { ALL_PROXY: 'socks5://127.0.0.1:1080' }, 'ALL_PROXY'],
  ['exceptions of other hosts', HERE, { HTTP_PROXY: proxy, NO_PROXY: 'a.example' }, 'HTTP_PROXY'],
  [
    'a range, which several tools do not read',
    HERE,
    { HTTP_PROXY: proxy, NO_PROXY: '127.0.0.0/8' },
    'HTTP_PROXY',
  ],
  [
    'the end of another name',
    'http://mygateway.lan:1',
    { HTTP_PROXY: proxy, NO_PROXY: 'gateway.lan' },
    'HTTP_PROXY',
  ],
])('is told of %s', (_, address, env, name) => {
  const [warning, ...others] = proxyWarning(address, env)
  expect(others).toEqual([])
  const { hostname: host } = new URL(address)
  expect(warning?.reason).toEqual({ code: 'connect_proxy', name, host })
  expect(warning?.message).toContain(`Add ${host} to NO_PROXY`)
})

test.each([
  ['no proxy', HERE, {}],
  ['an empty one', HERE, { HTTP_PROXY: '' }],
  [
    'this machine among the exceptions',
    HERE,
    { HTTP_PROXY: proxy, NO_PROXY: 'a.example,127.0.0.1' },
  ],
  [
    'exceptions apart by spaces, with a port',
    HERE,
    { HTTP_PROXY: proxy, no_proxy: 'a 127.0.0.1:4747' },
  ],
  ['no host through the proxy', HERE, { HTTP_PROXY: proxy, NO_PROXY: '*' }],
  ['the domain of the host', 'http://gate.lan:1', { HTTP_PROXY: proxy, NO_PROXY: '*.lan' }],
])('is not told of %s', (_, address, env) => {
  expect(proxyWarning(address, env)).toEqual([])
})

test('what a tool’s own file sets counts before the shell', () => {
  const shell = { NO_PROXY: '127.0.0.1' }
  expect(proxyWarning(HERE, shell, { HTTPS_PROXY: proxy })).toEqual([])
  expect(proxyWarning(HERE, shell, { HTTPS_PROXY: proxy, NO_PROXY: 'a' })).toHaveLength(1)
})
