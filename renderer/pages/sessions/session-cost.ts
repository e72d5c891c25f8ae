import type { Format } from '../../components/format/use-format.ts'

/** The cost of a session, of which some calls may have no known price. */
export function sessionCost(
  { quota, unpriced }: { quota: number | null; unpriced: number },
  format: Format,
  unpricedText: string,
): string {
  // Beside unpriced calls a 0 is that of calls that failed: nothing is known of the cost.
  if (quota === null || (quota === 0 && unpriced > 0)) return unpricedText
  return unpriced > 0 ? `≥ ${format.money(quota)}` : format.money(quota)
}
