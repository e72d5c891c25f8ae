import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'

/** Where a text is no JSON, in English and by code. */
export class JsonFault extends SyntaxError {
  readonly reason: Reason

  constructor(message: string, reason: Reason) {
    super(message)
    this.reason = reason
  }
}

/** Error for a body that is no JSON, or no object. */
export function invalidJson(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause
  if (!(cause instanceof SyntaxError)) {
    return new GatewayError('invalid_json', {
      message: 'The request body must be a JSON object.',
      reason: { code: 'body_no_object' },
      cause,
    })
  }
  return new GatewayError('invalid_json', {
    message: `The request body is not valid JSON: ${cause.message}.`,
    reason: {
      code: 'request_no_json',
      why: cause instanceof JsonFault ? cause.reason : cause.message,
    },
    cause,
  })
}

/**
 * Result of `parse`; throws `invalid_json` where the text is not JSON. Of a long body only the structure is checked
 * when it comes, so that a broken string in it shows when somebody looks.
 */
export function readingJson<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (cause) {
    throw invalidJson(cause)
  }
}
