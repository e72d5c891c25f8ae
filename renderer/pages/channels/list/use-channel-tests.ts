import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type CallFailure, toCallFailure } from '../../../gateway/call-failure.ts'
import { useGateway } from '../../../gateway/gateway-context.ts'
import { channelQueries } from '../channel-queries.ts'

export type TestResult =
  | { state: 'waiting' | 'running' }
  | {
      state: 'passed'
      /** Milliseconds. */
      time: number
      /** The vendor's message, if any. */
      message: string
    }
  | { state: 'failed'; failure: CallFailure }

export interface ChannelTests {
  of(id: number): TestResult | undefined
  /** Runs one after the other. */
  run(ids: readonly number[]): Promise<void>
  /** Cancels a test, takes it out of the queue, or dismisses its result. */
  drop(id: number): void
}

/** Results stay until they are dismissed. */
export function useChannelTests(): ChannelTests {
  const client = useGateway()
  const queryClient = useQueryClient()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, TestResult>>(new Map())
  const running = useRef(new Map<number, AbortController>())

  // Leaving the page cancels the queue.
  useEffect(() => {
    const controllers = running.current
    return () => {
      for (const controller of controllers.values()) controller.abort()
    }
  }, [])

  const put = (id: number, outcome: TestResult | null) =>
    setOutcomes((current) => {
      const next = new Map(current)
      if (outcome) next.set(id, outcome)
      else next.delete(id)
      return next
    })

  const test = async (id: number, signal: AbortSignal) => {
    put(id, { state: 'running' })
    try {
      const { extra, message } = await client.call('channel.test', { id }, signal)
      if (!signal.aborted) {
        put(id, { state: 'passed', time: Number(extra.time) * 1000, message })
      }
    } catch (error) {
      if (!signal.aborted) put(id, { state: 'failed', failure: toCallFailure(error) })
    }
    for (const read of channelQueries) void queryClient.invalidateQueries({ queryKey: [read] })
  }

  return {
    of: (id) => outcomes.get(id),
    async run(ids) {
      const queue = ids.map((id) => {
        running.current.get(id)?.abort()
        const controller = new AbortController()
        running.current.set(id, controller)
        put(id, { state: 'waiting' })
        return { id, signal: controller.signal }
      })
      for (const { id, signal } of queue) {
        if (!signal.aborted) await test(id, signal)
      }
    },
    drop(id) {
      running.current.get(id)?.abort()
      put(id, null)
    },
  }
}
