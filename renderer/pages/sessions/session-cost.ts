import type { Format } from '../../components/format/use-format.ts'

/** The cost of a session, of which some calls may have no known price. */
export function sessionCost(
  { quota, unpriced }: { quota: number | null; unpriced: number },
  format: Format,
  unpricedText: string,
): string {
  if (quota === null) return unpricedText
  return unpriced > 0 ? `≥ ${format.money(quota)}` : format.money(quota)
}
