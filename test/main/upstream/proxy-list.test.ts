import { expect, test } from 'vitest'
import { readProxyList } from '../../../main/upstream/proxy/proxy-list.ts'

test.each([
  ['DIRECT', ['DIRECT']],
  ['PROXY a.test:8080', ['http://a.test:8080']],
  [
    'PROXY a.test:8080; SOCKS5 b.test:1081 ;DIRECT',
    ['http://a.test:8080', 'socks5://b.test:1081', 'DIRECT'],
  ],
  ['HTTPS a.test:8443;direct', ['https://a.test:8443', 'DIRECT']],
  ['proxy a.test', ['http://a.test:80']],
  ['https a.test;socks5 b.test', ['https://a.test:443', 'socks5://b.test:1080']],
  ['PROXY [2001:db8::1]:3128', ['http://[2001:db8::1]:3128']],
  // Kinds that are not spoken here, and what is no entry.
  ['SOCKS a.test:1080; SOCKS4 b.test:1080; QUIC c.test:443; PROXY d.test:1', ['http://d.test:1']],
  ['DIRECT a.test', []],
  ['PROXY', []],
  ['PROXY user:secret@a.test:1', []],
  ['PROXY a.test:99999', []],
  ['PROXY http://a.test:1', []],
  ['constructor a.test', []],
  ['', []],
  [';;', []],
])('%s is read as %j', (list, ways) => {
  expect(readProxyList(list).map((way) => way?.name ?? 'DIRECT')).toEqual(ways)
})
