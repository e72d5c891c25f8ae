import type { Log } from './log.ts'

/** The longest time, in milliseconds, in which a process that failed may write down what it has. */
const LAST_LIMIT = 2_000

/**
 * Handlers for uncaught errors. A promise that was rejected with nobody listening concerns one call or one task: it is
 * logged, and the process goes on. After an error that was thrown past everything nothing can be relied on any
 * more: it is logged, `end` writes down what there is, and the process ends with 1, for a supervisor to start it
 * again.
 */
export function catchLastFaults(log: Log, end: (error: Error) => Promise<unknown>): void {
  let isEnding = false
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'unhandled promise rejection')
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception: the gateway ends')
    if (isEnding) return
    isEnding = true
    setTimeout(() => process.exit(1), LAST_LIMIT)
    Promise.resolve()
      .then(() => end(error))
      .catch((err: unknown) => log.error({ err }, 'the gateway did not stop cleanly'))
      .finally(() => process.exit(1))
  })
}
