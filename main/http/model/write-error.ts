import type { ServerResponse } from 'node:http'
import { errorRow, GatewayError } from '../../base/errors.ts'
import type { Log } from '../../base/log/log.ts'
import type { CallCapture } from '../../capture/call-capture.ts'
import { codecOf } from '../../convert/codecs.ts'
import { REQUEST_ID } from '../request-id.ts'
import type { PathFamily } from './path-family.ts'

/** Any thrown thing as a GatewayError; what is not one is logged and told as `internal`. */
export function asGatewayError(error: unknown, id: string, log: Log): GatewayError {
  if (error instanceof GatewayError) return error
  // Express fails to decode a path such as /%zz.
  if (error instanceof URIError) {
    return new GatewayError('invalid_params', {
      message: 'The path has a broken % escape. Write a plain % as %25.',
      reason: { code: 'path_escape_broken' },
    })
  }
  log.error({ err: error, request: id }, 'request failed')
  // Code that is loaded when it is first used, and was replaced by an update since the start.
  if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_MODULE_NOT_FOUND') {
    return new GatewayError('internal', {
      message: 'Switchyard was updated while it ran. Restart it.',
      reason: { code: 'updated_while_running' },
      cause: error,
    })
  }
  return new GatewayError('internal', {
    message: 'The gateway failed on this request; its log has the reason.',
    reason: { code: 'gateway_failed_on_request' },
    cause: error,
  })
}

/** Money that is used up does not come back by asking again, although the status is 429. */
const mayRetry = (error: GatewayError): boolean =>
  error.shouldRetry ?? (errorRow(error).retryable && error.vendorCode !== 'insufficient_quota')

/** A failure in the shape that the path's clients read. Does nothing once an answer has begun. */
export function writeError(
  response: ServerResponse,
  error: GatewayError,
  family: PathFamily,
  id: string,
  capture: CallCapture | null = null,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const body = JSON.stringify(
    family === 'manage'
      ? {
          success: false,
          message: error.message,
          code: error.code,
          ...(error.field === undefined ? {} : { field: error.field }),
          ...(error.reason === undefined ? {} : { reason: error.reason }),
          request_id: id,
        }
      : codecOf(family).encodeError(error, id),
  )
  const headers: Record<string, string | number> = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    [REQUEST_ID]: id,
  }
  if (family !== 'manage') {
    // OpenAI's and Anthropic's SDKs obey this above the status.
    headers['x-should-retry'] = String(mayRetry(error))
    headers[codecOf(family).idHeader ?? 'x-request-id'] = id
  }
  const { retryAfter } = error
  if (retryAfter !== undefined) headers['retry-after'] = Math.ceil(retryAfter)
  if (retryAfter !== undefined && !Number.isInteger(retryAfter))
    headers['retry-after-ms'] = Math.ceil(retryAfter * 1000)
  if (error.code === 'payload_too_large' || error.code === 'shutting_down')
    headers.connection = 'close'
  response.writeHead(error.status, headers)
  response.end(body)
  capture?.refused(error.status, headers, Buffer.from(body))
}
