import type { AnswerFault } from '../../base/sentences/answer-faults.ts'
import { readVendorError } from '../errors/vendor-error.ts'
import { wrongAnswer } from '../errors/wrong-answer.ts'

/** Throws `upstream_invalid`. */
export function invalidAnswer(fault: AnswerFault): never {
  throw wrongAnswer(fault)
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
    invalidAnswer('answer_no_json')
  }
  const error = readVendorError(answer)
  if (error) invalidAnswer({ code: 'answer_is_error', said: error.message })
  return answer
}
