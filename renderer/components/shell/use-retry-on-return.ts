import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/** Repeats what failed while the gateway was away, once it answers again. */
export function useRetryOnReturn(isAnswering: boolean): void {
  const queryClient = useQueryClient()
  const wasAway = useRef(false)
  useEffect(() => {
    if (isAnswering && wasAway.current) {
      void queryClient.refetchQueries({
        type: 'active',
        predicate: ({ state }) => state.status === 'error',
      })
    }
    wasAway.current = !isAnswering
  }, [isAnswering, queryClient])
}
