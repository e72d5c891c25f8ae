import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isForbiddenAddress, isPublicAddress } from '../../../main/base/net/public-address.ts'

/** First and last address of each range that nobody on the internet serves from. */
const closed: readonly string[] = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
  ...['127.0.0.0', '127.0.0.1', '127.255.255.255', '169.254.0.0', '169.254.169.254'],
  ...['169.254.170.2', '169.254.255.255', '172.16.0.0', '172.31.255.255', '192.0.0.0'],
  ...['192.0.0.192', '192.0.0.255', '192.0.2.0', '192.0.2.255', '192.88.99.1', '192.168.0.0'],
  ...['192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.0', '198.51.100.255'],
  ...['203.0.113.0', '203.0.113.255', '224.0.0.0', '239.255.255.255', '240.0.0.0'],
  ...['255.255.255.254', '255.255.255.255', '100.100.100.200', '168.63.129.16'],
]

const closedIPv6: readonly string[] = [
  ...[
    '::',
    '::1',
    '::8.8.8.8',
    '::127.0.0.1',
    '::ffff:0:8.8.8.8',
    '100::',
    '100::ffff:ffff:ffff:ffff',
  ],
  ...['64:ff9b:1::', '64:ff9b:1:ffff::8.8.8.8', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ...[
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '2001:db8:ffff::',
  ],
  ...['2002::1', '2002:808:808::1', '2002:7f00:1::', '3fff::1', '3fff:fff:ffff::1', '4000::1'],
  ...['5f00::1', '8000::1', 'fc00::', 'fd00:ec2::254', 'fdff:ffff::1', 'fe80::', 'fe80::1%eth0'],
  ...['febf:ffff::1', 'fec0::', 'feff::1', 'ff00::', 'ff02::1', 'ffff:ffff::'],
]

const open: readonly string[] = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255'],
  ...['172.32.0.0', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255'],
  ...['198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
]

const openIPv6: readonly string[] = [
  ...['2000::1', '2001:200::1', '2001:4860:4860::8888', '2606:4700::1111', '2a00:1450::1'],
  ...['2001:db7:ffff::1', '2001:db9::1', '2003::1', '3ffe:ffff::1', '64:ff9b::8.8.8.8'],
]

/** The forms in which IPv6 carries an IPv4 address to where it belongs. */
const carried = (ip: string): string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
  const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  return [
    ...[`::ffff:${ip}`, `::ffff:${hex}`, `0:0:0:0:0:ffff:${hex}`, `::FFFF:${hex.toUpperCase()}`],
    ...[`64:ff9b::${ip}`, `64:ff9b::${hex}`, `0064:ff9b:0:0:0:0:${hex}`],
  ]
}

describe('an address that is public', () => {
  test.each([...open, ...openIPv6])('%s may be asked', (ip) => {
    expect([isPublicAddress(ip), isForbiddenAddress(ip)]).toEqual([true, false])
  })

  test.each(open)('so may %s in IPv6 clothes', (ip) => {
    for (const form of carried(ip)) expect([form, isPublicAddress(form)]).toEqual([form, true])
  })
})

describe('an address that is not', () => {
  test.each([...closed, ...closedIPv6])('%s may not be asked', (ip) => {
    expect(isPublicAddress(ip)).toBe(false)
  })

  test.each(closed)('%s may not be asked in IPv6 clothes either', (ip) => {
    for (const form of carried(ip)) expect([form, isPublicAddress(form)]).toEqual([form, false])
  })

  test.each(['', 'localhost', '8.8.8.8.8', '8.8.8', '0x8.8.8.8', '[::1]', '8.8.8.8/8', '::g', ' '])(
    '%s is none at all',
    (text) => {
      expect(isPublicAddress(text)).toBe(false)
    },
  )
})

test('metadata services are nobody’s to name, in whatever form', () => {
  for (const ip of ['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192']) {
    for (const form of [ip, ...carried(ip)]) {
      expect([form, isForbiddenAddress(form)]).toEqual([form, true])
    }
  }
  for (const ip of ['fe80::1', 'fe80::1%eth0', 'fd00:ec2::254', '2002:a9fe:a9fe::']) {
    expect([ip, isForbiddenAddress(ip)]).toEqual([ip, true])
  }
  for (const ip of ['127.0.0.1', '10.0.0.1', '192.168.1.20', 'fd12::1', '::1', 'localhost']) {
    expect([ip, isForbiddenAddress(ip)]).toEqual([ip, false])
  }
})

test('an address in IPv6 clothes counts as what it is without them', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      for (const form of carried(ip)) expect(isPublicAddress(form)).toBe(isPublicAddress(ip))
    }),
    { numRuns: 2000 },
  )
})

test('nothing outside 2000::/3 and the translated addresses is public, and no text breaks the check', () => {
  fc.assert(
    fc.property(fc.ipV6(), (ip) => {
      const first = Number.parseInt(ip.split(':', 1)[0] || '0', 16)
      const isCarried = /^(?:0*:|::)*(?:0*:)*ffff:|^0*64:/i.test(ip)
      if (!isCarried && (first < 0x2000 || first > 0x3fff)) expect(isPublicAddress(ip)).toBe(false)
    }),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(typeof isPublicAddress(text)).toBe('boolean')
      expect(typeof isForbiddenAddress(text)).toBe('boolean')
    }),
    { numRuns: 2000 },
  )
})
