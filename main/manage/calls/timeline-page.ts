import type { Ledger, StoredCall } from '../../store/ledger/ledger.ts'
import type { SearchCondition } from '../../store/ledger/search/search-condition.ts'
import type { CallSort, FoundCalls } from '../../store/ledger/search/searches.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { runningCalls } from './running-calls.ts'
import type { TimelineCursor } from './timeline-cursor.ts'

type Source = 'ledger' | 'refused' | 'running'

export interface SourcedRow {
  row: StoredCall
  source: Source
}

interface PageQuestion {
  conditions: readonly SearchCondition[]
  /** Without places for the first page. */
  cursor: TimelineCursor
  limit: number
  signal: AbortSignal
}

interface PageSources extends Pick<GatewayParts, 'openCalls' | 'timeline'> {
  ledger: Pick<Ledger, 'find'>
}

const sortFields: Readonly<Record<TimelineCursor['sort'], CallSort>> = {
  time: 'time',
  duration: 'duration',
  cost: 'quota',
  input: 'input',
  output: 'output',
  first_token: 'firstToken',
}

const NOTHING: FoundCalls = { rows: [], next: null }

/** Do the conditions leave rows of this source in? */
export const mayHold = (source: Source, conditions: readonly SearchCondition[]): boolean =>
  conditions.every(
    (condition) =>
      condition.test !== 'source' || (condition.source === source) !== condition.isNegated,
  )

/** The conditions beside those on the source. */
export const withoutSource = (conditions: readonly SearchCondition[]): SearchCondition[] =>
  conditions.filter(({ test }) => test !== 'source')

/** One page of the list; on the first one running calls come first, beyond the limit. */
export async function readTimelinePage(
  { conditions, cursor, limit, signal }: PageQuestion,
  { ledger, openCalls, timeline }: PageSources,
): Promise<{ rows: SourcedRow[]; next: TimelineCursor | null }> {
  const { sort, order, since } = cursor
  const isFirst = cursor.calls === null && cursor.refused === null
  // Before the ledger is read: a call that ends meanwhile is in both, rather than in neither.
  const running =
    isFirst && mayHold('running', conditions) ? runningCalls(openCalls, conditions) : []
  const conditionsOfRows = withoutSource(conditions)
  const calls =
    cursor.calls !== 'end' && mayHold('ledger', conditions)
      ? await ledger.find(conditionsOfRows, {
          ...{ cursor: cursor.calls, limit, sort: sortFields[sort], order },
          ...{ upToId: since.calls.id, signal },
        })
      : NOTHING
  // They have no figures that they could be sorted by.
  const { refused: source } = timeline
  const isByTime = sort === 'time' && order === 'desc'
  const refused =
    source && isByTime && cursor.refused !== 'end' && mayHold('refused', conditions)
      ? await source.list(conditionsOfRows, cursor.refused, limit)
      : []
  const { rows, next } = merge(calls, refused, cursor, limit)
  const ended = new Set(rows.map(({ row }) => row.requestId))
  const underWay = running
    .filter(({ requestId }) => !ended.has(requestId))
    .map((row) => ({ row, source: 'running' as const }))
  return { rows: [...underWay, ...rows], next }
}

/** Both lists in one, as far as it's sure that nothing belongs in between. */
function merge(
  calls: FoundCalls,
  refused: readonly StoredCall[],
  cursor: TimelineCursor,
  limit: number,
): { rows: SourcedRow[]; next: TimelineCursor | null } {
  const rows: SourcedRow[] = []
  let [callAt, refusedAt] = [0, 0]
  while (rows.length < limit) {
    const call = calls.rows[callAt]
    const other = refused[refusedAt]
    // The ledger's search has stopped here, and may go on with newer rows than this one.
    const mayTake = other && (call || !calls.next || other.createdAt >= calls.next.time)
    if (mayTake && (!call || other.createdAt > call.createdAt)) {
      rows.push({ row: other, source: 'refused' })
      refusedAt++
    } else if (call) {
      rows.push({ row: call, source: 'ledger' })
      callAt++
    } else break
  }
  const isCallLeft = callAt < calls.rows.length
  const hasMoreCalls = isCallLeft || calls.next !== null
  const hasMoreRefused = refusedAt < refused.length || refused.length === limit
  if (!hasMoreCalls && !hasMoreRefused) return { rows, next: null }
  const lastCall = calls.rows[callAt - 1]
  const lastRefused = refused[refusedAt - 1]
  // Only by time is a list merged with another, so that rows may be left.
  const callsFrom = lastCall
    ? { time: lastCall.createdAt, id: lastCall.id, value: lastCall.createdAt }
    : cursor.calls
  const refusedFrom = lastRefused
    ? { time: lastRefused.createdAt, id: lastRefused.id }
    : cursor.refused
  const next: TimelineCursor = {
    ...cursor,
    calls: !hasMoreCalls ? 'end' : isCallLeft ? callsFrom : calls.next,
    refused: hasMoreRefused ? refusedFrom : 'end',
  }
  return { rows, next }
}
