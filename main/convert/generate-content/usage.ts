import type { Usage } from '../exchange.ts'
import { asCount, asObject } from '../json-value.ts'

/**
 * Usage of a generateContent answer or chunk. `promptTokenCount` counts the cached part too,
 * `candidatesTokenCount` leaves the thoughts out, and tool use is input
 * (https://ai.google.dev/api/generate-content#UsageMetadata).
 */
export function readGenerateContentUsage(answer: unknown): Usage | null {
  const usage = asObject(asObject(answer)?.usageMetadata)
  if (!usage) return null
  const thoughts = asCount(usage.thoughtsTokenCount) ?? 0
  return {
    input: (asCount(usage.promptTokenCount) ?? 0) + (asCount(usage.toolUsePromptTokenCount) ?? 0),
    cachedInput: asCount(usage.cachedContentTokenCount) ?? 0,
    cacheWrite: 0,
    output: (asCount(usage.candidatesTokenCount) ?? 0) + thoughts,
    reasoning: thoughts,
  }
}
