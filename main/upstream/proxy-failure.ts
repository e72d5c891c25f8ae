import { type ErrorCode, GatewayError } from '../base/errors.ts'
import type { UpstreamProxy } from './proxy.ts'

/** A failure of the way through a proxy, in a sentence that names the proxy but not who logs in. */
export const proxyFailure = (
  { name }: UpstreamProxy,
  said: string,
  { code = 'upstream_unreachable', cause }: { code?: ErrorCode; cause?: unknown } = {},
): GatewayError => new GatewayError(code, { message: `The proxy at ${name} ${said}.`, cause })

/** The proxy wants another user and password than it was given, or any at all. */
export const proxyWantsLogin = (proxy: UpstreamProxy): GatewayError =>
  proxyFailure(
    proxy,
    proxy.user === ''
      ? 'asks for a user and password: put them before its host, as user:password@host'
      : 'does not accept the user and password that it was given: check them',
  )
