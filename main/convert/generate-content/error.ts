import { errorRow, type GatewayError } from '../../base/errors.ts'
import type { ErrorPlace } from '../codec.ts'
import type { JsonObject } from '../json/json-value.ts'

/** A failure in Google's shape: https://cloud.google.com/apis/design/errors */
export const encodeGenerateContentError = (error: GatewayError): JsonObject => ({
  error: {
    code: error.status,
    message: error.message,
    status: errorRow(error).google,
    ...(error.retryAfter === undefined
      ? {}
      : {
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.RetryInfo',
              retryDelay: `${error.retryAfter}s`,
            },
          ],
        }),
  },
})

/** The same inside a stream: an error object as its last item, which also closes a JSON array. */
export function encodeGenerateContentStreamError(
  error: GatewayError,
  _requestId: string,
  place: ErrorPlace,
): string {
  const item = JSON.stringify(encodeGenerateContentError(error))
  if (place === 'event') return `data: ${item}\n\n`
  return place === 'first-item' ? `[${item}]` : `,\n${item}]`
}
