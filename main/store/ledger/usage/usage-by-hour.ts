import { where } from '../sql-conditions.ts'
import type { Row, Statements } from '../statements.ts'
import type { ClosedHours } from './closed-hours.ts'
import { hourTables, lineConditions, SECONDS_PER_HOUR } from './hour-tables.ts'

export interface HourlyUsage {
  modelName: string
  /** Unix seconds of the hour's start. */
  createdAt: number
  userId: number
  username: string
  /** Prompt and completion. */
  tokenUsed: number
  /** Calls that were answered. */
  count: number
  quota: number
}

const SECONDS_PER_DAY = 86_400

/** Use by hour, user and model. Unix seconds; hours count whole. The sums must be saved. */
export function usageByHour(
  statements: Statements,
  closed: ClosedHours,
  filter: { start: number; end: number; userId?: number; username?: string },
): HourlyUsage[] {
  const { start, end, ...person } = filter
  const lines = (from: number, to: number): readonly Row[] => {
    const name = JSON.stringify(['lines', from, to, person.userId ?? null, person.username ?? null])
    const known = closed.take(name)
    if (known) return known
    const { sql, values } = where([
      ['hour >= ?', from],
      ['hour < ?', to],
      ['calls > ?', 0],
      ...lineConditions(hourTables.model, person),
    ])
    const rows = statements.all(
      `SELECT hour, user_id, username, model, calls, CAST(quota AS REAL) AS quota,
         prompt_tokens + completion_tokens AS tokens
       FROM usage_hours ${sql} ORDER BY hour, model`,
      values,
    )
    closed.keep(name, to, rows)
    return rows
  }
  const oldest = statements.all('SELECT min(hour) AS hour FROM usage_hours')[0]?.hour
  if (typeof oldest !== 'number') return []
  const all: HourlyUsage[] = []
  // Day by day, so that a day that is over is read once.
  let from = Math.max(start - (start % SECONDS_PER_HOUR), oldest)
  while (from <= end) {
    const to = Math.min(from - (from % SECONDS_PER_DAY) + SECONDS_PER_DAY, end + 1)
    for (const row of lines(from, to)) all.push(toUsage(row))
    from = to
  }
  return all
}

const toUsage = (row: Row): HourlyUsage => ({
  modelName: String(row.model),
  createdAt: Number(row.hour),
  userId: Number(row.user_id),
  username: String(row.username),
  tokenUsed: Number(row.tokens),
  count: Number(row.calls),
  quota: Number(row.quota),
})
