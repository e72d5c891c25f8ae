import { useEffect } from 'react'

interface PagedPlace {
  /** 1-based. */
  page: number
  pageSize: number
  /** Undefined while loading. */
  total: number | undefined
}

/** Goes to the last page when the current one is gone, as after a deletion. */
export function usePageInRange(place: PagedPlace, onChange: (page: number) => void): void {
  const { page, pageSize, total } = place
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / pageSize))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the place matters
  useEffect(() => {
    if (page > last) onChange(last)
  }, [page, last])
}
