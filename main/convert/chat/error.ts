import { type ErrorCode, errorRow, type GatewayError } from '../../base/errors.ts'
import type { JsonObject } from '../codec.ts'

/** Where OpenAI has a code of its own that clients know, it is used instead of ours. */
const openaiCodes: Partial<Record<ErrorCode, string>> = {
  missing_token: 'invalid_api_key',
  unknown_token: 'invalid_api_key',
  masked_token: 'invalid_api_key',
  token_exhausted: 'insufficient_quota',
  insufficient_user_quota: 'insufficient_quota',
  rate_limited: 'rate_limit_exceeded',
}

/** A failure in OpenAI's shape: https://platform.openai.com/docs/guides/error-codes */
export const encodeChatError = (error: GatewayError, requestId: string): JsonObject => ({
  error: {
    message: `${error.message} (request id: ${requestId})`,
    type:
      openaiCodes[error.code] === 'insufficient_quota'
        ? 'insufficient_quota'
        : errorRow(error).openai,
    param: error.field ?? null,
    code: error.vendorCode ?? openaiCodes[error.code] ?? error.code,
  },
})

/** The same inside a stream: a chunk with `error` and no `[DONE]`, at which SDKs throw. */
export const encodeChatStreamError = (error: GatewayError, requestId: string): string =>
  `data: ${JSON.stringify(encodeChatError(error, requestId))}\n\n`
