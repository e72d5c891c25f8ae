import { useSyncExternalStore } from 'react'

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
export const useSecond = (): number => useSyncExternalStore(subscribe, now)
