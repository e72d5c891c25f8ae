import { powerMonitor } from 'electron'
import type { Log } from '../../base/log/log.ts'

/** Tells how many milliseconds the computer slept, once it is awake. */
export function followSleep(onAwake: (slept: number) => void, log: Log): void {
  // By the clock on the wall: the other one may stand still meanwhile.
  let since: number | undefined
  powerMonitor.on('suspend', () => {
    since = Date.now()
    log.info('the computer goes to sleep')
  })
  powerMonitor.on('resume', () => {
    // Some systems send no 'suspend': the length of that sleep is unknown.
    const slept = since === undefined ? Number.POSITIVE_INFINITY : Date.now() - since
    since = undefined
    log.info({ seconds: Math.round(slept / 1000) }, 'the computer is awake again')
    onAwake(slept)
  })
}
