import { unixSeconds } from '../../base/clock.ts'
import { errorRow, type GatewayError } from '../../base/errors.ts'
import { stringifyExact } from '../json/exact-json.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asObject } from '../json/json-value.ts'
import { encodeOpenaiError, openaiCode } from '../openai/openai-error.ts'
import { answerId } from './item-ids.ts'

/** One event as it stands on the wire. Its name is its type. */
export const wireEvent = (type: string, fields: JsonObject): string =>
  `event: ${type}\ndata: ${stringifyExact({ type, ...fields })}\n\n`

/** Defaults for settings that are unknown: strict clients want the fields present. */
export const emptyResponse: JsonObject = {
  id: answerId('unknown'),
  object: 'response',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: '',
  output: [],
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  usage: null,
}

/** The vendor has a list of codes for this place, and clients act on some of them. */
const failureCode = (error: GatewayError): string =>
  openaiCode(error) ?? (error.status === 429 ? 'rate_limit_exceeded' : errorRow(error).openai)

/**
 * A stream's end by a failure: `error`, at which SDKs throw, then `response.failed`, for which Codex waits.
 * `response` is the answer as far as it is known, `sequence` the number of the first of the two events.
 */
export function encodeFailure(
  error: GatewayError,
  requestId: string | null,
  response: JsonObject,
  sequence: number,
): string {
  const encoded = asObject(encodeOpenaiError(error, requestId).error) ?? {}
  const { message, param, code } = encoded
  return (
    // OpenAI documents the flat fields and sends the nested ones.
    wireEvent('error', { sequence_number: sequence, code, message, param, error: encoded }) +
    encodeFailed(error, message, response, sequence + 1)
  )
}

/** `response.failed` alone, behind an `error` that was told before. */
export function encodeFailed(
  error: GatewayError,
  message: unknown,
  response: JsonObject,
  sequence: number,
): string {
  const failure = { code: failureCode(error), message }
  const failed = { ...response, status: 'failed', error: failure }
  return wireEvent('response.failed', { sequence_number: sequence, response: failed })
}

/** A failure as the last thing of a stream of which nothing is known. */
export const encodeResponsesStreamError = (error: GatewayError, requestId: string): string =>
  encodeFailure(
    error,
    requestId,
    { ...emptyResponse, id: answerId(requestId), created_at: unixSeconds() },
    0,
  )
