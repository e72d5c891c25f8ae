import type { UsageSummary } from '../../gateway/records.ts'

export type UsageRow = UsageSummary['rows'][number]

export interface UsageSum {
  calls: number
  errors: number
  /** Calls without a known price; no sum includes their cost. */
  unpriced: number
  /** Quota units of the priced calls. */
  quota: number
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  /** Calls whose tokens are an estimate, and so their cost. */
  estimated: number
}

export interface KeyedSum extends UsageSum {
  /** A model's name, or the id of a channel, token or user. */
  key: string
  label: string
}

const nothing: UsageSum = {
  calls: 0,
  errors: 0,
  unpriced: 0,
  quota: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  estimated: 0,
}

export function sumOf(rows: readonly UsageRow[]): UsageSum {
  return rows.reduce(
    (sum, row) => ({
      calls: sum.calls + row.calls,
      errors: sum.errors + row.errors,
      unpriced: sum.unpriced + row.unpriced,
      quota: sum.quota + row.quota,
      promptTokens: sum.promptTokens + row.prompt_tokens,
      completionTokens: sum.completionTokens + row.completion_tokens,
      cachedTokens: sum.cachedTokens + row.cached_tokens,
      estimated: sum.estimated + row.estimated,
    }),
    nothing,
  )
}

/** The most expensive first, then the one with most calls. */
export function sumsByKey(rows: readonly UsageRow[]): KeyedSum[] {
  const byKey = new Map<string, UsageRow[]>()
  for (const row of rows) {
    const own = byKey.get(row.key)
    if (own) own.push(row)
    else byKey.set(row.key, [row])
  }
  return [...byKey]
    .map(([key, own]) => ({ key, label: own.at(-1)?.label ?? '', ...sumOf(own) }))
    .sort((one, other) => other.quota - one.quota || other.calls - one.calls)
}

/** Share of the input that came from the vendor's cache, 0 to 1; null without input. */
export function cacheShare({ cachedTokens, promptTokens }: UsageSum): number | null {
  return promptTokens > 0 ? Math.min(1, cachedTokens / promptTokens) : null
}
