import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { addressMatcher } from './address-list.ts'

/** Where requests come from, also through proxies in front of the gateway. */
export interface ClientAddresses {
  /** The client's address: the connection's own, or behind a trusted proxy what its `X-Forwarded-For` says. */
  of(request: IncomingMessage): string
  /** Comes the request from this machine, with no proxy between that it shows any sign of? Never where one is trusted there. */
  isLocal(request: IncomingMessage): boolean
  /** The same, also where a proxy on this machine is trusted, which may leave no sign. */
  isUnproxied(request: IncomingMessage): boolean
  /** Does the browser or the trusted proxy say that the client speaks TLS? */
  isSecure(request: IncomingMessage): boolean
  /** The host that a trusted proxy was asked for; undefined when it does not say. */
  forwardedHost(request: IncomingMessage): string | undefined
}

const isLoopback = addressMatcher(['127.0.0.0/8', '::1'])

/** Headers that proxies add. */
const PROXY_HEADERS = [
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'],
  'x-forwarded-server',
]

const LOCAL_HOST = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/**
 * HTTP/1.0 is what nginx speaks to what stands behind it unless told otherwise; it may pass no other sign.
 * http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_http_version
 */
const cameThroughProxy = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.0' ||
  !LOCAL_HOST.test(headers.host ?? '') ||
  PROXY_HEADERS.some((name) => headers[name] !== undefined)

/** The addresses in a list header, without the ports that some proxies add; the nearest last. */
const entriesOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((entry) => {
      const text = entry.trim()
      const [, bracketed, plain] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(text) ?? []
      return bracketed ?? plain ?? text
    })

/** The nearest proxy's own word, where several stand in a row. */
const lastOf = (header: string | string[] | undefined): string | undefined =>
  header === undefined ? undefined : String(header).split(',').at(-1)?.trim()

const peerOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? ''

const isUnproxied = (request: IncomingMessage): boolean =>
  isLoopback(peerOf(request)) && !cameThroughProxy(request)

/**
 * Addresses and ranges whose forwarding headers count: those of `always`, and those that `trusted` gives, which
 * is the same list as long as nothing in it changes.
 */
export function createClientAddresses(
  trusted: () => readonly string[],
  always: readonly string[] = [],
): ClientAddresses {
  let list: readonly string[] | null = null
  let matches: ((address: string) => boolean) | null = null

  /** Null where no proxy is trusted, as mostly. */
  const trustedOnes = (): ((address: string) => boolean) | null => {
    const current = trusted()
    if (current !== list) {
      list = current
      const all = [...always, ...current]
      matches = all.length === 0 ? null : addressMatcher(all)
    }
    return matches
  }

  const isTrusted = (address: string): boolean => trustedOnes()?.(address) ?? false

  return {
    of(request) {
      let client = peerOf(request)
      if (!isTrusted(client)) return client
      // From the nearest on, as long as trusted proxies say it: what stands further out anybody can write.
      for (const address of entriesOf(request.headers['x-forwarded-for']).reverse()) {
        if (isIP(address) === 0) return client
        client = address
        if (!isTrusted(client)) return client
      }
      return client
    },

    isLocal: (request) => isUnproxied(request) && !isTrusted(peerOf(request)),

    isUnproxied,

    isSecure(request) {
      const { origin, 'x-forwarded-proto': protocol } = request.headers
      // A page that was loaded by TLS: only the client itself could say so wrongly.
      if (origin?.startsWith('https:')) return true
      return isTrusted(peerOf(request)) && lastOf(protocol) === 'https'
    },

    forwardedHost: (request) =>
      trustedOnes()?.(peerOf(request)) ? lastOf(request.headers['x-forwarded-host']) : undefined,
  }
}
