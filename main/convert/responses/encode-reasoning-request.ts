import type { RequestTarget } from '../conversion.ts'
import type { Effort, ExchangeRequest, ReasoningRequest } from '../exchange.ts'

type Fields = Record<string, unknown>

const rising: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** Budgets in tokens up to which they count as so much effort (wire-formats 8.5). */
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
  // `none` is no little thinking, but none.
  const thinking = accepted.filter((effort) => effort !== 'none')
  const below = thinking.filter((effort) => rising.indexOf(effort) <= rising.indexOf(wanted))
  return below.at(-1) ?? thinking[0]
}

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
