import type { RequestTarget } from '../conversion.ts'
import { nearestEffort, wantedEffort } from '../effort.ts'
import type { ExchangeRequest, ReasoningRequest } from '../exchange.ts'

type Fields = Record<string, unknown>

function encodeEffort(reasoning: ReasoningRequest, { rules, loss }: RequestTarget): Fields {
  const path = loss.field('reasoning')
  const wanted = wantedEffort(reasoning)
  if (wanted === undefined) {
    if (reasoning.mode === 'between-tools') loss.drop(path, 'the model decides when it thinks')
    return {}
  }
  const effort = nearestEffort(wanted, rules.efforts)
  if (effort === undefined) {
    // A model that does not think needs not be told so.
    if (wanted !== 'none' || rules.thinkingOff !== 'yes') {
      loss.drop(path, 'this model takes no reasoning effort')
    }
    return {}
  }
  if (effort !== reasoning.effort) loss.approximate(path, `sent as effort ${effort}`)
  return { effort }
}

/** `reasoning`: effort by the model's own scale, and a summary where the client wants to read thoughts. */
export function encodeReasoningRequest(
  { origin, reasoning }: ExchangeRequest,
  target: RequestTarget,
): Fields {
  if (!reasoning) return {}
  if (origin === 'responses') {
    return {
      ...(reasoning.effort ? { effort: reasoning.effort } : {}),
      ...(reasoning.isShown ? { summary: 'auto' } : {}),
    }
  }
  const { rules } = target
  const effort = encodeEffort(reasoning, target)
  const thinks = rules.thinking !== 'none' && effort.effort !== 'none'
  return { ...effort, ...(reasoning.isShown && thinks ? { summary: 'auto' } : {}) }
}
