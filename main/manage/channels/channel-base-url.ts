import { isIP } from 'node:net'
import { parseBaseUrl } from '../../adaptor/url/join-url.ts'
import { GatewayError } from '../../base/errors.ts'
import { addressMatcher, translatedAddress } from '../../base/net/address-list.ts'
import { hostOf } from '../../base/net/host-of.ts'
import { isForbiddenAddress } from '../../base/net/public-address.ts'
import type { Reason } from '../../base/reason.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { leadsHere } from '../server/own-address.ts'

/** As `addressMatcher`; an IPv6 address that is translated counts as the IPv4 address that it leads to. */
function leadsTo(entries: readonly string[]): (host: string) => boolean {
  const matches = addressMatcher(entries)
  return (host) => matches(host) || matches(translatedAddress(host))
}

const isLoopback = leadsTo(['127.0.0.0/8', '::1', '0.0.0.0', '::'])

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

/** Where a URL was typed: a field of the input, or one inside it. */
interface Typed {
  field: string
  inner?: string
}

const refusal = (
  { field, inner }: Typed,
  message: string,
  reason: Reason | undefined,
): GatewayError =>
  new GatewayError('invalid_params', {
    message: inner === undefined ? message : `${inner}: ${message}`,
    field,
    reason,
  })

const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)

/** Never allowed, not even for the owner: link-local addresses and metadata services. */
export const isForbiddenHost = (host: string): boolean =>
  forbiddenNames.has(host) || isForbiddenAddress(host)

/** A host of this machine or of a private network, as local model servers have. */
export const isPrivateHost = (host: string): boolean =>
  isLoopbackName(host) ||
  isPrivate(host) ||
  (isIP(host) === 0 && (!host.includes('.') || host.endsWith('.local')))

/**
 * A base URL as it is kept, or '' for the type's own. Throws `invalid_params` when it is no http(s)
 * URL, carries credentials, leads back to this gateway or to an address that must never be asked.
 */
export function readBaseUrl(
  typed: string,
  parts: Pick<GatewayParts, 'address' | 'settings'>,
  place: Typed = { field: 'base_url' },
): string {
  const refuse = (message: string, reason: Reason | undefined) => refusal(place, message, reason)
  const text = typed.trim().replace(/\/+$/, '')
  if (text === '') return ''
  let url: URL
  try {
    url = parseBaseUrl(text)
  } catch (error) {
    throw error instanceof GatewayError ? refuse(error.message, error.reason) : error
  }
  if (/[{}]/.test(url.host)) {
    throw refuse(
      `The host ${url.host} holds a placeholder, so a model's name would choose the host. Use placeholders in the path only.`,
      { code: 'base_url_placeholder_host', host: url.host },
    )
  }
  if (isForbiddenHost(hostOf(url))) {
    throw refuse(`${url.host} is a link-local or metadata address, which no channel may use.`, {
      code: 'address_forbidden',
      host: url.host,
    })
  }
  if (leadsHere(url, parts)) {
    throw refuse(
      'This is the address of this gateway itself, so calls would loop. Enter the address of the vendor.',
      { code: 'address_of_gateway' },
    )
  }
  return /^https?:\/\//i.test(text) ? text : `${url.protocol}//${text}`
}

/** A channel's own settings, with the second address read by the same rule as its base URL. */
export function readSettings<Settings extends Channel['settings'] | undefined>(
  settings: Settings,
  parts: Pick<GatewayParts, 'address' | 'settings'>,
): Settings {
  const name = 'anthropic_base_url'
  const typed = settings?.[name] ?? null
  if (typed === null) return settings
  const place = { field: 'settings', inner: name }
  if (typeof typed !== 'string')
    throw refusal(place, 'This must be a URL in quotes.', { code: 'url_in_quotes' })
  return { ...settings, [name]: readBaseUrl(typed, parts, place) }
}
