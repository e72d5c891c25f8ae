import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** The parameters of the page's URL. `change` leaves empty ones out; `replace` adds no step to the browser's history. */
export function useAddress() {
  const [search, setSearch] = useSearchParams()
  const change = useCallback(
    (values: Readonly<Record<string, string>>, replace = false) =>
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
  return { search, change } as const
}
