import type { GatewayParts } from '../gateway-parts.ts'

/**
 * Tells the log and the consoles when the ledger or the state cannot be written, and when that is over: once
 * each, however often it is tried meanwhile. Returns what ends it.
 */
export function reportStorage({
  ledger,
  state,
  log,
  events,
}: Pick<GatewayParts, 'ledger' | 'state' | 'log' | 'events'>): () => void {
  const ends = [
    ledger.onProblem((isThere) => {
      if (isThere) log.error({ problem: ledger.problem }, 'the ledger cannot be written')
      else log.warn('the ledger is written again')
      events.emit('server')
    }),
    state.onProblem(() => {
      if (state.problem) log.error({ problem: state.problem.reason }, 'a change could not be saved')
      else log.warn('changes are saved again')
      events.emit('server')
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
