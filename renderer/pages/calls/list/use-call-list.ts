import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useGateway } from '../../../gateway/gateway-context.ts'
import { useOperation, useRefreshInTurn } from '../../../gateway/queries.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import { type TimelineQuestion, useTimeline } from '../../../gateway/use-timeline.ts'

/** Milliseconds between reads of the running calls: no event announces a new one. */
const runningInterval = 2000

const isRunning = ({ kind }: TimelineRow) => kind === 'running'
const idOf = ({ request_id }: TimelineRow) => request_id ?? ''

/**
 * The rows of the Calls list. While `isStill`, no row comes, goes or moves: new ones are counted in `news`, and a call
 * that ends is replaced in its place.
 */
export function useCallList(question: TimelineQuestion, isStill: boolean) {
  const client = useGateway()
  const queryClient = useQueryClient()
  const { query, queryKey, refresh: readAgain, replace: replaceRow, cancel } = useTimeline(question)
  const replaced = useRef(new Set<string>())

  const rows = useMemo(() => flatten(query.data?.pages ?? []), [query.data])
  const newest = query.data?.pages[0]?.newest
  const { q } = question

  const watched = `${q} running:yes`.trim()
  const running = useOperation(
    'call.timeline',
    { q: watched, limit: 500 },
    { refetchInterval: runningInterval, enabled: query.isSuccess && !query.isPlaceholderData },
  )
  const live = useMemo(
    () => new Map((running.data?.rows ?? []).map((row) => [idOf(row), row])),
    [running.data],
  )
  const news = useOperation(
    'call.news',
    { q, since: newest ?? '' },
    { enabled: isStill && newest !== undefined && !query.isPlaceholderData, keepPrevious: true },
  )

  const refresh = useCallback(() => {
    replaced.current.clear()
    readAgain()
  }, [readAgain])
  const replace = useCallback(
    (row: TimelineRow) => {
      if (row.kind === 'call') replaced.current.add(idOf(row))
      replaceRow(row)
    },
    [replaceRow],
  )

  const wasStill = useRef(isStill)
  // The same rows read anew, not the first ones of a query.
  const isRefreshing = useRef(false)
  isRefreshing.current = query.isRefetching && !query.isFetchingNextPage && !query.isPlaceholderData
  useEffect(() => {
    if (wasStill.current && !isStill) refresh()
    // A running refresh would move the list: its rows are counted as new instead.
    if (!wasStill.current && isStill && isRefreshing.current) cancel()
    wasStill.current = isStill
  }, [isStill, refresh, cancel])
  const countNews = () => void queryClient.invalidateQueries({ queryKey: ['call.news'] })
  useRefreshInTurn(
    'calls',
    isStill ? ['call.news'] : queryKey,
    isStill ? news.isFetching : query.isFetching,
    isStill ? countNews : refresh,
  )

  // Running calls that the list doesn't show yet, and those it still shows.
  const listed = useMemo(() => new Set(rows.map(idOf)), [rows])
  const begun = [...live.keys()].filter((id) => !listed.has(id))
  const ended = running.data ? rows.filter((row) => isRunning(row) && !live.has(idOf(row))) : []
  const { isFetching } = query
  const current = useRef({ begun, ended, isStill, isFetching, refresh, replace })
  current.current = { begun, ended, isStill, isFetching, refresh, replace }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each look at the calls under way
  useEffect(() => {
    const { begun, ended, isStill, isFetching, refresh, replace } = current.current
    if (begun.length + ended.length === 0) return
    if (!isStill) {
      if (!isFetching) refresh()
      return
    }
    for (const row of ended) {
      client.call('call.one', { request_id: idOf(row) }).then(
        ({ data }) => data.kind !== 'running' && replace(data),
        // The row stays as it was; the next look tries again.
        () => {},
      )
    }
  }, [client, running.dataUpdatedAt])

  return {
    query,
    rows,
    /** Running calls by request id, as they were `liveAt`. */
    live,
    liveAt: running.dataUpdatedAt,
    /** New rows that the list doesn't show while it stands still. */
    news: isStill ? Math.max(0, (news.data?.count ?? 0) - replaced.current.size) + begun.length : 0,
    refresh,
    replace,
    /** Stops reading. */
    cancel,
  }
}

/** A call that ended between two pages may be in both: it is shown once. */
function flatten(pages: readonly { rows: TimelineRow[] }[]): TimelineRow[] {
  const seen = new Set<string>()
  return pages
    .flatMap(({ rows }) => rows)
    .filter((row) => {
      const id = idOf(row)
      if (id === '') return true
      if (seen.has(id)) return false
      seen.add(id)
      return true
    })
}
