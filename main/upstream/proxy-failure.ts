import { type ErrorCode, GatewayError } from '../base/errors.ts'
import type { UpstreamProxy } from './proxy.ts'

interface More {
  code?: ErrorCode
  /** Told to administrators in the place of `said`. */
  adminSaid?: string
  cause?: unknown
}

/** A failure of the way through a proxy, in a sentence that names the proxy to administrators, and never who logs in. */
export const proxyFailure = (
  { name }: UpstreamProxy,
  said: string,
  { code = 'upstream_unreachable', adminSaid = said, cause }: More = {},
): GatewayError =>
  new GatewayError(code, {
    message: `The proxy ${said}.`,
    adminMessage: `The proxy at ${name} ${adminSaid}.`,
    cause,
  })

/** The proxy wants another user and password than it was given, or any at all. */
export const proxyWantsLogin = (proxy: UpstreamProxy): GatewayError =>
  proxyFailure(
    proxy,
    proxy.user === ''
      ? 'asks for a user and password: put them before its host, as user:password@host'
      : 'does not accept the user and password that it was given: check them',
  )
