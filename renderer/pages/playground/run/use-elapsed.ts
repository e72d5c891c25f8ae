import { useEffect, useState } from 'react'

/** Whole seconds since `isRunning` became true, else 0. */
export function useElapsed(isRunning: boolean): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(0)
    if (!isRunning) return
    const startedAt = performance.now()
    const timer = setInterval(
      () => setSeconds(Math.floor((performance.now() - startedAt) / 1000)),
      1000,
    )
    return () => clearInterval(timer)
  }, [isRunning])
  return seconds
}
