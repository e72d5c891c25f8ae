import { approximate } from './approximate.ts'
import type { Format } from './use-format.ts'

export interface CostSum {
  /** Units of the calls with a known price; null where there is none. */
  quota: number | null
  /** Calls whose cost isn't known. */
  unpriced: number
  /** Calls whose tokens are an estimate, and so their cost. */
  estimated: number
}

/** What calls cost together, as far as that is known. */
export function sumCost(
  { quota, unpriced, estimated }: CostSum,
  format: Format,
  unpricedText: string,
): string {
  // Beside unpriced calls a 0 is that of calls that failed: nothing is known of the cost.
  if (quota === null || (quota === 0 && unpriced > 0)) return unpricedText
  const known = approximate(format.money(quota), estimated > 0)
  return unpriced > 0 ? `≥ ${known}` : known
}

interface Used {
  used_quota: number
  unpriced_calls: number
  estimated_calls: number
}

/** The same of a token or user. */
export const usedCost = (used: Used, format: Format, unpricedText: string): string =>
  sumCost(
    { quota: used.used_quota, unpriced: used.unpriced_calls, estimated: used.estimated_calls },
    format,
    unpricedText,
  )
