import { type ErrorCode, errorRow, type GatewayError } from '../../base/errors.ts'
import { isTooLong } from '../errors/too-long.ts'
import type { JsonObject } from '../json/json-value.ts'

/** Where OpenAI has a code of its own that clients know, it is used instead of ours. */
const openaiCodes: Partial<Record<ErrorCode, string>> = {
  missing_token: 'invalid_api_key',
  unknown_token: 'invalid_api_key',
  masked_token: 'invalid_api_key',
  token_exhausted: 'insufficient_quota',
  insufficient_user_quota: 'insufficient_quota',
  rate_limited: 'rate_limit_exceeded',
}

/** Words of other vendors for what clients of OpenAI know by a code. */
const foreignCodes: Readonly<Record<string, string>> = {
  rate_limit_error: 'rate_limit_exceeded',
  RESOURCE_EXHAUSTED: 'rate_limit_exceeded',
  billing_error: 'insufficient_quota',
}

/** The vendor's own code, else the one of OpenAI's that stands for ours; undefined where it has none. */
export function openaiCode(error: GatewayError): string | undefined {
  if (isTooLong(error)) return 'context_length_exceeded'
  const { vendorCode } = error
  return vendorCode === undefined
    ? openaiCodes[error.code]
    : (foreignCodes[vendorCode] ?? vendorCode)
}

/**
 * A failure in OpenAI's shape: https://platform.openai.com/docs/guides/error-codes. The call's id stands in
 * the message, where it is known.
 */
export const encodeOpenaiError = (error: GatewayError, requestId: string | null): JsonObject => ({
  error: {
    message: requestId === null ? error.message : `${error.message} (request id: ${requestId})`,
    type:
      openaiCodes[error.code] === 'insufficient_quota'
        ? 'insufficient_quota'
        : errorRow(error).openai,
    param: error.field ?? null,
    code: openaiCode(error) ?? error.code,
  },
})
