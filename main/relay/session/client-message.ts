import { GatewayError } from '../../base/errors.ts'
import { JsonFields } from '../../convert/json-fields.ts'

/** A client's message as fields; throws `invalid_json`. */
export function fieldsOf(data: Buffer, isBinary: boolean): JsonFields {
  try {
    if (!isBinary) return new JsonFields(data)
  } catch {
    // Told below.
  }
  throw new GatewayError('invalid_json', { message: 'A message must be a JSON object, as text.' })
}

/** `stream_id`, the lane that a message names; null where it names none. */
export const laneOf = (fields: JsonFields): string | null => {
  const lane = fields.get('stream_id')
  return typeof lane === 'string' ? lane : null
}
