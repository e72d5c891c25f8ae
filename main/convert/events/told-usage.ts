import { countsNothing } from '../estimate/counts-nothing.ts'
import type { Usage } from '../exchange.ts'

const NOTHING: Usage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** What a stream's events tell together: the last figure counts, but none takes back what was counted before. */
export function toldUsage(parts: readonly (Partial<Usage> | null)[]): Usage | null {
  let usage: Usage | null = null
  for (const part of parts) {
    if (!part) continue
    const next: Usage = { ...(usage ?? NOTHING), ...part }
    if (!usage || !countsNothing({ ...NOTHING, ...part })) usage = next
  }
  return usage
}
