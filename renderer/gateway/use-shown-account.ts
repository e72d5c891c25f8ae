import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'

/** Not the reads that don't depend on the account. */
export const isOfAccount = ({ queryKey }: { queryKey: QueryKey }): boolean =>
  !['setup.status', 'status.get', 'user.self'].includes(`${queryKey[0]}`)

/** The account whose data is shown: the given one, as soon as that of the one before is forgotten. */
export function useShownAccount(id: number | undefined): number | undefined {
  const queryClient = useQueryClient()
  const [shown, setShown] = useState(id)
  useLayoutEffect(() => {
    if (shown !== undefined && id !== shown) queryClient.removeQueries({ predicate: isOfAccount })
    setShown(id)
  }, [id, shown, queryClient])
  return shown
}
