import type { Usage, UsageDetail } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asTokenCount } from '../../json/json-value.ts'
import { asModelName } from '../../model/model-name.ts'
import { sumUsage } from '../../other/sum-usage.ts'

/** As a `stop_reason`. */
const REFUSAL = 'refusal'

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

interface Iteration {
  type: unknown
  model: string
  usage: Usage
}

/** Entries of `iterations` that say which model they are of. */
const iterationsOf = (usage: JsonObject): Iteration[] =>
  asArray(usage.iterations).flatMap((value) => {
    const entry = asObject(value) ?? {}
    const model = asModelName(entry.model)
    if (model === undefined) return []
    const { cacheWrite1h, ...counts } = countsOf(entry)
    const detail = cacheWrite1h > 0 ? { detail: { cacheWrite1h } } : {}
    return [{ type: entry.type, model, usage: { ...counts, reasoning: 0, ...detail } }]
  })

/**
 * The model that answered where the one asked for, or one after it, had refused: only with these entries is it known
 * (@anthropic-ai/sdk 1.14, `BetaFallbackMessageIterationUsage`).
 */
const fallbackOf = (iterations: readonly Iteration[]): string | undefined =>
  iterations.findLast(({ type }) => type === 'fallback_message')?.model

/**
 * Usage of other models, by their names. `usage` itself leaves out the advisor that Claude asked, as it is billed by
 * the advisor's price (https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool). Of models that
 * refused, what they had said before is billed, and nothing else
 * (https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback).
 */
function othersOf(iterations: readonly Iteration[]): NonNullable<Usage['others']> {
  const fallback = fallbackOf(iterations)
  const found = new Map<string, Usage[]>()
  for (const { type, model, usage } of iterations) {
    const hasRefused = fallback !== undefined && model !== fallback && usage.output > 0
    if (type !== 'advisor_message' && !hasRefused) continue
    found.set(model, [...(found.get(model) ?? []), usage])
  }
  return [...found].flatMap(([model, usages]) => {
    const sum = sumUsage(usages)
    return sum ? [{ model, usage: sum }] : []
  })
}

/** The counts of `usage`; those of the fallback's iterations where one answered. */
function ownCounts(usage: JsonObject, iterations: readonly Iteration[]) {
  const counts = countsOf(usage)
  const fallback = fallbackOf(iterations)
  if (fallback === undefined) return counts
  const sum = sumUsage(
    iterations
      .filter(({ type, model }) => type !== 'advisor_message' && model === fallback)
      .map((one) => one.usage),
  )
  if (!sum) return counts
  const { input, cachedInput, cacheWrite, output, detail } = sum
  return { input, cachedInput, cacheWrite, output, cacheWrite1h: detail?.cacheWrite1h ?? 0 }
}

const isZero = (usage: JsonObject, names: readonly string[]): boolean =>
  names.every((name) => !asTokenCount(usage[name]))

/**
 * A stream's usage up to now: each event tells whole sums, so the last value of a field that is not null counts, as
 * in @anthropic-ai/sdk's MessageStream. No model reads or writes nothing, but for a compaction on demand and a refusal:
 * an event that says so comes from an upstream that fills in what it does not know.
 */
export function mergeUsage(before: JsonObject, next: JsonObject, stopReason?: unknown): JsonObject {
  const reported = Object.entries(next).filter(([, value]) => value !== null && value !== undefined)
  const merged = { ...before, ...Object.fromEntries(reported) }
  if (compactionOf(next)) return merged
  const unknown = [
    ...(isZero(next, inputFields) ? inputFields : []),
    ...(isZero(next, ['output_tokens']) && stopReason !== REFUSAL ? ['output_tokens'] : []),
  ]
  for (const name of unknown) if (name in before) merged[name] = before[name]
  return merged
}

/**
 * A `usage` object in neutral counting, compactions included; null where it counts nothing that can be read. An answer
 * refused before its first word isn't billed (https://platform.claude.com/docs/en/build-with-claude/fallback-credit).
 */
export function decodeUsage(usage: JsonObject | undefined, stopReason?: unknown): Usage | null {
  if (!usage) return null
  const compaction = compactionOf(usage)
  const counted = [...inputFields, 'output_tokens'].some(
    (name) => asTokenCount(usage[name]) !== undefined,
  )
  if (!counted && !compaction) return null
  const iterations = iterationsOf(usage)
  const answeredBy = fallbackOf(iterations)
  const { cacheWrite1h, ...counts } = ownCounts(usage, iterations)
  const tools = asObject(usage.server_tool_use)
  const others = othersOf(iterations)
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
    ...(answeredBy === undefined ? {} : { answeredBy }),
    ...(stopReason === REFUSAL && counts.output === 0 ? { isUnbilled: true as const } : {}),
  }
}
