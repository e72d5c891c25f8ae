import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { OperationInput, OperationOutput } from '../../preload/contract.ts'
import { type CallFailure, toCallFailure } from './call-failure.ts'
import { useGateway } from './gateway-context.ts'
import type { TimelineRow } from './records.ts'

export type TimelineQuestion = Required<
  Pick<OperationInput<'call.timeline'>, 'q' | 'sort' | 'order'>
>
type TimelinePage = OperationOutput<'call.timeline'>
type TimelinePages = InfiniteData<TimelinePage, string>

/** Rows a page; some six windows full. */
const pageSize = 200
/** More pages than these are read anew from the first one only. */
const mostRefreshed = 2

/** The Calls list by pages. It reads again only when told to: a list doesn't move under its reader. */
export function useTimeline(question: TimelineQuestion) {
  const client = useGateway()
  const queryClient = useQueryClient()
  const { q, sort, order } = question
  const queryKey = useMemo(() => ['call.timeline', { q, sort, order }], [q, sort, order])
  const query = useInfiniteQuery<TimelinePage, CallFailure, TimelinePages, typeof queryKey, string>(
    {
      queryKey,
      queryFn: async ({ pageParam: cursor, signal }) => {
        try {
          const input = { q, sort, order, cursor, limit: pageSize }
          return (await client.call('call.timeline', input, signal)).data
        } catch (error) {
          throw toCallFailure(error)
        }
      },
      initialPageParam: '',
      getNextPageParam: ({ next }) => next ?? undefined,
      placeholderData: keepPreviousData,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      gcTime: 0,
    },
  )

  const refresh = useCallback(() => {
    queryClient.setQueryData<TimelinePages>(queryKey, (data) =>
      data && data.pages.length > mostRefreshed
        ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) }
        : data,
    )
    void queryClient.invalidateQueries({ queryKey, exact: true })
  }, [queryClient, queryKey])

  /** Puts what became of a call under way in its row's place. */
  const replace = useCallback(
    (row: TimelineRow) =>
      queryClient.setQueryData<TimelinePages>(
        queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              rows: page.rows.map((one) =>
                one.kind === 'running' && one.request_id === row.request_id ? row : one,
              ),
            })),
          },
      ),
    [queryClient, queryKey],
  )

  const cancel = useCallback(
    () => void queryClient.cancelQueries({ queryKey }),
    [queryClient, queryKey],
  )

  return { query, queryKey, refresh, replace, cancel }
}
