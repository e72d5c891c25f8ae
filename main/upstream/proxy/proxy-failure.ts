import { type ErrorCode, GatewayError } from '../../base/errors.ts'
import type { Why } from '../../base/reason.ts'
import type { UpstreamProxy } from './read-proxy.ts'

interface More {
  code?: ErrorCode
  /** The message for administrators. */
  adminSaid?: string
  cause?: unknown
}

/** The proxy itself could not be used, which says nothing of the upstream: another one may do. */
export class UnusableProxy extends GatewayError {}

const detailsOf = ({ name }: UpstreamProxy, problem: string, { adminSaid, cause }: More) => ({
  message: `The proxy ${problem}.`,
  adminMessage: `The proxy at ${name} ${adminSaid ?? problem}.`,
  ...(adminSaid === undefined && { adminAddress: name }),
  cause,
})

/** A failure of the way through a proxy, in a sentence that names the proxy to administrators, and never who logs in. */
export const proxyFailure = (
  proxy: UpstreamProxy,
  problem: string,
  why: Why,
  more: More = {},
): GatewayError =>
  new GatewayError(more.code ?? 'upstream_unreachable', {
    ...detailsOf(proxy, problem, more),
    reason: { code: 'proxy_failed', why },
  })

/** The same of a proxy that made no answer, or none of a proxy. */
export const unusableProxy = (
  proxy: UpstreamProxy,
  problem: string,
  why: Why,
  more: More = {},
): UnusableProxy =>
  new UnusableProxy(more.code ?? 'upstream_unreachable', {
    ...detailsOf(proxy, problem, more),
    reason: { code: 'proxy_failed', why },
  })

/** The proxy wants another user and password than it was given, or any at all. */
export const proxyWantsLogin = (proxy: UpstreamProxy): GatewayError =>
  proxy.user === ''
    ? proxyFailure(
        proxy,
        'asks for a user and password: put them before its host, as user:password@host',
        { code: 'proxy_asks_login' },
      )
    : proxyFailure(proxy, 'refuses its user and password: check them', {
        code: 'proxy_refuses_login',
      })
