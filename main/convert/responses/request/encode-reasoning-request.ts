import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { fittedEffort } from '../../reasoning/effort.ts'

/** `reasoning`: effort by the model's own scale, and a summary where the client wants to read thoughts. */
export function encodeReasoningRequest(
  { origin, reasoning }: ExchangeRequest,
  target: RequestTarget,
): JsonObject {
  if (!reasoning) return {}
  if (origin === 'responses') {
    return {
      ...(reasoning.effort ? { effort: reasoning.effort } : {}),
      ...(reasoning.isShown ? { summary: 'auto' } : {}),
    }
  }
  const { rules } = target
  const effort = fittedEffort(reasoning, target, 'effort')
  const thinks = rules.thinking !== 'none' && effort !== 'none'
  const asked = effort === undefined ? {} : { effort }
  return { ...asked, ...(reasoning.isShown && thinks ? { summary: 'auto' } : {}) }
}
