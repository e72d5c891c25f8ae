import { type ErrorCode, errorTable, GatewayError } from '../../../base/errors.ts'
import type { Reason } from '../../../base/reason.ts'
import { FailedReply, type OperationContext } from '../../operation/operation.ts'

/** A failed operation as its caller is told. */
export interface Failure {
  /** `snake_case`, of management-api §1.1. */
  code: string
  message: string
  field?: string
  reason?: Reason
  /** HTTP status that stands for it. */
  status: number
  /** Seconds. */
  retryAfter?: number
  /** Further fields of the answer, such as the time that a test took. */
  extra: Record<string, unknown>
}

const upstreamStatus = 502

/** Codes of the model side that have another name here. */
const codes: Readonly<Partial<Record<ErrorCode, string>>> = {
  unknown_path: 'not_found',
  invalid_json: 'invalid_params',
  invalid_request: 'invalid_params',
  corrupt_body: 'invalid_params',
  channel_misconfigured: 'invalid_params',
  upstream_unreachable: 'upstream_error',
  upstream_timeout: 'upstream_error',
  upstream_cut: 'upstream_error',
  upstream_invalid: 'upstream_error',
  channel_key_refused: 'upstream_error',
}

/** Every `code` that a failure of the management API can have. */
export const failureCodes: readonly string[] = [
  ...new Set(Object.keys(errorTable).flatMap((code) => [code, codes[code as ErrorCode] ?? code])),
]

function toGatewayError(
  error: unknown,
  name: string,
  context: Pick<OperationContext, 'parts' | 'requestId'>,
): GatewayError {
  if (error instanceof GatewayError && error.code !== 'internal') return error
  const { parts, requestId } = context
  parts.log.error({ err: error, operation: name, request: requestId }, 'operation failed')
  return new GatewayError('internal', {
    message: `The gateway failed on this request. Look in its log for the request id ${requestId}.`,
    reason: { code: 'gateway_failed', id: requestId },
    cause: error,
  })
}

/** Anything thrown by an operation; what was not foreseen is logged with its cause, and told as such. */
export function toFailure(
  error: unknown,
  name: string,
  context: Pick<OperationContext, 'parts' | 'requestId'>,
): Failure {
  const known = toGatewayError(error, name, context)
  const code = codes[known.code] ?? known.code
  return {
    code,
    message: known.message,
    status:
      code === 'upstream_error' ? upstreamStatus : code === 'invalid_params' ? 400 : known.status,
    ...(known.field === undefined ? {} : { field: known.field }),
    ...(known.reason === undefined ? {} : { reason: known.reason }),
    ...(known.retryAfter === undefined ? {} : { retryAfter: known.retryAfter }),
    extra: known instanceof FailedReply ? known.extra : {},
  }
}
