import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import type { ChannelHealth } from '../../gateway/records.ts'

/** Milliseconds. The gateway's clock may be a little behind this one. */
const grace = 400

/** Milliseconds until a time that has passed here, but not yet at the gateway, is asked for again. */
const pause = 3000

/** Longest delay that `setTimeout` takes, in milliseconds. */
const longest = 2_000_000_000

/** Read again on the gateway's event and whenever a countdown ends. */
export function useChannelHealth(options: { refetchInterval?: number } = {}) {
  const queryClient = useQueryClient()
  const query = useOperation('channel.health', {}, options)
  useRefreshOn('server', [['channel.health']])
  const { data: list, dataUpdatedAt } = query

  // Runs on each answer, also an equal one: its time may still lie ahead.
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

/** By channel id. Doesn't subscribe: use it below a component that does. */
export function useHealthById(): ReadonlyMap<number, ChannelHealth> {
  const { data } = useOperation('channel.health', {})
  return useMemo(() => new Map((data ?? []).map((one) => [one.id, one])), [data])
}

function timesOf({ until, retest_at, parts }: ChannelHealth): number[] {
  return [until, retest_at, ...parts.map((part) => part.until)].filter((time) => time !== null)
}
