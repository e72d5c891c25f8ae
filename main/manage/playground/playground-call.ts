import type { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import { codecOf } from '../../convert/codecs.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import { relay } from '../../relay/relay.ts'
import { callOf } from '../channels/maintenance/call-of.ts'
import {
  defineStream,
  type OperationContext,
  type StreamOperation,
} from '../operation/operation.ts'

/** The playground is for the person at the console; tools have tokens for their calls. */
export function refuseAccessTokens(path: string): (context: OperationContext) => void {
  return ({ credential }) => {
    if (credential !== 'access-token') return
    throw new GatewayError('forbidden', {
      message: `The playground is for people who are signed in. Use a token at ${path.replace(/^\/pg\//, '/v1/')} instead.`,
      reason: { code: 'playground_signed_in', path: path.replace(/^\/pg\//, '/v1/') },
    })
  }
}

interface PlaygroundCall<Name extends string, Path extends string, Fields extends z.ZodObject> {
  name: Name
  summary: string
  /** `/pg/…`, where the public endpoint is `/v1/…`. */
  path: Path
  format: CallFormat
  /** Loose, with at least `model`, and `group` where one may be chosen. */
  input: Fields
}

/**
 * A model call with a JSON body that the playground makes in the name of the signed-in user. It is
 * checked, routed, booked and answered as at the public endpoint, errors in OpenAI's shape included.
 */
export function definePlaygroundCall<
  const Name extends string,
  const Path extends string,
  Fields extends z.ZodObject,
>({
  name,
  summary,
  path,
  format,
  input,
}: PlaygroundCall<Name, Path, Fields>): StreamOperation<Name, 'POST', Path, Fields> {
  return defineStream({
    name,
    summary,
    access: 'user',
    http: { method: 'POST', path },
    input,
    before: refuseAccessTokens(path),
    run(fields, context) {
      const { group, ...json } = fields as Record<string, unknown>
      const body = new JsonFields(Buffer.from(JSON.stringify(json)))
      const codec = codecOf(format)
      // Before the call is made: what is refused here is no call, and is not captured.
      codec.guard.check(body)
      codec.checkRequest(body, {})
      const call = callOf(
        {
          format,
          origin: 'playground',
          path,
          model: String(json.model),
          stream: json.stream === true,
          json: body,
          group: typeof group === 'string' && group !== '' ? group : null,
        },
        context,
        context.parts.captures,
      )
      return relay(call, context.parts)
    },
  })
}
