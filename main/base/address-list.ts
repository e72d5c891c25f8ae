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
