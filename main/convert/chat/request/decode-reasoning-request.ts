import { refuse } from '../../check/check-request.ts'
import type { Effort, ReasoningRequest } from '../../exchange.ts'
import { innerFields } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asCount, asObject } from '../../json/json-value.ts'
import { risingEfforts } from '../../reasoning/effort.ts'

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
  return effort ?? refuse(path, { code: 'must_be_one_of', values: risingEfforts.join(', ') })
}

const modes = new Map<unknown, NonNullable<ReasoningRequest['mode']>>([
  ['disabled', 'off'],
  ['enabled', 'on'],
  ['adaptive', 'adaptive'],
  ['auto', 'adaptive'],
])

/**
 * `thinking` as DeepSeek, GLM, Kimi and LiteLLM have it, after Anthropic. Gives what it says beyond: Z.ai's
 * `clear_thinking` (https://docs.z.ai/guides/capabilities/thinking-mode), a type that is not known here.
 */
function decodeThinking(thinking: JsonObject, request: ReasoningRequest): JsonObject {
  const mode = modes.get(thinking.type)
  if (mode) request.mode = mode
  const budget = asCount(thinking.budget_tokens)
  if (budget !== undefined) request.budget = budget
  const known = [...(mode ? ['type'] : []), ...(budget === undefined ? [] : ['budget_tokens'])]
  return innerFields('thinking', thinking, new Set(known))
}

/** OpenRouter's object: https://openrouter.ai/docs/use-cases/reasoning-tokens */
function decodeRouter(reasoning: JsonObject, request: ReasoningRequest): JsonObject {
  const effort = decodeEffort(reasoning.effort, 'reasoning.effort')
  if (effort) request.effort = effort
  const budget = asCount(reasoning.max_tokens)
  if (budget !== undefined) request.budget = budget
  const { enabled, exclude } = reasoning
  if (typeof enabled === 'boolean') request.mode = enabled ? 'on' : 'off'
  request.isShown = exclude !== true
  const known = [
    'effort',
    ...(typeof enabled === 'boolean' ? ['enabled'] : []),
    ...(typeof exclude === 'boolean' ? ['exclude'] : []),
    ...(budget === undefined ? [] : ['max_tokens']),
  ]
  return innerFields('reasoning', reasoning, new Set(known))
}

/** Vendors' own fields with a value that says nothing here; a vendor that has the field may know it. */
function unreadable(body: JsonObject): JsonObject {
  const objects = ['thinking', 'reasoning'].filter((name) => !asObject(body[name]))
  const switches = ['enable_thinking', 'include_reasoning'].filter(
    (name) => typeof body[name] !== 'boolean',
  )
  const sent = [...objects, ...switches].filter((name) => (body[name] ?? null) !== null)
  return Object.fromEntries(sent.map((name) => [name, body[name]]))
}

/**
 * How much the model is to think, in OpenAI's word and in those of OpenRouter (`reasoning`), DeepSeek, GLM and
 * Kimi (`thinking`) and Qwen (`enable_thinking`, `thinking_budget`); `kept` is what the exchange has no word for.
 */
export function decodeReasoningRequest(body: JsonObject): {
  reasoning?: ReasoningRequest
  kept: JsonObject
} {
  const request: ReasoningRequest = {}
  const kept = unreadable(body)
  const thinking = asObject(body.thinking)
  if (thinking) Object.assign(kept, decodeThinking(thinking, request))
  if (typeof body.enable_thinking === 'boolean') request.mode = body.enable_thinking ? 'on' : 'off'
  const budget = asCount(body.thinking_budget)
  if (budget !== undefined) request.budget = budget
  else if ((body.thinking_budget ?? null) !== null) kept.thinking_budget = body.thinking_budget
  const router = asObject(body.reasoning)
  if (router) Object.assign(kept, decodeRouter(router, request))
  if (typeof body.include_reasoning === 'boolean') request.isShown = body.include_reasoning
  const effort = decodeEffort(body.reasoning_effort, 'reasoning_effort')
  if (effort) request.effort = effort
  return { ...(Object.keys(request).length === 0 ? {} : { reasoning: request }), kept }
}
