import type { Usage, UsageDetail } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString, asTokenCount } from '../../json/json-value.ts'
import { sumUsage } from '../../other/sum-usage.ts'

const inputFields = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']

/** Tokens of an object that counts in Anthropic's words, `usage` or an entry of its `iterations`. */
function countsOf(usage: JsonObject) {
  const count = (name: string) => asTokenCount(usage[name]) ?? 0
  const cacheWrite = count('cache_creation_input_tokens')
  const cachedInput = count('cache_read_input_tokens')
  return {
    // Anthropic's `input_tokens` leaves out both cache parts (https://docs.anthropic.com/en/api/messages).
    input: count('input_tokens') + cacheWrite + cachedInput,
    cachedInput,
    cacheWrite,
    output: count('output_tokens'),
    cacheWrite1h: asTokenCount(asObject(usage.cache_creation)?.ephemeral_1h_input_tokens) ?? 0,
  }
}

/**
 * Usage of a call's compactions together; null where there was none. The fields of `usage` itself leave it
 * out (@anthropic-ai/sdk 1.11, `BetaIterationsUsage`), and the sum of all iterations is billed
 * (https://platform.claude.com/docs/en/build-with-claude/compaction).
 */
export function compactionOf(usage: JsonObject): ReturnType<typeof countsOf> | null {
  const entries = asArray(usage.iterations)
    .map(asObject)
    .filter((one) => one?.type === 'compaction')
  if (entries.length === 0) return null
  const sum = countsOf({})
  for (const entry of entries) {
    const counts = countsOf(entry ?? {})
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name]
  }
  return sum
}

/**
 * What the advisor used that Claude asked, by its model: `usage` itself leaves it out, as it is billed by the advisor's
 * price (https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool).
 */
function advisorsOf(usage: JsonObject): NonNullable<Usage['others']> {
  const found = new Map<string, Usage[]>()
  for (const value of asArray(usage.iterations)) {
    const entry = asObject(value)
    const model = asString(entry?.model)
    if (entry?.type !== 'advisor_message' || model === undefined) continue
    const { cacheWrite1h, ...counts } = countsOf(entry)
    const detail = cacheWrite1h > 0 ? { detail: { cacheWrite1h } } : {}
    found.set(model, [...(found.get(model) ?? []), { ...counts, reasoning: 0, ...detail }])
  }
  return [...found].flatMap(([model, usages]) => {
    const sum = sumUsage(usages)
    return sum ? [{ model, usage: sum }] : []
  })
}

const isZero = (usage: JsonObject, names: readonly string[]): boolean =>
  names.every((name) => !asTokenCount(usage[name]))

/**
 * A stream's usage up to now: each event tells whole sums, so the last value of a field that is not null counts, as
 * in @anthropic-ai/sdk's MessageStream. No model reads or writes nothing, but for a compaction on demand: an event
 * that says so comes from an upstream that fills in what it does not know.
 */
export function mergeUsage(before: JsonObject, next: JsonObject): JsonObject {
  const reported = Object.entries(next).filter(([, value]) => value !== null && value !== undefined)
  const merged = { ...before, ...Object.fromEntries(reported) }
  if (compactionOf(next)) return merged
  const unknown = [
    ...(isZero(next, inputFields) ? inputFields : []),
    ...(isZero(next, ['output_tokens']) ? ['output_tokens'] : []),
  ]
  for (const name of unknown) if (name in before) merged[name] = before[name]
  return merged
}

/** A `usage` object in neutral counting, compactions included; null where it counts nothing that can be read. */
export function decodeUsage(usage: JsonObject | undefined): Usage | null {
  if (!usage) return null
  const compaction = compactionOf(usage)
  const counted = [...inputFields, 'output_tokens'].some(
    (name) => asTokenCount(usage[name]) !== undefined,
  )
  if (!counted && !compaction) return null
  const { cacheWrite1h, ...counts } = countsOf(usage)
  const tools = asObject(usage.server_tool_use)
  const others = advisorsOf(usage)
  const shares = {
    cacheWrite1h: cacheWrite1h + (compaction?.cacheWrite1h ?? 0),
    webSearches: asTokenCount(tools?.web_search_requests) ?? 0,
    webFetches: asTokenCount(tools?.web_fetch_requests) ?? 0,
    compactionInput: compaction?.input ?? 0,
    compactionOutput: compaction?.output ?? 0,
  } satisfies UsageDetail
  const detail: UsageDetail = Object.fromEntries(
    Object.entries(shares).filter(([, count]) => count > 0),
  )
  return {
    input: counts.input + (compaction?.input ?? 0),
    cachedInput: counts.cachedInput + (compaction?.cachedInput ?? 0),
    cacheWrite: counts.cacheWrite + (compaction?.cacheWrite ?? 0),
    output: counts.output + (compaction?.output ?? 0),
    reasoning: asTokenCount(asObject(usage.output_tokens_details)?.thinking_tokens) ?? 0,
    ...(Object.keys(detail).length > 0 ? { detail } : {}),
    // Its `service_tier: "priority"` is capacity that was bought ahead, and has no other price.
    ...(usage.speed === 'fast' ? { tier: 'fast' as const } : {}),
    ...(others.length > 0 ? { others } : {}),
  }
}
