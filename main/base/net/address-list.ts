import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

function parseEntry(entry: string): Range {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry)
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Is this an IPv4 or IPv6 address, or a CIDR range of one? */
export function isAddressEntry(entry: string): boolean {
  try {
    parseEntry(entry)
    return true
  } catch {
    return false
  }
}

/** An address as it is sent: 4 bytes of IPv4, 16 of IPv6. */
export const addressBytes = (ip: string): number[] => ipaddr.parse(ip).toByteArray()

/** Where the IPv4 address stands in IPv6 ones that lead to it: RFC 6052 (NAT64), RFC 3056 (6to4), RFC 4291. */
const carriers: readonly [Range, number][] = [
  [ipaddr.parseCIDR('64:ff9b::/96'), 12],
  [ipaddr.parseCIDR('2002::/16'), 2],
  [ipaddr.parseCIDR('::/96'), 12],
]

/** The IPv4 address that a translated IPv6 address leads to; any other text as it is. */
export function translatedAddress(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip
  const address = ipaddr.IPv6.parse(ip)
  const carrier = carriers.find(([range]) => address.match(range as [ipaddr.IPv6, number]))
  // `::` and `::1` are addresses of their own.
  if (!carrier || address.range() === 'loopback' || address.range() === 'unspecified') return ip
  return address
    .toByteArray()
    .slice(carrier[1], carrier[1] + 4)
    .join('.')
}

/** A test for "is this address in the list"; IPv4 in IPv6 clothes counts as IPv4. */
export function addressMatcher(entries: readonly string[]): (ip: string) => boolean {
  const ranges = entries.filter(isAddressEntry).map(parseEntry)
  return (ip) => {
    if (!ipaddr.isValid(ip)) return false
    const address = ipaddr.process(ip)
    return ranges.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
  }
}

const isLoopback = addressMatcher(['127.0.0.0/8', '::1'])

/** Key for limits: all of this machine's own addresses count as one, and so does an IPv6 network of 64 bits. */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address
  if (isLoopback(address)) return 'loopback'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}
