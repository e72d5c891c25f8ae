import { hashKey, type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { toCallFailure } from '../../gateway/call-failure.ts'

/** Code that stays missing while the gateway answers isn't asked for again and again. */
const mostCodeFailures = 3

function isUnanswered({ queryKey, state }: Query): boolean {
  if (state.status !== 'error' || toCallFailure(state.error).status !== 0) return false
  return queryKey[0] !== 'code' || state.errorUpdateCount <= mostCodeFailures
}

/**
 * Whether something on screen failed since the gateway didn't answer. It's read again after an answer that is newer than
 * its failure; `answeredAt`: milliseconds of the last one.
 */
export function useRetryOnReturn(answeredAt: number): boolean {
  const queryClient = useQueryClient()
  const cache = queryClient.getQueryCache()
  const unanswered = useCallback(
    () => cache.findAll({ type: 'active', predicate: isUnanswered }),
    [cache],
  )
  const waiting = useSyncExternalStore(
    useCallback((onChange) => cache.subscribe(onChange), [cache]),
    // A text, since the store's value has to stay equal while nothing changes.
    () =>
      unanswered()
        .map(({ queryKey }) => hashKey(queryKey))
        .join(' '),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: what waits is read when one of them changes
  useEffect(() => {
    for (const query of unanswered()) {
      if (query.state.errorUpdatedAt < answeredAt)
        void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true })
    }
  }, [answeredAt, waiting, queryClient, unanswered])
  return waiting !== ''
}
