import type { Usage, UsageDetail } from '../exchange.ts'

/** Usage of several answers to one call together; null where no vendor reported any. */
export function sumUsage(usages: readonly (Usage | null)[]): Usage | null {
  const reported = usages.filter((usage) => usage !== null)
  if (reported.length <= 1) return reported[0] ?? null
  const sum: Usage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  const detail: UsageDetail = {}
  const tier = reported.find((usage) => usage.tier)?.tier
  if (tier) sum.tier = tier
  for (const usage of reported) {
    sum.input += usage.input
    sum.cachedInput += usage.cachedInput
    sum.cacheWrite += usage.cacheWrite
    sum.output += usage.output
    sum.reasoning += usage.reasoning
    for (const [name, count] of Object.entries(usage.detail ?? {})) {
      const kind = name as keyof UsageDetail
      detail[kind] = (detail[kind] ?? 0) + count
    }
  }
  return Object.keys(detail).length > 0 ? { ...sum, detail } : sum
}
