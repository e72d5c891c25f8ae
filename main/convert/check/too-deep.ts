import { GatewayError } from '../../base/errors.ts'

/** What may be too deep, in a sentence. */
const refusals = {
  lists_too_deep: 'The lists of models or tools are nested too deep. Send them with fewer levels.',
  request_too_deep: 'The request is nested too deep. Send it with fewer levels.',
} as const

/**
 * What `read`, which goes through a client's request level by level, returns. Throws `invalid_request` for more levels
 * than the stack has room for: that is valid JSON, and only the client can change it.
 */
export function withinStack<Value>(code: keyof typeof refusals, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof RangeError) || !/call stack/.test(cause.message)) throw cause
    throw new GatewayError('invalid_request', { message: refusals[code], reason: { code }, cause })
  }
}
