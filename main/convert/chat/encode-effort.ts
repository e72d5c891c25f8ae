import type { RequestTarget } from '../conversion.ts'
import type { Effort, ExchangeRequest, ReasoningRequest } from '../exchange.ts'
import { efforts } from './decode-reasoning-request.ts'

/** Borders of a budget in tokens, up to which it counts as so much effort (wire-formats 8.5). */
const borders: readonly (readonly [number, Effort])[] = [
  [0, 'none'],
  [2048, 'low'],
  [8192, 'medium'],
]

/** Undefined where the model decides: adaptive or dynamic thinking without an effort. */
function wantedEffort({ mode, effort, budget }: ReasoningRequest): Effort | undefined {
  if (mode === 'off') return 'none'
  if (effort) return effort
  if (typeof budget !== 'number' || budget < 0) return undefined
  return borders.find(([most]) => budget <= most)?.[1] ?? 'high'
}

/** The highest accepted effort up to the wanted one; the lowest where all are higher. */
function nearestEffort(wanted: Effort, accepted: readonly Effort[]): Effort | undefined {
  if (accepted.includes(wanted)) return wanted
  const rank = (effort: Effort) => efforts.indexOf(effort)
  // `none` is no little thinking, but none.
  const thinking = accepted.filter((effort) => effort !== 'none')
  const below = thinking.filter((effort) => rank(effort) <= rank(wanted))
  return below.at(-1) ?? thinking[0]
}

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
  if (rule === 'unset') {
    if (wanted !== undefined) loss.drop(path, 'beside tools this model takes no reasoning effort')
    return {}
  }
  if (wanted !== 'none') loss.approximate(path, 'beside tools this model takes no effort but none')
  return { reasoning_effort: 'none' }
}

/** The field that asks for thoughts, as the part of a body to spread; wire-formats 8.5, read backwards. */
export function encodeEffort(
  request: ExchangeRequest,
  target: RequestTarget,
): Record<string, unknown> {
  const { origin, reasoning } = request
  const { rules, loss } = target
  const fixed = effortBesideTools(request, target)
  if (fixed) return fixed
  if (!reasoning) return {}
  const own = origin === 'chat' ? ownSpelling(reasoning) : null
  if (own) return own
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
  if (effort !== wanted || reasoning.effort !== wanted) {
    loss.approximate(path, `sent as reasoning_effort ${effort}`)
  }
  return { reasoning_effort: effort }
}
