import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, ReasoningRequest } from '../../exchange.ts'
import { fittedEffort, noteSecondAmount, wantedEffort } from '../../reasoning/effort.ts'
import { demandsCall } from '../../tools/demands-call.ts'

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
 * Many vendors' models think unless a field of the vendor's own turns it off, and refuse a demanded call while they
 * think (deepseek-ai/DeepSeek-V3#1376). An effort beside the field is a 400 at DeepSeek
 * (deepseek-ai/awesome-deepseek-agent#193).
 */
function switchedOff(
  request: ExchangeRequest,
  { rules, loss }: RequestTarget,
): Record<string, unknown> | null {
  const { reasoning } = request
  const field = rules.thinkingSwitch
  if (field === 'none') return null
  if (reasoning) {
    if (wantedEffort(reasoning) !== 'none') return null
    noteSecondAmount(reasoning, 'none', loss)
  } else {
    if (rules.forcedTool !== 'without-thinking' || !demandsCall(request)) return null
    loss.approximate(loss.field('toolChoice'), 'thinking_off')
  }
  return field === 'thinking' ? { thinking: { type: 'disabled' } } : { enable_thinking: false }
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
  const own = reasoning && origin === 'chat' ? ownSpelling(reasoning) : null
  const switched = own ?? switchedOff(request, target)
  if (switched) return switched
  if (!reasoning) return {}
  const effort = fittedEffort(reasoning, target, 'reasoning_effort')
  return effort === undefined ? {} : { reasoning_effort: effort }
}
