import type { RequestTarget } from '../conversion.ts'
import type { Effort, ReasoningRequest } from '../exchange.ts'
import type { Loss } from '../loss.ts'

/** All efforts, the least first. */
export const risingEfforts: readonly Effort[] = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
]

/** Budgets in tokens up to which they count as so much effort (wire-formats 8.5). */
const borders: readonly (readonly [number, Effort])[] = [
  [0, 'none'],
  [2048, 'low'],
  [8192, 'medium'],
]

/** OpenAI's word for what a client asks; undefined where the model decides: adaptive or dynamic thinking. */
export function wantedEffort({ mode, effort, budget }: ReasoningRequest): Effort | undefined {
  if (mode === 'off') return 'none'
  if (effort) return effort
  if (typeof budget !== 'number' || budget < 0) return undefined
  return borders.find(([most]) => budget <= most)?.[1] ?? 'high'
}

/** The highest accepted effort up to the wanted one; the lowest where all are higher. */
export function nearestEffort(wanted: Effort, accepted: readonly Effort[]): Effort | undefined {
  if (accepted.includes(wanted)) return wanted
  const rank = (effort: Effort) => risingEfforts.indexOf(effort)
  // `none` is no little thinking, but none.
  const thinking = accepted.filter((effort) => effort !== 'none')
  const below = thinking.filter((effort) => rank(effort) <= rank(wanted))
  return below.at(-1) ?? thinking[0]
}

/** A client may say how much in two ways, of which one goes on. */
export function noteSecondAmount(
  { effort, budget }: ReasoningRequest,
  sent: Effort | 'budget' | undefined,
  loss: Loss,
): void {
  const path = loss.field('reasoning')
  const isEffortLost = effort !== undefined && sent !== effort
  if (isEffortLost && sent === 'budget') loss.approximate(path, 'budget_sent')
  else if (isEffortLost && sent === 'none') loss.approximate(path, 'effort_of_off')
  else if (effort !== undefined && typeof budget === 'number' && sent !== 'budget')
    loss.approximate(path, 'effort_sent')
}

function takenEffort(
  reasoning: ReasoningRequest,
  { rules, loss }: RequestTarget,
  name: string,
): Effort | undefined {
  const path = loss.field('reasoning')
  const wanted = wantedEffort(reasoning)
  if (wanted === undefined) {
    const { mode, budget } = reasoning
    if (mode === 'between-tools') loss.drop(path, 'model_decides_thinking')
    else if ((mode !== undefined || budget !== undefined) && rules.thinking === 'none')
      loss.drop(path, 'model_thinks_not')
    return undefined
  }
  const effort = nearestEffort(wanted, rules.efforts)
  if (effort === undefined) {
    // A model that does not think needs not be told so.
    if (wanted !== 'none' || rules.thinkingOff !== 'yes') {
      loss.drop(path, 'no_effort')
    }
    return undefined
  }
  if (effort !== wanted || reasoning.effort !== wanted) {
    loss.approximate(path, { code: 'sent_as', value: `${name} ${effort}` })
  }
  return effort
}

/**
 * The effort that OpenAI's formats are to ask of a model, in the field called `name`; undefined where none is
 * to be sent. What differs from the client's wish is noted.
 */
export function fittedEffort(
  reasoning: ReasoningRequest,
  target: RequestTarget,
  name: string,
): Effort | undefined {
  const effort = takenEffort(reasoning, target, name)
  noteSecondAmount(reasoning, wantedEffort(reasoning), target.loss)
  return effort
}
