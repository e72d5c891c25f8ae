import { isIP } from 'node:net'
import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'

/** A proxy that connections to upstreams are made through. */
export interface UpstreamProxy {
  kind: 'http' | 'https' | 'socks5'
  /** A name, or an address without brackets. */
  host: string
  port: number
  /** '' where the proxy asks for none, as the password. */
  user: string
  password: string
  /** For sentences: kind, host and port, never who logs in. */
  name: string
}

const kinds: Readonly<Record<string, readonly [UpstreamProxy['kind'], number]>> = {
  'http:': ['http', 80],
  'https:': ['https', 443],
  'socks5:': ['socks5', 1080],
  'socks5h:': ['socks5', 1080],
  'socks:': ['socks5', 1080],
}

/** RFC 1929 gives each of the two one byte for its length. */
const LONGEST_CREDENTIAL = 255

const refuse = (what: string, reason: Reason): GatewayError =>
  new GatewayError('channel_misconfigured', {
    message: `The proxy ${what}. Write it as http://host:port, https://host:port or socks5://host:port, with user:password@ before the host where it asks for them.`,
    reason,
  })

/** Proxies are often written without a scheme, and are then of HTTP. */
const urlOf = (text: string): URL | null =>
  URL.parse(text.includes('://') ? text : `http://${text}`)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refuse('has a user or password with a % that encodes nothing (write %25 for it)', {
      code: 'proxy_percent',
    })
  }
}

/**
 * A proxy's URL, read: `http`, `https` or `socks5` (`socks5h` is the same: names are always looked up by the
 * proxy). Throws `channel_misconfigured` with what is wrong; the message never holds the URL.
 */
export function readProxy(text: string): UpstreamProxy {
  const url = urlOf(text)
  if (!url || url.hostname === '') throw refuse('is not an address', { code: 'proxy_no_address' })
  const kind = kinds[url.protocol]
  if (!kind) throw refuse('is of a kind that is not supported', { code: 'proxy_kind' })
  if (url.pathname.length > 1 || url.search !== '' || url.hash !== '') {
    throw refuse('has a path or a query behind its port: remove it', { code: 'proxy_path' })
  }
  const [user, password] = [decoded(url.username), decoded(url.password)]
  if (Math.max(Buffer.byteLength(user), Buffer.byteLength(password)) > LONGEST_CREDENTIAL) {
    throw refuse(`has a user or password of more than ${LONGEST_CREDENTIAL} bytes`, {
      code: 'proxy_credential_long',
      most: LONGEST_CREDENTIAL,
    })
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || kind[1]
  const name = `${kind[0]}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  return { kind: kind[0], host, port, user, password, name }
}

/** The password of a proxy's URL as it is shown. */
const HIDDEN = '***'

/** A proxy's URL with its password hidden; what cannot be read is not shown at all. */
export function hideProxyPassword(text: string): string {
  const url = urlOf(text)
  if (!url || !kinds[url.protocol]) return HIDDEN
  if (url.password === '') return text
  url.password = HIDDEN
  return url.href
}

/** Is it a URL as it is shown, so that the password is the one that is known? */
export const isProxyPasswordHidden = (text: string): boolean =>
  text === HIDDEN || urlOf(text)?.password === HIDDEN
