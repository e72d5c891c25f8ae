import { useSyncExternalStore } from 'react'

/** Whole seconds as `0:42` or `1:02:03`. */
export function clockText(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const padded = (value: number) => String(value).padStart(2, '0')
  const rest = padded(seconds % 60)
  return hours > 0 ? `${hours}:${padded(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** Counts down to `until` and stays at 0:00. Screen readers do not announce a `timer` each second. */
export function Countdown({ until }: { until: number }) {
  const now = useSecond()
  return (
    <span role="timer" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {clockText(Math.max(0, Math.ceil((until - now) / 1000)))}
    </span>
  )
}

const second = 1000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let current = 0

const thisSecond = (): number => Math.floor(Date.now() / second) * second

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    current = thisSecond()
    for (const tell of listeners) tell()
  }, second)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Constant between two ticks, so that all countdowns agree. */
function now(): number {
  if (timer === undefined) current = thisSecond()
  return current
}

/** Milliseconds since 1970, rounded to the second. All countdowns share one timer. */
const useSecond = (): number => useSyncExternalStore(subscribe, now)
