import type { Usage } from '../../exchange.ts'
import { asCount, asObject } from '../../json/json-value.ts'
import { withinPrompt } from '../../openai/openai-usage.ts'

/**
 * Usage of a Responses answer (https://platform.openai.com/docs/api-reference/responses/object).
 * `input_tokens` counts the cached part too, and `output_tokens` the reasoning.
 */
export function readResponsesUsage(answer: unknown): Usage | null {
  const usage = asObject(asObject(answer)?.usage)
  if (!usage) return null
  const input = asObject(usage.input_tokens_details)
  const output = asObject(usage.output_tokens_details)
  const counts = {
    input: asCount(usage.input_tokens) ?? 0,
    cachedInput: asCount(input?.cached_tokens) ?? 0,
    cacheWrite: asCount(input?.cache_write_tokens) ?? 0,
    output: asCount(usage.output_tokens) ?? 0,
    reasoning: asCount(output?.reasoning_tokens) ?? 0,
  }
  return withinPrompt(counts, asCount(usage.total_tokens))
}

/** Usage as a Responses answer tells it; null where it is not known. */
export const encodeResponsesUsage = (usage: Usage | null): Record<string, unknown> | null =>
  usage && {
    input_tokens: usage.input,
    input_tokens_details: {
      cached_tokens: usage.cachedInput,
      cache_write_tokens: usage.cacheWrite,
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  }
