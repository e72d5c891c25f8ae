import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { TimelineQuestion } from '../../gateway/use-timeline.ts'
import { callColumns, columnFacts, type SortField } from './list/call-columns.ts'

const sortFields = callColumns.flatMap((column) => columnFacts[column].sort ?? [])

/** The Calls page as its URL says it: `?q=`, `?open=` with `?tab=`, `?sort=` and `?order=`. */
export function useCallsAddress() {
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const open = search.get('open') ?? ''
  const tab = search.get('tab') ?? ''
  const sort = sortFields.find((field) => field === search.get('sort')) ?? 'time'
  const order = search.get('order') === 'asc' ? 'asc' : 'desc'
  const question = useMemo((): TimelineQuestion => ({ q, sort, order }), [q, sort, order])

  /** Empty values are left out; `replace` adds no step to the browser's history. */
  const change = useCallback(
    (values: Record<string, string>, replace = false) =>
      setSearch(
        (current) => {
          const next = new URLSearchParams(current)
          for (const [name, value] of Object.entries(values)) {
            if (value === '') next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace },
      ),
    [setSearch],
  )

  /** The other way round if it is sorted so already. */
  const changeSort = (field: SortField) => {
    const isTurned = field === sort && order === 'desc'
    change({ sort: field === 'time' ? '' : field, order: isTurned ? 'asc' : '' })
  }

  return { q, open, tab, sort, order, question, change, changeSort } as const
}
