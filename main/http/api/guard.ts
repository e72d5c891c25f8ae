import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatewayError } from '../../base/errors.ts'
import type { ClientAddresses } from '../../base/net/client-address.ts'
import type { SettingsStore } from '../../store/state/settings.ts'
import { pathFamily } from '../model/path-family.ts'
import { isWebhookPath } from './webhook-paths.ts'

const localNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

interface GuardParts {
  /** Where the gateway listens, known once it does. */
  address(): { host: string; port: number }
  settings: SettingsStore
  clients: ClientAddresses
}

export interface Guard {
  /** Throws for a Host or Origin that is not allowed. */
  check(request: IncomingMessage, response: ServerResponse): void
}

/** `http://127.0.0.1:4747` → `127.0.0.1:4747`; null for `null` and anything that is no origin. */
function originHost(origin: string): string | null {
  const match = /^https?:\/\/([^/]+)$/.exec(origin)
  return match?.[1] ?? null
}

/** `127.0.0.1:4747` → `127.0.0.1`. */
const nameIn = (host: string): string => host.replace(/:\d+$/, '')

/** A page of another origin can send these only if a preflight allows it, and none does. */
const headersOfOwnPages = ['x-requested-with', 'new-api-user']

/**
 * Throws for a GET that changes something when a browser sends it for another page than the console's.
 * Without `Sec-Fetch-Site`, as over plain HTTP on a network, the Origin (checked before) or a header that
 * no foreign page can set shows whose page it is.
 */
export function checkOwnPage({ method, url, headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined
      ? headers.origin !== undefined || headersOfOwnPages.some((name) => name in headers)
      : site === 'same-origin'
  if (isOwn) return
  throw new GatewayError('origin_not_allowed', {
    message: `${method} ${url} changes something: with a session, only the console may call it. Send an access token as Authorization instead.`,
    field: 'Sec-Fetch-Site',
    reason: { code: 'only_console_with_session' },
  })
}

/**
 * (1) The door: a web page must reach the gateway neither by a host name of its own that resolves here
 * (DNS rebinding: only known Host names pass) nor from its own origin.
 */
export function createGuard({ address, settings, clients }: GuardParts): Guard {
  let known: { host: string; port: number; allowed: readonly string[]; hosts: Set<string> } | null =
    null

  function hosts(): Set<string> {
    const { host, port } = address()
    const allowed = settings.current.AllowedHosts
    // A list that was changed is another one.
    if (known && known.allowed === allowed && known.port === port && known.host === host)
      return known.hosts
    const names = [...localNames, host.includes(':') ? `[${host}]` : host]
    const all = new Set(names.map((name) => `${name}:${port}`))
    if (port === 80) for (const name of names) all.add(name)
    for (const name of allowed) {
      all.add(name.toLowerCase())
      if (!/:\d+$/.test(name)) all.add(`${name.toLowerCase()}:${port}`)
    }
    known = { host, port, allowed, hosts: all }
    return all
  }

  /** Another port of the same name is another program; another name is one of ours, or not in the list. */
  const isOwn = (host: string, requestHost: string): boolean =>
    hosts().has(host) && (host === requestHost || nameIn(host) !== nameIn(requestHost))

  function checkOrigin(
    origin: string,
    requestHost: string,
    path: string,
    response: ServerResponse,
  ): void {
    const host = originHost(origin)
    if (host !== null && isOwn(host, requestHost)) return
    const isModelCall = pathFamily(path) !== 'manage'
    if (isModelCall && settings.current.AllowedOrigins.includes(origin)) {
      response.setHeader('access-control-allow-origin', origin)
      response.setHeader('vary', 'origin')
      return
    }
    throw new GatewayError('origin_not_allowed', {
      message: `Origin: web pages of ${origin} may not call this gateway. For model calls its origin can be added to AllowedOrigins.`,
      field: 'Origin',
      reason: { code: 'origin_refused', origin },
    })
  }

  function checkHost(host: string | undefined, field: string): string {
    const name = host?.toLowerCase()
    if (name !== undefined && hosts().has(name)) return name
    throw new GatewayError('host_not_allowed', {
      message: `${field}: the name "${host ?? ''}" is not one of this gateway's. Use 127.0.0.1 or localhost, or add the name to AllowedHosts.`,
      field,
      reason: { code: 'host_refused', host: host ?? '' },
    })
  }

  return {
    check(request, response) {
      const host = checkHost(request.headers.host, 'Host')
      // Besides the Host and never in place of it: a page under a name of its own can send any header.
      const forwarded = clients.forwardedHost(request)
      const askedHost = forwarded === undefined ? host : checkHost(forwarded, 'X-Forwarded-Host')
      const { origin, 'sec-fetch-site': site } = request.headers
      // No browser, as nearly always.
      const isFromElsewhere = site === 'cross-site' || site === 'same-site'
      if (origin === undefined && !isFromElsewhere) return
      // Express takes `http://host/path` for the path as well, the form in which proxies are asked.
      const path = (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '')
      // A signature says who calls there, and no browser can make one.
      if (isWebhookPath(path)) return
      if (origin !== undefined) checkOrigin(origin, askedHost, path, response)
      else if (pathFamily(path) === 'manage') {
        // Links from other pages may open the console, but nothing may call the API from there. Another
        // port of this machine is the same site, and no less another page.
        if (path.startsWith('/api') || path.startsWith('/pg')) {
          throw new GatewayError('origin_not_allowed', {
            message: 'Sec-Fetch-Site: pages of other sites or ports may not call this gateway.',
            field: 'Sec-Fetch-Site',
            reason: { code: 'other_site_refused' },
          })
        }
      }
    },
  }
}
