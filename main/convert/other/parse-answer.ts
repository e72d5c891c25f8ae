import { GatewayError } from '../../base/errors.ts'
import { readVendorError } from '../errors/vendor-error.ts'

/** Throws `upstream_invalid`; `what` goes on from “The upstream’s answer …”. */
export function invalidAnswer(what: string): never {
  throw new GatewayError('upstream_invalid', { message: `The upstream’s answer ${what}.` })
}

/**
 * The JSON of an upstream's whole answer. Throws `upstream_invalid` for what is none, and in the vendor's
 * own words for an error that came as a success.
 */
export function parseAnswer(bytes: Buffer): unknown {
  let answer: unknown
  try {
    answer = JSON.parse(bytes.toString('utf8'))
  } catch {
    invalidAnswer('isn’t JSON')
  }
  const error = readVendorError(answer)
  if (error) invalidAnswer(`is an error: ${error.message}`)
  return answer
}
