import { useState } from 'react'
import { useOperation } from '../../gateway/queries.ts'
import { isWaiting } from './tool-state.ts'

/** Milliseconds between reads while a tool's first call is awaited. */
const waitingInterval = 2000

export function useConnectTools() {
  const [waits, setWaits] = useState(false)
  const query = useOperation('connect.tools', {}, waits ? { refetchInterval: waitingInterval } : {})
  const waitsNow = query.data?.tools.some(isWaiting) ?? false
  if (waitsNow !== waits) setWaits(waitsNow)
  return query
}
