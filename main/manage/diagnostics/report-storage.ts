import type { GatewayParts } from '../gateway-parts.ts'

/** Milliseconds between two tries to write the state, which nobody may change for days. */
const RETRY = 10_000

/**
 * Tells the log and the consoles when the ledger or the state cannot be written, and when that is over: once
 * each, however often it is tried meanwhile. Returns what ends it.
 */
export function reportStorage(
  { ledger, state, log, events }: Pick<GatewayParts, 'ledger' | 'state' | 'log' | 'events'>,
  retryAfter = RETRY,
): () => void {
  let timer: NodeJS.Timeout | undefined
  const ends = [
    () => clearInterval(timer),
    ledger.onProblem((isThere) => {
      if (isThere) log.error({ problem: ledger.problem }, 'the ledger cannot be written')
      else log.warn('the ledger is written again')
      events.emit('server')
    }),
    state.onProblem(() => {
      clearInterval(timer)
      if (state.problem) {
        log.error({ problem: state.problem.reason }, 'a change could not be saved')
        timer = setInterval(() => state.retry(), retryAfter).unref()
      } else log.warn('changes are saved again')
      events.emit('server')
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
