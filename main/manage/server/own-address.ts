import { hostname, networkInterfaces } from 'node:os'
import { addressMatcher, translatedAddress } from '../../base/net/address-list.ts'
import { hostOf } from '../../base/net/host-of.ts'
import type { GatewayParts } from '../gateway-parts.ts'

type Place = Pick<GatewayParts, 'address' | 'settings'>

const isThisMachine = addressMatcher(['127.0.0.0/8', '::1', '0.0.0.0/8', '::'])

/** The address itself, and the one that it leads to in IPv6 clothes. */
const inEveryForm = (ip: string): string[] => [ip.replace(/%.*$/, ''), translatedAddress(ip)]

/** Is it an address of this machine, whatever form it is written in? */
export function isOwnAddress(ip: string): boolean {
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const isInterface = addressMatcher(interfaces.map(({ address }) => address))
  return inEveryForm(ip).some((form) => isThisMachine(form) || isInterface(form))
}

const isOwnName = (host: string): boolean => {
  const own = hostname().toLowerCase()
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  return isLocal || host === own || host === `${own}.local`
}

/**
 * Does the URL lead back to this very gateway, by an address of this machine, its name, or a name that the
 * owner has told it to answer to? Names that only a resolver knows are not looked up.
 */
export function leadsHere(url: URL, { address, settings }: Place): boolean {
  const host = hostOf(url)
  const { ServerAddress, AllowedHosts } = settings.current
  if (URL.canParse(ServerAddress) && new URL(ServerAddress).host === url.host) return true
  if (AllowedHosts.some((name) => name.toLowerCase() === url.host)) return true
  const own = address()
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  if (port !== own.port) return false
  return (
    isOwnName(host) ||
    host === own.host.toLowerCase() ||
    isOwnAddress(host) ||
    AllowedHosts.some((name) => name.toLowerCase() === host)
  )
}
