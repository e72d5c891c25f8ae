import { isIP } from 'node:net'
import { GatewayError } from '../../base/errors.ts'
import { addressMatcher } from '../../base/net/address-list.ts'
import { hostOf } from '../../base/net/host-of.ts'
import { readProxy } from './read-proxy.ts'

/** A variable of the environment by its name in small or capital letters; '' where there is none. */
const variable = (name: string): string =>
  process.env[name] || process.env[name.toUpperCase()] || ''

const isLoopback = addressMatcher(['127.0.0.0/8', '::1'])

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)

/** Does an entry of NO_PROXY mean this host: a name with all below it, an address, a range, or `*`? */
function excludes(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, name = entry, entryPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? []
  if (entryPort !== undefined && entryPort !== port) return false
  const bare = name.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return addressMatcher([bare])(host)
  const suffix = bare.replace(/^\*?\./, '')
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`))
}

/**
 * The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name for a URL of http, https, ws or wss, or
 * null; names in small letters go first. This machine itself is never asked through a proxy. Throws
 * `upstream_unreachable` for one that cannot be read.
 */
export function environmentProxy(url: string): string | null {
  const asked = new URL(url)
  const isSecure = asked.protocol === 'https:' || asked.protocol === 'wss:'
  const name = isSecure ? 'https_proxy' : 'http_proxy'
  const proxy = variable(name) || variable('all_proxy')
  const host = hostOf(asked)
  if (proxy === '' || isThisMachine(host)) return null
  const port = asked.port || (isSecure ? '443' : '80')
  const excluded = variable('no_proxy')
    .toLowerCase()
    .split(/[\s,]+/)
  if (excluded.some((entry) => entry !== '' && excludes(entry, host, port))) return null
  try {
    readProxy(proxy)
  } catch (cause) {
    const said = cause instanceof GatewayError ? cause.message : String(cause)
    const why = cause instanceof GatewayError && cause.reason ? cause.reason : said
    const variable = name.toUpperCase()
    throw new GatewayError('upstream_unreachable', {
      message: `The system's proxy variables (${variable} or ALL_PROXY) are wrong. ${said}`,
      reason: { code: 'proxy_variables_wrong', variable, why },
      cause,
    })
  }
  return proxy
}
