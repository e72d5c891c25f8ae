import type { OpenCall, OpenCalls } from '../../relay/limits/open-calls.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import { matchesFacts } from '../../store/ledger/search/matches-facts.ts'
import type { SearchCondition } from '../../store/ledger/search/search-condition.ts'

/** The row of a running call: all that is known so far, without an end. */
export function runningRow(call: Pick<OpenCall, 'soFar'>): StoredCall {
  const { row } = call.soFar()
  const { error_code: _code, status_code: _status, ...other } = JSON.parse(row.other)
  return {
    ...row,
    id: 0,
    // Rounded once, or it would change from one reading to the next.
    createdAt: Math.floor((Date.now() - row.useTime) / 1000),
    type: 2,
    content: '',
    status: 0,
    other: JSON.stringify(other),
  }
}

/** Rows of the running calls that match, newest first. */
export function runningCalls(
  openCalls: Pick<OpenCalls, 'each'>,
  conditions: readonly SearchCondition[],
): StoredCall[] {
  const found: OpenCall[] = []
  openCalls.each((call) => found.push(call))
  return found
    .sort((one, other) => other.since - one.since)
    .map(runningRow)
    .filter((row) => matchesFacts(row, conditions, 'running'))
}
