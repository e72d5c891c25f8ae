import { errorRow, type GatewayError } from '../../base/errors.ts'
import type { JsonObject } from '../codec.ts'

/** A failure in Anthropic's shape: https://docs.anthropic.com/en/api/errors */
export const encodeMessagesError = (error: GatewayError, requestId: string): JsonObject => ({
  type: 'error',
  error: { type: errorRow(error).anthropic, message: error.message },
  request_id: requestId,
})

/** The same inside a stream; no `message_stop` follows. */
export const encodeMessagesStreamError = (error: GatewayError, requestId: string): string =>
  `event: error\ndata: ${JSON.stringify(encodeMessagesError(error, requestId))}\n\n`
