import type { WireFormat } from '../../convert/exchange.ts'
import { stringifyExact } from '../../convert/json/exact-json.ts'
import type { Call } from '../call/call.ts'
import { countBody } from '../usage/count-tokens.ts'
import { renamedModels } from './other-models.ts'
import { type BodyPlace, overridden } from './override/param-override.ts'

/** The bytes of a body that was written anew for an upstream, with all that its channel's owner overrides. */
export function upstreamBody(
  call: Pick<Call, 'verb' | 'model'>,
  format: WireFormat,
  body: Record<string, unknown>,
  place: BodyPlace,
): Buffer {
  const made =
    call.verb === 'count-tokens' ? countBody(format, body, place.upstreamModel) : { ...body }
  Object.assign(
    made,
    renamedModels((field) => body[field], place.channel),
  )
  return Buffer.from(stringifyExact(overridden(made, call, place)))
}
