import {
  keepPreviousData,
  type QueryKey,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type {
  CallName,
  OperationInput,
  OperationOutput,
  PushedEvent,
} from '../../preload/contract.ts'
import { type CallFailure, toCallFailure } from './call-failure.ts'
import type { GatewayClient, Reply } from './client.ts'
import { useGateway } from './gateway-context.ts'

interface OperationOptions {
  enabled?: boolean
  /** Keeps the last rows on screen while a filter or page changes. */
  keepPrevious?: boolean
  /**
   * Drops the answer when the last component that shows it unmounts: a form starts from current values, not
   * from those of its last opening.
   */
  forget?: boolean
  /** Milliseconds between reads. */
  refetchInterval?: number
}

/** The query's key is [name, input]. */
const readOf = <Name extends CallName>(
  client: GatewayClient,
  name: Name,
  input: OperationInput<Name>,
) => ({
  queryKey: [name, input],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    try {
      const reply = await client.call(name, input, signal)
      // react-query refuses undefined; some operations answer with nothing.
      return (reply.data ?? null) as OperationOutput<Name>
    } catch (error) {
      throw toCallFailure(error)
    }
  },
})

/** The same operation for several inputs; undefined where an answer is not there. */
export function useOperations<Name extends CallName>(
  name: Name,
  inputs: readonly OperationInput<Name>[],
): (OperationOutput<Name> | undefined)[] {
  const client = useGateway()
  return useQueries({
    queries: inputs.map((input) => readOf(client, name, input)),
    combine: dataOf,
  }) as (OperationOutput<Name> | undefined)[]
}

/** One function, so that the combined answers stay the same while no answer changes. */
const dataOf = (results: readonly { data: unknown }[]) => results.map(({ data }) => data)

export function useOperation<Name extends CallName>(
  name: Name,
  input: OperationInput<Name>,
  options: OperationOptions = {},
) {
  const client = useGateway()
  return useQuery<OperationOutput<Name>, CallFailure>({
    ...readOf(client, name, input),
    enabled: options.enabled ?? true,
    refetchInterval: options.refetchInterval ?? false,
    ...(options.forget && { gcTime: 0 }),
    placeholderData: options.keepPrevious ? (keepPreviousData as never) : undefined,
  })
}

export interface Action<Name extends CallName> {
  /** Null when it failed (see `failure`) or was cancelled. */
  run(input: OperationInput<Name>): Promise<Reply<OperationOutput<Name>> | null>
  busy: boolean
  failure: CallFailure | null
  /** Stops waiting. */
  cancel(): void
  reset(): void
}

/** Runs an operation on demand, then repeats every read named in `refreshes`. */
export function useAction<Name extends CallName>(
  name: Name,
  refreshes: readonly CallName[] = [],
): Action<Name> {
  const client = useGateway()
  const queryClient = useQueryClient()
  const running = useRef<AbortController | null>(null)
  const refreshed = useRef(refreshes)
  refreshed.current = refreshes
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)

  const run = useCallback(
    async (input: OperationInput<Name>) => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      setBusy(true)
      setFailure(null)
      let isRefused = false
      try {
        const reply = await client.call(name, input, controller.signal)
        return controller.signal.aborted ? null : reply
      } catch (error) {
        const failed = toCallFailure(error)
        const isRefusal = failed.status >= 400 && failed.status < 500
        // A conflict tells that what is shown is not what is there.
        isRefused = isRefusal && failed.code !== 'conflict'
        if (!controller.signal.aborted) setFailure(failed)
        // As a read does (console.tsx): the session may have ended, and then the login shows.
        if (failed.code === 'unauthenticated')
          void queryClient.invalidateQueries({ queryKey: ['user.self'] })
        return null
      } finally {
        // Only a refusal surely changed nothing: a cancelled operation may have run.
        for (const read of isRefused ? [] : refreshed.current) {
          void queryClient.invalidateQueries({ queryKey: [read] })
        }
        if (running.current === controller) setBusy(false)
      }
    },
    [client, name, queryClient],
  )

  const cancel = useCallback(() => {
    running.current?.abort()
    running.current = null
    setBusy(false)
  }, [])

  const reset = useCallback(() => setFailure(null), [])
  return { run, busy, failure, cancel, reset }
}

/**
 * Reads again on an event, one read at a time: for events that come while it reads, it reads once more. For reads that
 * may take longer than the events are apart.
 */
export function useRefreshInTurn(
  event: PushedEvent,
  queryKey: QueryKey,
  isReading: boolean,
  read: () => void,
): void {
  const client = useGateway()
  const queryClient = useQueryClient()
  const current = useRef({ queryKey, read })
  current.current = { queryKey, read }
  const isDue = useRef(false)
  useEffect(
    () =>
      client.on(event, () => {
        const { queryKey, read } = current.current
        if (queryClient.isFetching({ queryKey }) > 0) isDue.current = true
        else read()
      }),
    [client, event, queryClient],
  )
  useEffect(() => {
    if (isReading || !isDue.current) return
    isDue.current = false
    current.current.read()
  }, [isReading])
}

/** What takes the gateway long rests for so many times as long: an agent at work must not keep it busy with our reads. */
const REST = 4

/** Repeats reads on an event; with a `pause`, once in so many milliseconds at most, and none that is under way. */
export function useRefreshOn(event: PushedEvent, keys: readonly QueryKey[], pause = 0): void {
  const client = useGateway()
  const queryClient = useQueryClient()
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let rest = pause
    let isReading = false
    let isDue = false
    const plan = () => {
      timer ??= setTimeout(readRested, rest)
    }
    const read = () =>
      current.current.map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }, { cancelRefetch: pause === 0 }),
      )
    const readRested = async () => {
      isReading = true
      const began = performance.now()
      await Promise.all(read())
      rest = Math.max(pause, (performance.now() - began) * REST)
      isReading = false
      timer = undefined
      if (isDue) plan()
      isDue = false
    }
    const end = client.on(event, () => {
      if (pause === 0) read()
      else if (isReading) isDue = true
      else plan()
    })
    return () => {
      end()
      isDue = false
      clearTimeout(timer)
    }
  }, [client, event, pause, queryClient])
}
