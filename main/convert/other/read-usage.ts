import type { Usage, UsageDetail } from '../exchange.ts'
import { asObject, asTokenCount } from '../json/json-value.ts'

/** A usage of so many tokens read, and of what else is given. */
export function inputUsage(input: number, detail: UsageDetail = {}): Usage {
  const usage = { input, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  return Object.keys(detail).length > 0 ? { ...usage, detail } : usage
}

/**
 * `usage` of an answer without output: `prompt_tokens` (OpenAI, vLLM), or only `total_tokens` (Jina,
 * Voyage). Null where it tells neither.
 */
export function readTokenUsage(value: unknown): Usage | null {
  const usage = asObject(value)
  const input = asTokenCount(usage?.prompt_tokens) ?? asTokenCount(usage?.total_tokens)
  return input === undefined ? null : inputUsage(input)
}

/**
 * `meta` of Cohere's answers: tokens and search units that are billed, else the tokens that were read
 * (https://docs.cohere.com/reference/rerank). Null where it tells neither.
 */
export function readCohereMeta(value: unknown): Usage | null {
  const meta = asObject(value)
  const billed = asObject(meta?.billed_units)
  const input =
    asTokenCount(billed?.input_tokens) ?? asTokenCount(asObject(meta?.tokens)?.input_tokens)
  const searchUnits = asTokenCount(billed?.search_units)
  if (input === undefined && searchUnits === undefined) return null
  return inputUsage(input ?? 0, searchUnits === undefined ? {} : { searchUnits })
}
