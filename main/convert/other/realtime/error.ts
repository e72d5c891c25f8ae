import type { GatewayError } from '../../../base/errors.ts'
import { asObject } from '../../json/json-value.ts'
import { encodeOpenaiError } from '../../openai/openai-error.ts'

/**
 * A failure of the gateway's own as the last event of a session
 * (https://platform.openai.com/docs/api-reference/realtime-server-events/error). `id` is the session's.
 */
export function encodeRealtimeError(error: GatewayError, id: string): Buffer {
  const event = { type: 'error', event_id: `event_${id}`, ...encodeOpenaiError(error, id) }
  return Buffer.from(JSON.stringify(event))
}

/**
 * A failure as Responses over a WebSocket tells it: the error with the status that HTTP would have had
 * (https://platform.openai.com/docs/guides/websocket-mode). Codex takes `status` for the status of the
 * call. The SDK's type has the error's fields flat, so they stand there as well.
 */
export function encodeResponsesSocketError(
  error: GatewayError,
  id: string,
  lane: string | null,
): Buffer {
  const body = encodeOpenaiError(error, id)
  const { message, code, param } = asObject(body.error) ?? {}
  const place = lane === null ? {} : { stream_id: lane }
  return Buffer.from(
    JSON.stringify({
      type: 'error',
      status: error.status,
      ...place,
      ...body,
      message,
      code,
      param,
    }),
  )
}
