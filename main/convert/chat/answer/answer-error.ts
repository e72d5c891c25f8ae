import { isBlank } from '../../errors/is-blank.ts'
import { readVendorError } from '../../errors/vendor-error.ts'
import type { VendorError } from '../../events/stream-scanner.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'

/**
 * The error in a chunk or whole answer that came with status 200: in the vendors' usual shapes, in Groq's
 * `x_groq`, or in a choice that ended with `error` (OpenRouter). Null where it is none.
 */
export function readAnswerError(answer: JsonObject): VendorError | null {
  if (!isBlank(answer.error) || isBlank(answer.choices)) return readVendorError(answer)
  const groq = asString(asObject(answer.x_groq)?.error)
  if (groq) return { message: groq, status: null, code: null }
  for (const value of asArray(answer.choices)) {
    const choice = asObject(value)
    if (choice?.finish_reason !== 'error' && choice?.finish_reason !== null) continue
    if (choice.error) return readVendorError({ error: choice.error })
    if (choice.finish_reason === 'error') {
      return { message: 'The upstream gave up on its answer.', status: null, code: null }
    }
  }
  return null
}
