import { hourTables, lineConditions, SECONDS_PER_HOUR } from './hour-tables.ts'
import { where } from './sql-conditions.ts'
import type { Statements } from './statements.ts'

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

/** Use by hour, user and model. Unix seconds; hours count whole. The sums must be saved. */
export function usageByHour(
  statements: Statements,
  filter: { start: number; end: number; userId?: number; username?: string },
): HourlyUsage[] {
  const { start, end, ...person } = filter
  const { sql, values } = where([
    ['hour >= ?', start - (start % SECONDS_PER_HOUR)],
    ['hour <= ?', end],
    ['calls > ?', 0],
    ...lineConditions(hourTables.model, person),
  ])
  return statements
    .all(
      `SELECT hour, user_id, username, model, calls, quota, prompt_tokens, completion_tokens
       FROM usage_hours ${sql} ORDER BY hour, model`,
      values,
    )
    .map((row) => ({
      modelName: String(row.model),
      createdAt: Number(row.hour),
      userId: Number(row.user_id),
      username: String(row.username),
      tokenUsed: Number(row.prompt_tokens) + Number(row.completion_tokens),
      count: Number(row.calls),
      quota: Number(row.quota),
    }))
}
