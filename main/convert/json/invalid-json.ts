import { GatewayError } from '../../base/errors.ts'

/** Error for a body that is no JSON, or no object. */
export function invalidJson(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause
  const why = cause instanceof SyntaxError ? `is not valid JSON: ${cause.message}` : ''
  return new GatewayError('invalid_json', {
    message: `The request body ${why || 'must be a JSON object'}.`,
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
