import { GatewayError } from '../../base/errors.ts'
import { codecOf } from '../../convert/codecs.ts'
import type { Answer } from '../../relay/call/answer.ts'
import type { Call } from '../../relay/call/call.ts'
import { relay } from '../../relay/relay.ts'
import type { GatewayParts } from '../gateway-parts.ts'

/** The gateway's own refusal as the call's endpoint words it, in the capture too. */
function refusedAnswer(error: GatewayError, { format, id, capture }: Call): Answer {
  const body = Buffer.from(JSON.stringify(codecOf(format).encodeError(error, id)))
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
  if (error.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfter))
  capture?.refused(error.status, headers, body)
  return { status: error.status, headers, body }
}

/** The answer to a call of the console's own, a refusal included. */
export async function answerOf(call: Call, parts: GatewayParts): Promise<Answer> {
  try {
    return await relay(call, parts)
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code === 'client_gone') throw error
    return refusedAnswer(error, call)
  }
}
