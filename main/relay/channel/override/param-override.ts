import { parseExact, stringifyExact } from '../../../convert/json/exact-json.ts'
import { readingJson } from '../../../convert/json/invalid-json.ts'
import type { JsonFields } from '../../../convert/json/json-fields.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { Call } from '../../call/call.ts'
import { applyOperations, operationsOf } from './param-operations.ts'

/** A channel, and what its upstream calls the model of a call. */
export interface BodyPlace {
  channel: Pick<Channel, 'name' | 'modelMapping' | 'paramOverride'>
  upstreamModel: string
}

type Json = Record<string, unknown>

// Made once per stored version of a channel: a call asks for them every time.
const fieldsOf = new WeakMap<object, Json>()

/** The fields that a channel's override puts into every body, its operations aside. */
export function overrideFields({ paramOverride }: Pick<Channel, 'paramOverride'>): Readonly<Json> {
  let known = fieldsOf.get(paramOverride)
  if (!known) {
    const { operations: _operations, ...fields } = paramOverride
    known = Object.freeze(fields)
    fieldsOf.set(paramOverride, known)
  }
  return known
}

function withOperations(
  body: Json,
  call: Pick<Call, 'model'>,
  { channel, upstreamModel }: BodyPlace,
): Json {
  return applyOperations(body, operationsOf(channel.paramOverride), {
    model: upstreamModel,
    upstream_model: upstreamModel,
    original_model: call.model,
  })
}

/** A body that was made for a channel, with all that its owner overrides in it. */
export const overridden = (body: Json, call: Pick<Call, 'model'>, place: BodyPlace): Json =>
  withOperations({ ...body, ...overrideFields(place.channel) }, call, place)

export const hasOperations = ({ paramOverride }: Pick<Channel, 'paramOverride'>): boolean =>
  operationsOf(paramOverride).length > 0

/**
 * The caller's own bytes with some fields set and the channel's operations carried out. Without operations
 * every other byte stays as it was, and all of them where there is nothing to set.
 */
export function overriddenBytes(
  call: Call,
  fields: Json,
  place: BodyPlace,
  body: JsonFields = call.body,
): Buffer | readonly Buffer[] {
  if (!hasOperations(place.channel)) {
    return Object.keys(fields).length > 0 ? body.set(fields) : body.pieces
  }
  const text = body.bytes.toString('utf8').replace(/^\uFEFF/, '')
  const whole = { ...readingJson(() => parseExact(text) as Json), ...fields }
  return Buffer.from(stringifyExact(withOperations(whole, call, place)))
}
