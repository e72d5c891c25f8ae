import { errorRow, type GatewayError } from '../../base/errors.ts'
import { isTooLong } from '../errors/too-long.ts'
import type { JsonObject } from '../json/json-value.ts'

/** Anthropic has no code for a prompt that is too long: Claude Code goes by these words. */
const messageOf = (error: GatewayError): string =>
  isTooLong(error) && !error.message.toLowerCase().includes(TOO_LONG)
    ? `${TOO_LONG}: ${error.message}`
    : error.message

const TOO_LONG = 'prompt is too long'

/** A failure in Anthropic's shape: https://docs.anthropic.com/en/api/errors */
export const encodeMessagesError = (error: GatewayError, requestId: string): JsonObject => ({
  type: 'error',
  error: { type: errorRow(error).anthropic, message: messageOf(error) },
  request_id: requestId,
})

/** The same inside a stream; no `message_stop` follows. */
export const encodeMessagesStreamError = (error: GatewayError, requestId: string): string =>
  `event: error\ndata: ${JSON.stringify(encodeMessagesError(error, requestId))}\n\n`
