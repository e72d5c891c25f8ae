import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, ReasoningRequest } from '../../exchange.ts'
import { fittedEffort, wantedEffort } from '../../reasoning/effort.ts'

/** OpenRouter's and other vendors' spellings, for a client that used them. */
function ownSpelling(reasoning: ReasoningRequest): Record<string, unknown> | null {
  const { mode, effort, budget, isShown } = reasoning
  if (isShown !== undefined) {
    return {
      reasoning: {
        ...(mode === 'on' || mode === 'off' ? { enabled: mode === 'on' } : {}),
        ...(effort ? { effort } : {}),
        ...(typeof budget === 'number' ? { max_tokens: budget } : {}),
        ...(isShown ? {} : { exclude: true }),
      },
    }
  }
  if (mode === undefined && budget === undefined) return null
  const type = mode === 'off' ? 'disabled' : mode === 'adaptive' ? 'adaptive' : 'enabled'
  return {
    thinking: { type, ...(typeof budget === 'number' ? { budget_tokens: budget } : {}) },
    ...(effort ? { reasoning_effort: effort } : {}),
  }
}

/**
 * Beside functions some models take one effort only, or none at all. What the client of this format says is
 * left alone. Undefined where nothing of that holds.
 */
function effortBesideTools(
  { origin, reasoning, tools }: ExchangeRequest,
  { rules, loss }: RequestTarget,
): Record<string, unknown> | undefined {
  const rule = rules.effortWithTools
  const isFree = rule === 'any' || origin === 'chat' || tools.every(({ type }) => type === 'hosted')
  if (isFree) return undefined
  const path = loss.field('reasoning')
  const wanted = reasoning && wantedEffort(reasoning)
  if (rule !== 'none') {
    if (wanted !== undefined) loss.drop(path, 'no_effort_beside_tools')
    return {}
  }
  if (wanted !== 'none') loss.approximate(path, 'only_none_beside_tools')
  return { reasoning_effort: 'none' }
}

/** The field that asks for thoughts, as the part of a body to spread; wire-formats 8.5, read backwards. */
export function encodeEffort(
  request: ExchangeRequest,
  target: RequestTarget,
): Record<string, unknown> {
  const { origin, reasoning } = request
  const fixed = effortBesideTools(request, target)
  if (fixed) return fixed
  if (!reasoning) return {}
  const own = origin === 'chat' ? ownSpelling(reasoning) : null
  if (own) return own
  const effort = fittedEffort(reasoning, target, 'reasoning_effort')
  return effort === undefined ? {} : { reasoning_effort: effort }
}
