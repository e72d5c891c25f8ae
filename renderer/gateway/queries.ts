import { keepPreviousData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type {
  CallName,
  OperationInput,
  OperationOutput,
  PushedEvent,
} from '../../preload/contract.ts'
import { type CallFailure, toCallFailure } from './call-failure.ts'
import type { Reply } from './client.ts'
import { useGateway } from './gateway-context.ts'

interface OperationOptions {
  enabled?: boolean
  /** Keep the last rows on screen while a filter or page changes. */
  keepPrevious?: boolean
  /**
   * The answer is forgotten with the last that shows it: a form begins with what holds when it is opened,
   * not with what held when it was closed.
   */
  forget?: boolean
  /** Milliseconds between automatic reads. */
  refetchInterval?: number
}

/** Reads an operation and keeps it fresh; its key is [name, input]. */
export function useOperation<Name extends CallName>(
  name: Name,
  input: OperationInput<Name>,
  options: OperationOptions = {},
) {
  const client = useGateway()
  return useQuery<OperationOutput<Name>, CallFailure>({
    queryKey: [name, input],
    queryFn: async ({ signal }) => {
      try {
        const reply = await client.call(name, input, signal)
        // react-query takes undefined for a mistake; some operations have nothing to say.
        return (reply.data ?? null) as OperationOutput<Name>
      } catch (error) {
        throw toCallFailure(error)
      }
    },
    enabled: options.enabled ?? true,
    refetchInterval: options.refetchInterval ?? false,
    ...(options.forget && { gcTime: 0 }),
    placeholderData: options.keepPrevious ? (keepPreviousData as never) : undefined,
  })
}

export interface Action<Name extends CallName> {
  /** Resolves with the reply, or with null when it failed (see `failure`) or was cancelled. */
  run(input: OperationInput<Name>): Promise<Reply<OperationOutput<Name>> | null>
  busy: boolean
  failure: CallFailure | null
  /** Stops waiting; what was typed stays. */
  cancel(): void
  reset(): void
}

/** An operation that a person sets off; afterwards every read named in `refreshes` is repeated. */
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
        isRefused = failed.status >= 400 && failed.status < 500
        if (!controller.signal.aborted) setFailure(failed)
        return null
      } finally {
        // Only a refusal is sure to have changed nothing: what was cancelled may have been done.
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

/** Repeats the reads under `keys` whenever the gateway pushes `event`. */
export function useRefreshOn(event: PushedEvent, keys: readonly QueryKey[]): void {
  const client = useGateway()
  const queryClient = useQueryClient()
  const current = useRef(keys)
  current.current = keys
  useEffect(
    () =>
      client.on(event, () => {
        for (const queryKey of current.current) void queryClient.invalidateQueries({ queryKey })
      }),
    [client, event, queryClient],
  )
}
