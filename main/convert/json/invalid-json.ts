import { GatewayError } from '../../base/errors.ts'
import type { Sentence } from '../../base/reason.ts'

/** Error for a body that is no JSON, or no object. */
export function invalidJson(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause
  const problem: Sentence =
    cause instanceof SyntaxError
      ? {
          message: `The request body is not valid JSON: ${cause.message}.`,
          reason: { code: 'body_no_json', problem: cause.message },
        }
      : { message: 'The request body must be a JSON object.', reason: { code: 'body_no_object' } }
  return new GatewayError('invalid_json', { ...problem, cause })
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
