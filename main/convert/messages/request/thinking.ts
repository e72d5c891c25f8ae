import type { RequestTarget } from '../../conversion.ts'
import type { Effort, ExchangeRequest, ReasoningRequest } from '../../exchange.ts'
import { noteSecondAmount } from '../../reasoning/effort.ts'

/** A body's settings of thinking and its token limit. */
export interface EncodedThinking {
  thinking?: Record<string, unknown>
  /** For `output_config.effort`. */
  effort?: string
  maxTokens: number
  /** Will the model think, as far as the body says? */
  isOn: boolean
}

/** Shares of the greatest output that a budget takes, by effort (wire formats 8.5). */
const shares: Readonly<Partial<Record<Effort, number>>> = {
  minimal: 0.02,
  low: 0.1,
  medium: 0.3,
  high: 0.6,
  xhigh: 0.9,
  max: 0.95,
}

/** Tokens that stay for the answer itself where budget and limit meet. */
const ROOM = 1024

const scale: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The client's own words again. */
export function ownThinking({ mode, budget, isShown, effort }: ReasoningRequest): {
  thinking?: Record<string, unknown>
  effort?: string
} {
  const display = isShown === undefined ? {} : { display: isShown ? 'summarized' : 'omitted' }
  const spoken = effort === undefined ? {} : { effort }
  switch (mode) {
    case 'off':
      return { thinking: { type: 'disabled' }, ...spoken }
    case 'between-tools':
      return { thinking: { type: 'between_tools' }, ...spoken }
    case 'adaptive':
      return { thinking: { type: 'adaptive', ...display }, ...spoken }
    case 'on':
      return { thinking: { type: 'enabled', budget_tokens: budget, ...display }, ...spoken }
    default:
      return spoken
  }
}

const isOff = ({ mode, effort, budget }: ReasoningRequest): boolean =>
  mode === 'off' || effort === 'none' || budget === 0

/** Thinking and limit for a request of another format, by the model's rules. */
export function encodeThinking(
  request: ExchangeRequest,
  target: RequestTarget,
  mustBeOff: boolean,
): EncodedThinking {
  const { rules, loss } = target
  const maxTokens = limitOf(request, target)
  const wanted = request.reasoning
  const plain = { maxTokens, isOn: false }
  if (rules.thinking === 'none') {
    if (wanted && !isOff(wanted)) loss.drop(loss.field('reasoning'), 'model_thinks_not')
    return plain
  }
  if (mustBeOff || (wanted && isOff(wanted))) {
    if (wanted) noteSecondAmount(wanted, 'none', loss)
    return turnedOff(maxTokens, target)
  }
  if (!wanted) return plain
  const { budget, effort } = wanted
  const takesBudget = rules.budgetThinking && typeof budget === 'number'
  noteSecondAmount(wanted, takesBudget ? 'budget' : effort, loss)
  if (takesBudget) {
    return withBudget(budget, maxTokens, request, target)
  }
  if (rules.thinking === 'adaptive') return adaptive(wanted, maxTokens, target)
  const share = shares[effort ?? (wanted.mode === 'on' ? 'medium' : 'none')]
  // Without a word of how much, the model's default holds, which is not to think.
  if (share === undefined) {
    if (budget === 'dynamic' || wanted.isShown) {
      loss.drop(loss.field('reasoning'), 'thinks_only_when_told_how_much')
    }
    return plain
  }
  return withBudget(Math.floor(share * rules.maxOutput), maxTokens, request, target)
}

/** `max_tokens`, which is required here and never more than the model gives. */
function limitOf({ maxOutput }: ExchangeRequest, { rules, loss }: RequestTarget): number {
  const field = loss.field('maxOutput')
  if (maxOutput === undefined) return rules.maxOutput
  if (!Number.isInteger(maxOutput) || maxOutput < 1) {
    loss.refuse(field, { code: 'must_be_integer_of_at_least', least: 1 })
  }
  if (maxOutput <= rules.maxOutput) return maxOutput
  loss.approximate(field, { code: 'output_at_most', most: rules.maxOutput })
  return rules.maxOutput
}

function turnedOff(maxTokens: number, { rules, loss }: RequestTarget): EncodedThinking {
  const field = loss.field('reasoning')
  switch (rules.thinkingOff) {
    case 'between-tools':
      loss.approximate(field, 'thinking_between_tools')
      return { thinking: { type: 'between_tools' }, maxTokens, isOn: true }
    case 'no': {
      loss.approximate(field, 'always_thinks')
      const [effort] = rules.efforts
      return { ...(effort === undefined ? {} : { effort }), maxTokens, isOn: true }
    }
    default:
      return { thinking: { type: 'disabled' }, maxTokens, isOn: false }
  }
}

/** A model that decides itself how much it thinks is told an effort. */
function adaptive(
  { effort, budget, isShown, mode }: ReasoningRequest,
  maxTokens: number,
  { rules, loss }: RequestTarget,
): EncodedThinking {
  const wanted = effort ?? (typeof budget === 'number' ? effortOf(budget) : undefined)
  if (wanted === undefined && budget === undefined && mode === undefined && isShown !== true) {
    return { maxTokens, isOn: false }
  }
  const spoken = wanted === undefined ? undefined : nearest(wanted, rules.efforts)
  if (wanted !== undefined && (spoken !== wanted || effort === undefined)) {
    loss.approximate(
      loss.field('reasoning'),
      spoken ? { code: 'as_effort', effort: spoken } : 'as_own_effort',
    )
  }
  const display = isShown === undefined ? {} : { display: isShown ? 'summarized' : 'omitted' }
  return {
    thinking: { type: 'adaptive', ...display },
    ...(spoken === undefined ? {} : { effort: spoken }),
    maxTokens,
    isOn: true,
  }
}

/** The effort that a number of tokens comes near to (wire formats 8.5). */
const effortOf = (budget: number): Effort =>
  budget <= 2048 ? 'low' : budget <= 8192 ? 'medium' : 'high'

/** The wanted effort or the next lower one that the model knows, else its lowest. */
function nearest(effort: Effort, known: readonly Effort[]): Effort | undefined {
  const limit = scale.indexOf(effort)
  return known.findLast((one) => scale.indexOf(one) <= limit) ?? known[0]
}

/** The limit counts thoughts too: what the client asked for was the visible text, so the budget is added. */
function withBudget(
  wanted: number,
  maxTokens: number,
  { maxOutput }: ExchangeRequest,
  { rules, loss }: RequestTarget,
): EncodedThinking {
  const field = loss.field('maxOutput')
  const most = Math.min(rules.maxBudget, rules.maxOutput - ROOM)
  if (most < rules.minBudget) {
    loss.drop(loss.field('reasoning'), 'few_tokens_to_think')
    return { maxTokens, isOn: false }
  }
  const budget = Math.max(rules.minBudget, Math.min(wanted, most))
  const raised = Math.min(maxTokens + budget, rules.maxOutput)
  if (maxOutput !== undefined && raised > maxTokens) {
    loss.approximate(field, 'raised_by_thoughts')
  }
  return {
    thinking: { type: 'enabled', budget_tokens: budget },
    maxTokens: raised,
    isOn: true,
  }
}
