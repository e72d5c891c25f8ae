import { useRef } from 'react'

/** Entries from which on filters, tabs and bulk actions are worth their place. */
const manyEntries = 10

/**
 * Whether a list has enough entries to narrow it. Once it had, it stays so while the page is open, as it does where the
 * URL narrows it: a filter that leaves a few rows doesn't take itself away.
 */
export function useIsMany(total: number | undefined, isFiltered = false): boolean {
  const wasMany = useRef(false)
  wasMany.current ||= isFiltered || (total ?? 0) >= manyEntries
  return wasMany.current
}
