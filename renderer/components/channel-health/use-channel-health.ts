import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import type { ChannelHealth } from '../../gateway/records.ts'

/** The gateway's clock may be a little behind this one. */
const grace = 400

/** What has come by this clock, and not yet by the gateway's, is asked about again after so long. */
const pause = 3000

/** The longest that a timer of a browser waits. */
const longest = 2_000_000_000

/** How the channels stand, read again when the gateway says so and whenever a countdown ends. */
export function useChannelHealth(options: { refetchInterval?: number } = {}) {
  const queryClient = useQueryClient()
  const query = useOperation('channel.health', {}, options)
  useRefreshOn('server', [['channel.health']])
  const { data: list, dataUpdatedAt } = query

  // Each answer counts, also one that says the same as the one before: its time may be yet to come.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of the answer is the signal
  useEffect(() => {
    const times = (list ?? []).flatMap(timesOf)
    if (times.length === 0) return
    const left = Math.min(...times) - Date.now()
    const wait = left > 0 ? left + grace : pause
    const timer = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: ['channel.health'] }),
      Math.min(wait, longest),
    )
    return () => clearTimeout(timer)
  }, [list, dataUpdatedAt, queryClient])

  return query
}

/** The same by channel, without listening: for what stands in a page that does. */
export function useHealthById(): ReadonlyMap<number, ChannelHealth> {
  const { data } = useOperation('channel.health', {})
  return useMemo(() => new Map((data ?? []).map((one) => [one.id, one])), [data])
}

function timesOf({ until, retest_at, parts }: ChannelHealth): number[] {
  return [until, retest_at, ...parts.map((part) => part.until)].filter((time) => time !== null)
}
