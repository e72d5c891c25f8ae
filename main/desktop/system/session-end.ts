import { BaseWindow, powerMonitor } from 'electron'

interface SessionEndOptions {
  platform: NodeJS.Platform
  /** Runs when the session may end: another program can still hold it up. */
  onQuery(): void
  /** Runs when it ends: what is not done when this returns may never be done. */
  onEnd(): void
}

/** Hears of the system going down, or its user logging out, which on Windows no event of the app tells. */
export function followSessionEnd({ platform, onQuery, onEnd }: SessionEndOptions): void {
  if (platform === 'win32') {
    // Windows tells windows alone, and the console's may be gone; this one has no page, and is never shown.
    const ear = new BaseWindow({ show: false, skipTaskbar: true })
    ear.on('query-session-end', onQuery)
    ear.on('session-end', onEnd)
    return
  }
  // Its types leave the event out, which its documentation tells to prevent for some time to end in.
  powerMonitor.on('shutdown', (...[event]: [Pick<Event, 'preventDefault'>?]) => {
    event?.preventDefault()
    onEnd()
  })
}
