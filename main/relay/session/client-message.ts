import { Cancellation } from '../../base/cancellation.ts'
import { GatewayError } from '../../base/errors.ts'
import { requestId } from '../../base/ids.ts'
import type { Captures } from '../../capture/captures.ts'
import { refuse, requireCount } from '../../convert/check/check-request.ts'
import { namedModels } from '../../convert/check/named-models.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import { asObject } from '../../convert/json/json-value.ts'
import { refuseBackground } from '../../convert/responses/request/check-request.ts'
import { responsesMessageGuard } from '../../convert/responses/request/guard.ts'
import { ownNames } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'

function jsonFieldsOf(data: Buffer, isBinary: boolean): JsonFields {
  try {
    if (!isBinary) return new JsonFields(data)
  } catch {
    // Told below.
  }
  throw new GatewayError('invalid_json', {
    message: 'A message must be a JSON object, as text.',
    reason: { code: 'message_no_object' },
  })
}

/** A client's message as fields; throws `invalid_json`, or `invalid_request` where parsers could read it in two ways. */
export function fieldsOf(data: Buffer, isBinary: boolean): JsonFields {
  const fields = jsonFieldsOf(data, isBinary)
  responsesMessageGuard.check(fields)
  // Realtime sessions have what is asked in there, and what reads both might look there here too.
  const isCall = fields.get('type') === 'response.create'
  responsesMessageGuard.checkNotWithin(fields, 'response', isCall ? ['model', 'type'] : ['type'])
  return fields
}

/** `stream_id`, the lane that a message names; null where it names none. */
export const laneOf = (fields: JsonFields): string | null => {
  const lane = fields.get('stream_id')
  return typeof lane === 'string' ? lane : null
}

/** The connection's facts that every call of it shares. */
export type ConnectionFacts = Pick<Call, 'path' | 'headers' | 'query' | 'caller'>

/** The model that a `response.create` says once more within its `response`; null where it doesn't. */
export const innerModel = (fields: JsonFields): unknown =>
  asObject(fields.get('response'))?.model ?? null

/** What each call has of its own. */
function begin(
  { path, headers, caller, model }: ConnectionFacts & Pick<Call, 'model'>,
  captures: Pick<Captures, 'begin'>,
) {
  const id = requestId()
  const receivedAt = performance.now()
  const capture = captures.begin({
    ...{ id, receivedAt, format: 'responses', model, method: 'GET', url: path, headers },
    ...{ userId: caller.user.id, tokenId: caller.token?.id ?? 0 },
  })
  return { id, receivedAt, capture, cancellation: new Cancellation() }
}

/** Another call that goes on from this one, without a word of the client's. */
export const nextCall = (call: Call, captures: Pick<Captures, 'begin'>): Call => ({
  ...call,
  ...begin(call, captures),
})

/** A `response.create` as a call of its own; throws where it names no model. */
export function callOf(
  fields: JsonFields,
  facts: ConnectionFacts,
  captures: Pick<Captures, 'begin'>,
): Call {
  const model = fields.get('model')
  if (typeof model !== 'string' || model === '') {
    throw new GatewayError('invalid_request', {
      message: 'model: is required: the name of a model, as GET /v1/models lists it.',
      reason: { code: 'model_missing' },
      field: 'model',
    })
  }
  const inner = innerModel(fields)
  if (inner !== null && inner !== model) refuse('response.model', 'model_says_it')
  refuseBackground(fields)
  requireCount(fields, 'max_output_tokens')
  const [other] = namedModels(fields)
  if (other) refuse(other.at, 'not_over_websocket')
  const named = ownNames(facts.caller.token, model, fields)
  const begun = begin({ ...facts, ...named }, captures)
  for (const piece of fields.pieces) begun.capture?.frame('client-in', piece)
  return {
    ...facts,
    ...begun,
    format: 'responses',
    verb: 'generate',
    ...named,
    stream: true,
    asArray: false,
    form: null,
    group: null,
    origin: '',
  }
}

/** Where a message belongs by its lane alone; null for what is no JSON. */
export function markOf(data: Buffer): { lane: string | null; id: null } | null {
  try {
    return { lane: laneOf(new JsonFields(data)), id: null }
  } catch {
    return null
  }
}
