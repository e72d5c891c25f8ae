import { errorTable, type GatewayError } from '../../base/errors.ts'
import type { JsonObject } from '../codec.ts'

/** A failure in Google's shape: https://cloud.google.com/apis/design/errors */
export const encodeGenerateContentError = (error: GatewayError): JsonObject => ({
  error: {
    code: error.status,
    message: error.message,
    status: errorTable[error.code].google,
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
  asArray: boolean,
): string {
  const item = JSON.stringify(encodeGenerateContentError(error))
  return asArray ? `,\n${item}]` : `data: ${item}\n\n`
}
