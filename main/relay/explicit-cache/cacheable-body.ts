import type { PlacedMark } from '../../convert/conversion.ts'
import type { WireFormat } from '../../convert/exchange.ts'
import { stringifyExact } from '../../convert/json/exact-json.ts'
import type { Loss } from '../../convert/loss.ts'
import type { Call } from '../call/call.ts'
import { renamedModels } from '../channel/other-models.ts'
import { type BodyPlace, overridden } from '../channel/override/param-override.ts'
import { countBody } from '../usage/count-tokens.ts'
import { type CachePlan, planCache } from './cache-plan.ts'

/** The bytes of a body that was written anew for an upstream, with all that its channel's owner overrides. */
function upstreamBody(
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

/** A translated request, with its cache marks where some are to be served. */
interface MarkedRequest {
  body: Record<string, unknown>
  marks: readonly PlacedMark[]
  loss: Loss
}

/** An upstream's body in bytes, and how a cache can be made of its beginning; null where none can. */
export interface CacheableBody {
  body: Buffer
  plan: CachePlan | null
}

/** As `upstreamBody`, with the places at which a cache may end; a request without marks has none. */
export function cacheableBody(
  call: Pick<Call, 'verb' | 'model'>,
  format: WireFormat,
  { body, marks, loss }: MarkedRequest,
  place: BodyPlace,
): CacheableBody {
  if (marks.length === 0) return { body: upstreamBody(call, format, body, place), plan: null }
  const whole = overridden({ ...body }, call, place)
  // Marks stand on turns that are not there any more where the channel's owner puts others in their place.
  const isWhole = whole.contents === body.contents
  const planned = isWhole ? planCache(whole, marks, place.upstreamModel) : null
  if (planned) return { body: planned.bytes, plan: planned.plan }
  const why = isWhole ? 'no_part_cacheable' : 'contents_overridden'
  for (const { path } of marks) loss.drop(path, why)
  return { body: upstreamBody(call, format, body, place), plan: null }
}
