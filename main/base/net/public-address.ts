import { isIP } from 'node:net'
import { addressMatcher, translatedAddress } from './address-list.ts'

/**
 * IPv4 that no public server has: https://www.iana.org/assignments/iana-ipv4-special-registry. The relay
 * anycast range of 6to4 (192.88.99.0/24) and AS112's are among it: nobody serves files there.
 */
const isSpecialIPv4 = addressMatcher([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Names the machine itself in Azure, although it is a public range: there is its metadata service.
  '168.63.129.16',
])

/** The only IPv6 that is given out to be reached: https://www.iana.org/assignments/ipv6-address-space */
const isGlobalIPv6 = addressMatcher(['2000::/3'])

/**
 * Ranges in it that are not reachable: protocols' own (Teredo, benchmarks and ORCHID among them), documentation,
 * and 6to4, which leads to any IPv4 address and was given up (RFC 7526).
 */
const isSpecialIPv6 = addressMatcher(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** The form that was given up (RFC 4291 §2.5.5.1), which is easily taken for the IPv4-mapped one. */
const isCompatible = /^::\d+\./

const isNat64 = addressMatcher(['64:ff9b::/96'])

const isIPv4 = addressMatcher(['0.0.0.0/0'])

/** Link-local, and where clouds answer with credentials. */
const isLinkLocal = addressMatcher([
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
])

/**
 * Is this the address of a server on the public internet? So is one in IPv4-mapped form (`::ffff:8.8.8.8`), and
 * one that NAT64 translates, when its IPv4 address is. False for a text that is no address, and for one of a
 * zone (`fe80::1%eth0`).
 */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0 || ip.includes('%') || isCompatible.test(ip)) return false
  if (isIPv4(ip)) return !isSpecialIPv4(ip)
  if (isNat64(ip)) return !isSpecialIPv4(translatedAddress(ip))
  return isGlobalIPv6(ip) && !isSpecialIPv6(ip)
}

/**
 * Is this address closed to everybody, the owner included? Link-local ones and metadata services, in whatever
 * IPv6 form they are written.
 */
export function isForbiddenAddress(ip: string): boolean {
  const plain = ip.replace(/%.*$/, '')
  return isLinkLocal(plain) || isLinkLocal(translatedAddress(plain))
}
