import { refuse } from '../check-request.ts'
import { risingEfforts } from '../effort.ts'
import type { Effort, ReasoningRequest } from '../exchange.ts'
import { asCount, asObject, asString } from '../json-value.ts'

type Fields = Record<string, unknown>

/** OpenAI's field and those that vendors ask for thoughts by. */
export const reasoningRequestFields = [
  'reasoning_effort',
  'reasoning',
  'include_reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
] as const

function decodeEffort(value: unknown, path: string): Effort | undefined {
  // Groq and others have a word for saying nothing.
  if (value === undefined || value === null || value === 'default' || value === 'auto') {
    return undefined
  }
  const effort = risingEfforts.find((one) => one === value)
  return effort ?? refuse(path, `must be one of ${risingEfforts.join(', ')}`)
}

/** `thinking` as DeepSeek, GLM, Kimi and LiteLLM have it, after Anthropic. */
function decodeThinking(thinking: Fields, request: ReasoningRequest): void {
  const type = asString(thinking.type)
  if (type === 'disabled') request.mode = 'off'
  else if (type === 'enabled') request.mode = 'on'
  else if (type === 'adaptive' || type === 'auto') request.mode = 'adaptive'
  const budget = asCount(thinking.budget_tokens)
  if (budget !== undefined) request.budget = budget
}

/** OpenRouter's object: https://openrouter.ai/docs/use-cases/reasoning-tokens */
function decodeRouter(reasoning: Fields, request: ReasoningRequest): void {
  const effort = decodeEffort(reasoning.effort, 'reasoning.effort')
  if (effort) request.effort = effort
  const budget = asCount(reasoning.max_tokens)
  if (budget !== undefined) request.budget = budget
  if (typeof reasoning.enabled === 'boolean') request.mode = reasoning.enabled ? 'on' : 'off'
  request.isShown = reasoning.exclude !== true
}

/**
 * How much the model is to think, in OpenAI's word and in those of OpenRouter (`reasoning`), DeepSeek, GLM and
 * Kimi (`thinking`) and Qwen (`enable_thinking`, `thinking_budget`).
 */
export function decodeReasoningRequest(body: Fields): ReasoningRequest | undefined {
  const request: ReasoningRequest = {}
  const thinking = asObject(body.thinking)
  if (thinking) decodeThinking(thinking, request)
  if (typeof body.enable_thinking === 'boolean') request.mode = body.enable_thinking ? 'on' : 'off'
  const budget = asCount(body.thinking_budget)
  if (budget !== undefined) request.budget = budget
  const router = asObject(body.reasoning)
  if (router) decodeRouter(router, request)
  if (typeof body.include_reasoning === 'boolean') request.isShown = body.include_reasoning
  const effort = decodeEffort(body.reasoning_effort, 'reasoning_effort')
  if (effort) request.effort = effort
  return Object.keys(request).length === 0 ? undefined : request
}
