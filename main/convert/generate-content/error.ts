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
  // Google sends it without `data:`, and the SDK of Gemini CLI 0.61 overlooks any other. Parsers of events leave out
  // what no blank line ends.
  if (place === 'event') return `data: ${item}\n\n${item}`
  return place === 'first-item' ? `[${item}]` : `,\n${item}]`
}
