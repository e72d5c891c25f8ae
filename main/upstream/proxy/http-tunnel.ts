import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { redact } from '../../base/log/redact.ts'
import { trustContext } from '../tls/trust.ts'
import { proxyFailure, proxyWantsLogin } from './proxy-failure.ts'
import type { UpstreamProxy } from './read-proxy.ts'

export interface TunnelOptions {
  /** Looks the proxy's own name up, in place of Node's. */
  lookup?: LookupFunction | undefined
  /** Gives the attempt up. */
  signal: AbortSignal
}

/** The header that logs in (RFC 7617), where there is a user. */
function login({ user, password }: UpstreamProxy): Record<string, string> {
  if (user === '' && password === '') return {}
  const credentials = Buffer.from(`${user}:${password}`).toString('base64')
  return { 'proxy-authorization': `Basic ${credentials}` }
}

/**
 * A connection through an HTTP proxy, made by CONNECT (RFC 9110 §9.3.6); `target` is `host:port`. Rejects
 * with what the proxy said, or with the network's error.
 */
export function openHttpTunnel(
  proxy: UpstreamProxy,
  target: string,
  { lookup, signal }: TunnelOptions,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const { host, port, kind } = proxy
    const request = (kind === 'https' ? https : http).request({
      method: 'CONNECT',
      host,
      port,
      path: target,
      headers: { host: target, connection: 'keep-alive', ...login(proxy) },
      agent: false,
      signal,
      ...(lookup && { lookup }),
      // Node would take the name in the Host header, which is the upstream's, for the proxy's own.
      ...(kind === 'https' && {
        servername: isIP(host) ? '' : host,
        secureContext: trustContext(),
      }),
    })
    request.on('connect', ({ statusCode = 0, statusMessage }, socket: Socket, head) => {
      // Nobody listens before the connection is handed over.
      socket.on('error', () => {})
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
        return
      }
      socket.destroy()
      const reason = redact(statusMessage ?? '').slice(0, 100)
      const why = `status ${statusCode}${reason ? ` ${reason}` : ''}`
      const adminSaid = `refused to connect to ${target}: ${why}`
      const problem = `refused to connect to the upstream: status ${statusCode}`
      const refused = { code: 'proxy_refused', status: statusCode } as const
      reject(
        statusCode === 407
          ? proxyWantsLogin(proxy)
          : proxyFailure(proxy, problem, refused, { adminSaid }),
      )
    })
    request.on('error', reject)
    request.end()
  })
}
