const MINUTE = 60_000

/** Today, in local time: the snapshot of the store that `onNewDay` listens to. */
export const today = (): string => new Date().toDateString()

/** Has the listener look at `today` each minute and when the page is shown again; React draws only on a new day. */
export function onNewDay(listener: () => void): () => void {
  // One timer for the whole time till midnight would stand still while the machine sleeps.
  const timer = setInterval(listener, MINUTE)
  document.addEventListener('visibilitychange', listener)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', listener)
  }
}
