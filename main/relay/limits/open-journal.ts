import type { Ledger } from '../../store/ledger/ledger.ts'
import type { OpenCall, OpenCalls } from './open-calls.ts'

/** Milliseconds between two looks at what is under way. */
const INTERVAL = 1000
/** A call that is younger costs nothing: its row comes soon enough. */
const YOUNGEST = 1000
/** Milliseconds after which a call's usage so far is written again. */
const REFRESH = 10_000
/** Calls that are written in one transaction: some milliseconds. */
const AT_ONCE = 200

/**
 * Keeps calls that are under way for more than a second in the ledger, so that one that the process does not
 * live to end (it was killed, the power failed) gets its row at the next start. Gives what ends that.
 */
export function keepJournal(openCalls: OpenCalls, ledger: Pick<Ledger, 'keepOpen'>): () => void {
  const look = () => {
    const now = performance.now()
    const due: OpenCall[] = []
    openCalls.each((call) => {
      const isDue = call.keptAt === 0 ? now - call.since > YOUNGEST : now - call.keptAt > REFRESH
      if (isDue && due.length < AT_ONCE) due.push(call)
    })
    if (due.length === 0 || !ledger.keepOpen(due.map((call) => call.soFar()))) return
    for (const call of due) call.keptAt = now
  }
  const timer = setInterval(look, INTERVAL).unref()
  return () => clearInterval(timer)
}

/** Writes down all calls that are under way, before it returns. */
export function keepOpenCalls(openCalls: OpenCalls, ledger: Pick<Ledger, 'keepOpen'>): void {
  const all: OpenCall[] = []
  openCalls.each((call) => all.push(call))
  if (all.length > 0) ledger.keepOpen(all.map((call) => call.soFar()))
}
