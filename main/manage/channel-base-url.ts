import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { parseBaseUrl } from '../adaptor/join-url.ts'
import { addressMatcher, translatedAddress } from '../base/address-list.ts'
import { GatewayError } from '../base/errors.ts'
import type { GatewayParts } from './gateway-parts.ts'

/** As `addressMatcher`; an IPv6 address that is translated counts as the IPv4 address that it leads to. */
function leadsTo(entries: readonly string[]): (host: string) => boolean {
  const matches = addressMatcher(entries)
  return (host) => matches(host) || matches(translatedAddress(host))
}

const isLoopback = leadsTo(['127.0.0.0/8', '::1', '0.0.0.0', '::'])

/** Link-local, and where clouds answer with credentials: no model is ever served there. */
const isForbidden = leadsTo([
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254',
  '100.100.100.200',
  '192.0.0.192',
])
const forbiddenNames = new Set(['metadata', 'metadata.google.internal', 'instance-data'])

const isPrivate = leadsTo([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1',
  'fc00::/7',
])

const refuse = (message: string): GatewayError =>
  new GatewayError('invalid_params', { message, field: 'base_url' })

/** A URL's host: an address without brackets, or a name without a trailing dot. */
export const hostOf = (url: URL): string =>
  url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)

/** May never be asked, whoever names it: link-local addresses and metadata services. */
export const isForbiddenHost = (host: string): boolean =>
  forbiddenNames.has(host) || isForbidden(host)

/** A host of this machine or of a private network, as local model servers have. */
export const isPrivateHost = (host: string): boolean =>
  isLoopbackName(host) ||
  isPrivate(host) ||
  (isIP(host) === 0 && (!host.includes('.') || host.endsWith('.local')))

/** Does the URL lead back to this very gateway, by whatever name? */
function isOwn(
  url: URL,
  { address, settings }: Pick<GatewayParts, 'address' | 'settings'>,
): boolean {
  const host = hostOf(url)
  const { ServerAddress, AllowedHosts } = settings.current
  if (URL.canParse(ServerAddress) && new URL(ServerAddress).host === url.host) return true
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  if (AllowedHosts.some((name) => name.toLowerCase() === url.host)) return true
  const own = address()
  if (port !== own.port) return false
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return (
    isLoopbackName(host) ||
    host === own.host.toLowerCase() ||
    interfaces.some((one) => one.address === host) ||
    AllowedHosts.some((name) => name.toLowerCase() === host)
  )
}

/**
 * A base URL as it is kept, or '' for the type's own. Throws `invalid_params` when it is no http(s)
 * URL, carries credentials, leads back to this gateway or to an address that must never be asked.
 */
export function readBaseUrl(
  typed: string,
  parts: Pick<GatewayParts, 'address' | 'settings'>,
): string {
  const text = typed.trim().replace(/\/+$/, '')
  if (text === '') return ''
  let url: URL
  try {
    url = parseBaseUrl(text)
  } catch (error) {
    throw error instanceof GatewayError ? refuse(error.message) : error
  }
  if (isForbiddenHost(hostOf(url))) {
    throw refuse(`${url.host} is a link-local or metadata address, which no channel may use.`)
  }
  if (isOwn(url, parts)) {
    throw refuse(
      'This is the address of this gateway itself: a call would go round in a circle. Enter the address of the vendor.',
    )
  }
  return /^https?:\/\//i.test(text) ? text : `${url.protocol}//${text}`
}
