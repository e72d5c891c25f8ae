import { GatewayError } from '../../base/errors.ts'

/**
 * Failure of reading an upstream's answer. A reader that stumbles is the upstream's fault: a
 * SyntaxError, or `invalid_request` or `invalid_json` of a reader that requests share, is told as `upstream_invalid`.
 */
export function unreadable(error: unknown): GatewayError {
  const isReaders =
    error instanceof GatewayError &&
    (error.code === 'invalid_request' || error.code === 'invalid_json')
  if (error instanceof GatewayError && !isReaders) return error
  const said = error instanceof Error ? error.message : String(error)
  const problem = (error instanceof GatewayError ? error.reason : null) ?? said
  return new GatewayError('upstream_invalid', {
    message: `The upstream sent something that can't be read: ${said}`,
    reason: { code: 'upstream_unreadable', problem },
    cause: error,
  })
}
