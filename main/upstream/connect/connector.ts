import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { type ErrorDetails, GatewayError } from '../../base/errors.ts'
import { upstreamFailure } from '../failure.ts'
import { openHttpTunnel, type TunnelOptions } from '../proxy/http-tunnel.ts'
import { UnusableProxy, unusableProxy } from '../proxy/proxy-failure.ts'
import type { UpstreamProxy } from '../proxy/read-proxy.ts'
import { openSocksTunnel } from '../proxy/socks-tunnel.ts'
import { trustContext } from '../tls/trust.ts'
import { type CheckAddress, checkedAddresses, checkedLookup } from './checked-lookup.ts'
import { buildConnector } from './undici-parts.ts'

/**
 * The address that is checked if there's a proxy: the proxy's own; the upstream's, which is then looked up here and
 * asked for by its address, so that the proxy cannot find another one under its name; or none.
 */
export type CheckThrough = 'proxy' | 'upstream' | 'nothing'

/** How connections are made. */
export interface ConnectOptions {
  /** Null goes straight to the upstream. */
  proxy: UpstreamProxy | null
  /** Milliseconds for all of it, TLS too; Infinity = as long as the system tries. */
  connectLimit: number
  /** Looks at the address that is connected to. */
  check?: CheckAddress | undefined
  /** Default: the proxy's. */
  checkThrough?: CheckThrough | undefined
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

const tooSlow = (limit: number, way: string, address: string): ErrorDetails => {
  const seconds = limit / 1000
  const problem = `took longer than ${seconds} seconds (the limit for connecting).`
  return {
    message: `Connecting to the upstream ${problem}`,
    reason: { code: 'upstream_connect_late', seconds },
    adminMessage: `Connecting ${way} ${problem}`,
    adminAddress: address,
    // As undici's own, so that it can be told from an answer that did not come: nothing was sent yet.
    cause: { code: 'UND_ERR_CONNECT_TIMEOUT' },
  }
}

const connectOptions = { timeout: 0, keepAlive: true } as const

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
const direct = (lookup?: LookupFunction, secureContext?: SecureContext): buildConnector.connector =>
  buildConnector({
    ...(secureContext && { secureContext }),
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
  { host, port }: { host: string; port: number },
  options: TunnelOptions,
): Promise<Socket> {
  if (proxy.kind === 'socks5') return openSocksTunnel(proxy, { host, port }, options)
  return openHttpTunnel(proxy, `${host.includes(':') ? `[${host}]` : host}:${port}`, options)
}

/** Addresses of a host that are tried through a proxy, one after the other. */
const MOST_ADDRESSES = 3

/** The same to one of the upstream's addresses, all of which were looked up here and checked. */
async function openCheckedTunnel(
  proxy: UpstreamProxy,
  { host, port }: { host: string; port: number },
  check: CheckAddress,
  options: TunnelOptions,
): Promise<Socket> {
  const addresses = await checkedAddresses(host, check, options.signal)
  let failure: unknown
  for (const address of addresses.slice(0, MOST_ADDRESSES)) {
    try {
      return await openTunnel(proxy, { host: address, port }, options)
    } catch (error) {
      failure = error
      if (!(error instanceof GatewayError) || error instanceof UnusableProxy) break
    }
  }
  throw failure
}

const originOf = ({ protocol, host }: buildConnector.Options): string => `${protocol}//${host}`

/**
 * Makes connections in that way, in the shape that undici takes. Every failure is a GatewayError that says
 * which side of a proxy failed: undici would try some of its own kinds of error again for ever.
 */
export function connectorOf({
  proxy,
  connectLimit,
  check,
  checkThrough = 'proxy',
}: ConnectOptions): buildConnector.connector {
  const ofFirst = !proxy || checkThrough === 'proxy' ? check : undefined
  const look = ofFirst && checkedLookup(ofFirst)
  const plain = direct(look)
  let secure: buildConnector.connector | undefined
  const open = (options: buildConnector.Options, signal: AbortSignal) => {
    if (!proxy) return null
    const place = { host: options.hostname.replace(/^\[|\]$/g, ''), port: portOf(options) }
    return check && checkThrough === 'upstream'
      ? openCheckedTunnel(proxy, place, check, { signal })
      : openTunnel(proxy, place, { lookup: look, signal })
  }
  return function connector(options, callback): void {
    const origin = originOf(options)
    const refusal = refusalOf(ofFirst, proxy?.host ?? options.hostname)
    if (refusal) {
      callback(upstreamFailure(refusal, origin), null)
      return
    }
    const deadline = new AbortController()
    let isInTunnel = false
    const timer = Number.isFinite(connectLimit)
      ? setTimeout(() => {
          const way = proxy ? `through the proxy at ${proxy.name} to ${origin}` : `to ${origin}`
          const address = proxy ? `${proxy.name} → ${origin}` : origin
          const Late = proxy && !isInTunnel ? UnusableProxy : GatewayError
          deadline.abort(new Late('upstream_timeout', tooSlow(connectLimit, way, address)))
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
      isInTunnel = tunnel !== null
      const needsTls = options.protocol === 'https:'
      if (tunnel && !needsTls) {
        done(null, tunnel)
        return
      }
      if (needsTls) secure ??= direct(look, trustContext())
      const connect = needsTls && secure ? secure : plain
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
    const opening = open(options, deadline.signal)
    if (proxy && opening) {
      opening
        .then(finish)
        .catch((error) =>
          done(error instanceof GatewayError ? error : proxyUnreachable(proxy, error), null),
        )
      return
    }
    try {
      finish(null)
    } catch (error) {
      // Certificates of the system that cannot be used.
      done(error as Error, null)
    }
  }
}

function proxyUnreachable(proxy: UpstreamProxy, cause: unknown): UnusableProxy {
  const { code, message, reason } = upstreamFailure(cause, proxy.name)
  const said = message.replace(/^.*? failed: /, '').replace(/\.$/, '')
  const { why, system } = reason?.code === 'upstream_failed' ? reason : { why: said, system: '' }
  return unusableProxy(
    proxy,
    `cannot be used: ${said}`,
    { code: 'proxy_unusable', why, system: system && `（${system}）` },
    { code, cause },
  )
}
