import { GatewayError } from '../../base/errors.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { FailedReply } from '../operation/operation.ts'

const urlOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

/** `name:port` of every place at which this gateway can be, in lower case; a name alone stands for all ports. */
function ownHosts({ address, settings }: GatewayParts): Set<string> {
  const { port, url } = address()
  const { ServerAddress, AllowedHosts } = settings.current
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
  for (const own of [url, ServerAddress]) {
    const host = urlOf(own)?.host
    if (host) hosts.push(host)
  }
  return new Set([...hosts, ...AllowedHosts].map((host) => host.toLowerCase()))
}

/** The address at which a browser finds the console's page of payments. */
function paymentsPage({ address, settings }: GatewayParts): string {
  const { host, port, url } = address()
  const isEveryAddress = host === '0.0.0.0' || host === '::'
  const here = isEveryAddress ? `http://127.0.0.1:${port}` : url
  const base = urlOf(settings.current.ServerAddress) ? settings.current.ServerAddress : here
  return `${base.replace(/\/+$/, '')}/console/payments`
}

/**
 * Where a provider sends the buyer back to: this gateway, and nowhere else, so that no link to a checkout
 * can end at a stranger's page.
 */
export function redirectUrl(
  field: 'success_url' | 'cancel_url',
  asked: string | undefined,
  parts: GatewayParts,
): string {
  if (asked === undefined || asked === '') return paymentsPage(parts)
  const url = urlOf(asked)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  const hosts = ownHosts(parts)
  if (url && isWeb && (hosts.has(url.host) || hosts.has(url.hostname))) return url.href
  const error = new GatewayError('invalid_params', {
    message: `${field} must lead to this gateway. Add the host to AllowedHosts if it is one of its names.`,
    field,
    reason: { code: 'redirect_not_here', field },
  })
  throw new FailedReply(error, { data: '' })
}
