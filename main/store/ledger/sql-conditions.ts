import type { CallFilter } from './call-row.ts'

export type Value = string | number | null
export type Condition = readonly [sql: string, value: Value]

/** No call takes longer; its row is written at the end, its id drawn at the start. */
const LONGEST_CALL_SECONDS = 86_400

/** Conditions that an index answers. */
export function indexedConditions(filter: CallFilter): Condition[] {
  return [...equal('user_id', filter.userId), ...ofType(filter.type), ...between(filter)]
}

/** The index leaves out type 2, and is used only where the query says that it does too. */
function ofType(type: number | undefined): Condition[] {
  if (type === undefined) return []
  return [[type === 2 ? 'type = ?' : 'type <> 2 AND type = ?', type]]
}

/** Conditions that are checked row by row. */
export function otherConditions(filter: CallFilter): Condition[] {
  return [
    ...equal('username', filter.username),
    ...equal('token_id', filter.tokenId),
    ...equal('token_name', filter.tokenName),
    ...modelConditions(filter.modelName),
    ...equal('channel_id', filter.channelId),
    ...equal('user_group', filter.group),
    ...equal('request_id', filter.requestId),
  ]
}

/** `%` stands for any text, `_` for itself. */
export function modelConditions(modelName: string | undefined): Condition[] {
  if (!modelName?.includes('%')) return equal('model', modelName)
  return [["model LIKE ? ESCAPE '\\'", modelName.replace(/[\\_]/g, '\\$&')]]
}

function between({ start, end }: CallFilter): Condition[] {
  return [
    ...(start === undefined ? [] : [['created_at >= ?', start] as const]),
    ...(end === undefined ? [] : [['created_at <= ?', end] as const]),
  ]
}

/**
 * The span in which a request's row must lie, by its whole id, which begins with the time it was drawn. A part of one
 * may begin with fourteen digits too.
 */
export function spanOfRequest(requestId: string): { start: number; end: number } | undefined {
  const drawn = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)[0-9a-f]{12}$/.exec(requestId)
  if (!drawn) return undefined
  const [year, month, day, hour, minute, second] = drawn.slice(1).map(Number) as [
    ...[number, number, number],
    ...[number, number, number],
  ]
  const time = Date.UTC(year, month - 1, day, hour, minute, second) / 1000
  return { start: time - 1, end: time + LONGEST_CALL_SECONDS }
}

export const equal = (column: string, value: Value | undefined): Condition[] =>
  value === undefined ? [] : [[`${column} = ?`, value]]

export function where(conditions: readonly Condition[]): { sql: string; values: Value[] } {
  if (conditions.length === 0) return { sql: '', values: [] }
  return {
    sql: `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
    values: conditions.map(([, value]) => value),
  }
}
