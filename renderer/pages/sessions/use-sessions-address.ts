import { useSearchParams } from 'wouter'

/** The list as its URL says it: `?q=`, and in `?pages=` where each page began that was looked at, the first one aside. */
export function useSessionsAddress() {
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  // A dot is in no cursor.
  const cursors = (search.get('pages') ?? '').split('.').filter(Boolean)
  const change = (q: string, cursors: readonly string[], replace: boolean) =>
    setSearch(
      { ...(q && { q }), ...(cursors.length > 0 && { pages: cursors.join('.') }) },
      { replace },
    )
  return {
    ...{ q, cursors },
    filter: (next: string) => change(next, [], true),
    turnTo: (next: readonly string[]) => change(q, next, false),
  }
}
