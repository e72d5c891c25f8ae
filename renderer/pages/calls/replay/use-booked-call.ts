import { useEffect, useState } from 'react'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { useOperation } from '../../../gateway/queries.ts'

export type BookedCall = OperationOutput<'call.one'>

/** Milliseconds between two looks, and how often a row that is not there is looked for. */
const PAUSE = 500
const MOST_LOOKS = 10

/** A call's row once it is booked; null until then. */
export function useBookedCall(id: string | null): BookedCall | null {
  const [looks, setLooks] = useState(0)
  const query = useOperation(
    'call.one',
    { request_id: id ?? '' },
    { enabled: id !== null, ...(looks < MOST_LOOKS ? { refetchInterval: PAUSE } : {}) },
  )
  const booked = query.data && query.data.kind !== 'running' ? query.data : null
  const { dataUpdatedAt, errorUpdateCount } = query

  // biome-ignore lint/correctness/useExhaustiveDependencies: each read is one look
  useEffect(() => {
    if (id === null) setLooks(0)
    else if (booked) setLooks(MOST_LOOKS)
    else if (query.isError) setLooks((count) => count + 1)
  }, [id, booked !== null, dataUpdatedAt, errorUpdateCount])

  return booked
}
