import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { GatewayError } from '../base/errors.ts'
import { upstreamFailure } from './failure.ts'
import { openHttpTunnel } from './http-tunnel.ts'
import type { UpstreamProxy } from './proxy.ts'
import { proxyFailure } from './proxy-failure.ts'
import { openSocksTunnel } from './socks-tunnel.ts'
import { buildConnector } from './undici-parts.ts'

/**
 * Throws for an address that must not be asked. Requests with the same function share connections, and share
 * them with no others.
 */
export type CheckAddress = (address: string, host: string) => void

/** How connections are made. */
export interface Way {
  /** Null goes straight to the upstream. */
  proxy: UpstreamProxy | null
  /** Milliseconds for all of it, TLS too; Infinity = as long as the system tries. */
  connectLimit: number
  /** Looks at the address that is connected to: the proxy's where there is one. */
  check?: CheckAddress | undefined
}

/**
 * Milliseconds after which the next address of a name is tried as well. Node's own 250 are less than the way
 * around the world takes, and then no address is ever waited for.
 */
const NEXT_ADDRESS = 1_000

const open = new Set<Socket>()

/** Connections to upstreams that are open: WebSockets, and those that are kept for the next call, too. */
export const openSockets = (): ReadonlySet<Socket> => open

function follow(socket: Socket): void {
  open.add(socket)
  socket.once('close', () => open.delete(socket))
}

function tooSlow(limit: number, way: string): GatewayError {
  const said = `took longer than ${limit / 1000} seconds (the limit for connecting).`
  return new GatewayError('upstream_timeout', {
    message: `Connecting to the upstream ${said}`,
    adminMessage: `Connecting ${way} ${said}`,
    // As undici's own, so that it can be told from an answer that did not come: nothing was sent yet.
    cause: { code: 'UND_ERR_CONNECT_TIMEOUT' },
  })
}

const connectOptions = { timeout: 0, keepAlive: true } as const

/** Looks a name up once, and gives what was found to the connection only when all of it may be asked. */
const checkedLookup =
  (check: CheckAddress): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, [])
      try {
        for (const { address } of found) check(address, host)
      } catch (refusal) {
        return callback(refusal as Error, [])
      }
      const [first] = found
      if (options.all || !first) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }

/** Why a host that is an address, and so is not looked up, must not be connected to; null where it may be. */
function refusalOf(check: CheckAddress | undefined, hostname: string): Error | null {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!check || isIP(host) === 0) return null
  try {
    check(host, host)
    return null
  } catch (refusal) {
    return refusal as Error
  }
}

/** Straight to the upstream, or to the TLS inside a tunnel. */
const direct = (lookup?: LookupFunction): buildConnector.connector =>
  buildConnector({
    ...connectOptions,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS,
    ...(lookup ? { lookup } : {}),
  })

function portOf({ port, protocol }: buildConnector.Options): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

function openTunnel(
  proxy: UpstreamProxy,
  options: buildConnector.Options,
  lookup: LookupFunction | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const { hostname } = options
  const port = portOf(options)
  if (proxy.kind === 'socks5')
    return openSocksTunnel(proxy, { host: hostname, port }, { lookup, signal })
  const target = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
  return openHttpTunnel(proxy, target, { lookup, signal })
}

const originOf = ({ protocol, host }: buildConnector.Options): string => `${protocol}//${host}`

/**
 * Makes connections in that way, in the shape that undici takes. Every failure is a GatewayError that says
 * which side of a proxy failed: undici would try some of its own kinds of error again for ever.
 */
export function connectorOf({ proxy, connectLimit, check }: Way): buildConnector.connector {
  const look = check && checkedLookup(check)
  const connect = direct(look)
  return function connector(options, callback): void {
    const origin = originOf(options)
    const refusal = refusalOf(check, proxy?.host ?? options.hostname)
    if (refusal) {
      callback(upstreamFailure(refusal, origin), null)
      return
    }
    const deadline = new AbortController()
    const timer = Number.isFinite(connectLimit)
      ? setTimeout(() => {
          const way = proxy ? `through the proxy at ${proxy.name} to ${origin}` : `to ${origin}`
          deadline.abort(tooSlow(connectLimit, way))
        }, connectLimit).unref()
      : undefined
    let isDone = false
    const done = (error: Error | null, socket: Socket | null) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      if (error || !socket) {
        callback(upstreamFailure(deadline.signal.reason ?? error, origin), null)
        return
      }
      follow(socket)
      callback(null, socket)
    }
    const finish = (tunnel: Socket | null) => {
      const needsTls = options.protocol === 'https:'
      if (tunnel && !needsTls) {
        done(null, tunnel)
        return
      }
      const inside = tunnel ? { ...options, httpSocket: tunnel } : options
      // The socket comes back at once; its types do not say so.
      const socket = connect(inside, (...[error, made]) => {
        if (error) tunnel?.destroy()
        done(error, made)
      }) as unknown as Socket
      deadline.signal.addEventListener('abort', () => {
        if (isDone) return
        socket.destroy(deadline.signal.reason)
        tunnel?.destroy()
      })
    }
    if (!proxy) finish(null)
    else
      openTunnel(proxy, options, look, deadline.signal).then(finish, (error) =>
        done(error instanceof GatewayError ? error : proxyUnreachable(proxy, error), null),
      )
  }
}

function proxyUnreachable(proxy: UpstreamProxy, cause: unknown): GatewayError {
  const { code, message } = upstreamFailure(cause, proxy.name)
  const why = message.replace(/^.*? failed: /, '').replace(/\.$/, '')
  return proxyFailure(proxy, `cannot be used: ${why}`, { code, cause })
}
