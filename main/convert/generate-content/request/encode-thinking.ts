import type { Effort, ExchangeRequest, ReasoningRequest } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { noteSecondAmount } from '../../reasoning/effort.ts'
import type { Encoding } from '../encoding.ts'

/** Shares of a model's highest budget. */
const shares: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 0.02,
  low: 0.1,
  medium: 0.3,
  high: 0.6,
  xhigh: 0.9,
  max: 1,
}

/** Share of the output limit that thinking may use, where both count toward it. */
const MOST_OF_OUTPUT = 0.95

const rising: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** Tokens up to which a budget is low or medium. */
const LOW_BUDGET = 2048
const MEDIUM_BUDGET = 8192

const effortOf = (budget: number): Effort =>
  budget <= 0 ? 'none' : budget <= LOW_BUDGET ? 'low' : budget <= MEDIUM_BUDGET ? 'medium' : 'high'

/** The client's wish as one effort; undefined leaves it to the model. */
function wantedEffort({ effort, budget, mode }: ReasoningRequest): Effort | undefined {
  if (mode === 'off' || mode === 'between-tools') return 'none'
  if (effort) return effort
  return typeof budget === 'number' ? effortOf(budget) : undefined
}

/** The model's own level nearest above, or else its highest. */
function levelFor(effort: Effort, efforts: readonly Effort[]): Effort | undefined {
  const least = rising.indexOf(effort)
  return efforts.find((one) => rising.indexOf(one) >= least) ?? efforts.at(-1)
}

function encodeLevel(reasoning: ReasoningRequest, { rules, loss }: Encoding): JsonObject {
  const path = loss.field('reasoning')
  const effort = wantedEffort(reasoning)
  noteSecondAmount(reasoning, effort, loss)
  if (!effort) return {}
  const level = levelFor(effort, rules.efforts)
  if (!level) {
    loss.drop(path, 'no_word_of_thinking')
    return {}
  }
  if (effort === 'none') loss.approximate(path, 'thinking_lowest_level')
  else if (typeof reasoning.budget === 'number' && !reasoning.effort) {
    loss.approximate(path, { code: 'budget_as_level', level })
  } else if (level !== effort) loss.approximate(path, { code: 'nearest_level', level })
  return { thinkingLevel: level.toUpperCase() }
}

function encodeBudget(
  request: ExchangeRequest,
  reasoning: ReasoningRequest,
  encoding: Encoding,
): JsonObject {
  const { rules, loss } = encoding
  const path = loss.field('reasoning')
  const { budget, mode } = reasoning
  const effort = mode === 'off' || mode === 'between-tools' ? 'none' : reasoning.effort
  const isNone = effort === 'none' || budget === 0
  noteSecondAmount(
    reasoning,
    isNone ? 'none' : typeof budget === 'number' ? 'budget' : effort,
    loss,
  )
  if (isNone && rules.thinkingOff !== 'no') return { thinkingBudget: 0 }
  if (isNone) {
    loss.approximate(path, 'thinking_smallest_budget')
    return { thinkingBudget: rules.minBudget }
  }
  const within = (tokens: number) =>
    Math.min(Math.max(Math.round(tokens), rules.minBudget), rules.maxBudget)
  if (typeof budget === 'number') {
    if (within(budget) !== budget) loss.approximate(path, 'budget_within_limits')
    return { thinkingBudget: within(budget) }
  }
  if (effort) {
    const room = (request.maxOutput ?? Number.POSITIVE_INFINITY) * MOST_OF_OUTPUT
    return { thinkingBudget: within(Math.min(shares[effort] * rules.maxBudget, room)) }
  }
  return budget === 'dynamic' ? { thinkingBudget: -1 } : {}
}

/** As the client of this format said it; level and budget never go together. */
function encodeOwn({ effort, budget }: ReasoningRequest): JsonObject {
  if (budget !== undefined) return { thinkingBudget: budget === 'dynamic' ? -1 : budget }
  return effort ? { thinkingLevel: effort.toUpperCase() } : {}
}

/** `thinkingConfig`; empty where nothing is asked for. */
export function encodeThinking(request: ExchangeRequest, encoding: Encoding): JsonObject {
  const { reasoning } = request
  if (!reasoning) return {}
  const { isOwn, rules, loss } = encoding
  const shown = reasoning.isShown === undefined ? {} : { includeThoughts: reasoning.isShown }
  if (isOwn) return { ...shown, ...encodeOwn(reasoning) }
  if (rules.thinking === 'none') {
    if (wantedEffort(reasoning) !== 'none') loss.drop(loss.field('reasoning'), 'model_thinks_not')
    return {}
  }
  const amount =
    rules.thinking === 'budget'
      ? encodeBudget(request, reasoning, encoding)
      : encodeLevel(reasoning, encoding)
  // Thoughts can be asked for only where there are some.
  return amount.thinkingBudget === 0 ? amount : { ...shown, ...amount }
}
