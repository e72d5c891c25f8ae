import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { TimelineRow } from '../../../../gateway/records.ts'

/** Reads a call's capture once more when the call ends: the last look while it ran may have missed its end. */
export function useFinalCapture(call: TimelineRow | null): void {
  const queries = useQueryClient()
  const id = call?.request_id
  const isRunning = call?.kind === 'running'
  const watched = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (isRunning) {
      watched.current = id
      return
    }
    if (id === undefined || watched.current !== id) return
    watched.current = undefined
    void queries.invalidateQueries({
      predicate: ({ queryKey: [name, input] }) =>
        String(name).startsWith('capture.') &&
        (input as { request_id?: string } | undefined)?.request_id === id,
    })
  }, [id, isRunning, queries])
}
