import type { Request, Response } from 'express'
import { GatewayError } from '../../base/errors.ts'
import { type Failure, toFailure } from '../../manage/channels/maintenance/failure.ts'
import type { GatewayParts } from '../../manage/gateway-parts.ts'
import type { Operation, Reply } from '../../manage/operation/operation.ts'
import { requestIdOf } from '../request-id.ts'

/** The operation that failed; null where none was found. */
type Failed = Pick<Operation, 'name' | 'legacyStatus'> | null

/** Failures that keep their status for clients of new-api as well (management-api §1.1). */
const keepsStatus = new Set([
  'unauthenticated',
  'VERIFICATION_REQUIRED',
  'VERIFICATION_EXPIRED',
  'VERIFICATION_INVALID',
  'rate_limited',
  'payload_too_large',
  'unsupported_media_type',
  'unsupported_encoding',
  'method_not_allowed',
  'host_not_allowed',
  'origin_not_allowed',
  'internal',
  'storage_failed',
])

/** The envelope of a success. */
export function sendReply(response: Response, { data, message, extra }: Reply<unknown>): void {
  response.status(200).json({ ...extra, success: true, message, data })
}

/** Does the caller read `success` only, and take every other status for a broken server? */
const isLegacy = (request: Request, { settings }: GatewayParts): boolean =>
  settings.current.LegacyStatus && request.headers['x-api-errors'] !== 'status'

/** A path that does not exist has always been a 404; a record that does not, only with us. */
const isUnknownPath = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'unknown_path'

function statusFor(error: unknown, failure: Failure, operation: Failed): number {
  const own = error instanceof GatewayError ? operation?.legacyStatus?.[error.code] : undefined
  if (own !== undefined) return own
  return isUnknownPath(error) || keepsStatus.has(failure.code) ? failure.status : 200
}

/** The envelope of an operation's failure; nothing when the answer has begun, except that it then breaks off. */
export function sendFailure(
  error: unknown,
  operation: Failed,
  request: Request,
  response: Response,
  parts: GatewayParts,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const requestId = requestIdOf(response)
  const failure = toFailure(error, operation?.name ?? '', { parts, requestId })
  const { code, message, field, reason, retryAfter, extra } = failure
  if (retryAfter !== undefined) response.setHeader('Retry-After', Math.ceil(retryAfter))
  if (code === 'payload_too_large') response.setHeader('Connection', 'close')
  response
    .status(isLegacy(request, parts) ? statusFor(error, failure, operation) : failure.status)
    .json({ ...extra, success: false, message, code, field, reason, request_id: requestId })
}
