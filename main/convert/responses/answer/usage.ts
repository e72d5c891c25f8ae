import type { Usage, UsageDetail } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asTokenCount } from '../../json/json-value.ts'
import { withinPrompt } from '../../openai/openai-usage.ts'
import { pricedTier } from '../../other/priced-tier.ts'

/**
 * Web searches among an answer's items. Opening a page, and looking for words in it, costs nothing but its tokens
 * (https://developers.openai.com/api/docs/guides/tools-web-search); models that don't reason name no action.
 */
export const searchesIn = (items: readonly unknown[]): number =>
  items.map(asObject).filter((item) => {
    const action = asObject(item?.action)?.type ?? 'search'
    return item?.type === 'web_search_call' && action === 'search'
  }).length

/**
 * What the vendor's own tools used beside the answer's tokens: `tool_usage` where it's there, whose searches are the
 * ones that are charged (OpenAI's SDK 7.59, `Response.ToolUsage`), else the searches that were seen.
 */
function toolDetail(told: unknown, seen: number): UsageDetail {
  const tools = asObject(told)
  const webSearches = asTokenCount(asObject(tools?.web_search)?.num_requests) ?? seen
  const imageTool = asTokenCount(asObject(tools?.image_gen)?.total_tokens) ?? 0
  return {
    ...(webSearches > 0 ? { webSearches } : {}),
    ...(imageTool > 0 ? { imageTool } : {}),
  }
}

/** What is written for twelve hours in place of thirty minutes costs more. */
function writeDetail(input: JsonObject | undefined): UsageDetail {
  const cacheWrite12h =
    asTokenCount(asObject(input?.cache_write_tokens_details)?.ttl_12h_tokens) ?? 0
  return cacheWrite12h > 0 ? { cacheWrite12h } : {}
}

/**
 * Usage of a Responses answer (https://platform.openai.com/docs/api-reference/responses/object);
 * null where it counts nothing that can be read. `input_tokens` counts the cached part too, and `output_tokens` the
 * reasoning. `searches` were seen in a stream; those of a whole answer stand in `output`.
 */
export function readResponsesUsage(answer: unknown, searches?: number): Usage | null {
  const usage = asObject(asObject(answer)?.usage)
  const told = [usage?.input_tokens, usage?.output_tokens, usage?.total_tokens]
  if (!usage || told.every((count) => asTokenCount(count) === undefined)) return null
  const input = asObject(usage.input_tokens_details)
  const output = asObject(usage.output_tokens_details)
  const detail = {
    ...writeDetail(input),
    ...toolDetail(
      asObject(answer)?.tool_usage,
      searches ?? searchesIn(asArray(asObject(answer)?.output)),
    ),
  }
  const counts = {
    input: asTokenCount(usage.input_tokens) ?? 0,
    cachedInput: asTokenCount(input?.cached_tokens) ?? 0,
    cacheWrite: asTokenCount(input?.cache_write_tokens) ?? 0,
    output: asTokenCount(usage.output_tokens) ?? 0,
    reasoning: asTokenCount(output?.reasoning_tokens) ?? 0,
    ...pricedTier(asObject(answer)?.service_tier),
    ...(Object.keys(detail).length > 0 ? { detail } : {}),
  }
  return withinPrompt(counts, asTokenCount(usage.total_tokens))
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
