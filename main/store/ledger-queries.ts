import { unixSeconds } from '../base/clock.ts'
import type { CallFilter, CallRow } from './call-row.ts'
import type { Database, Statement } from './sqlite-driver.ts'

export type StoredCall = CallRow & { id: number }

export interface CallPage {
  /** Exact without a filter and among the newest 50 000 rows; of more it counts only those. */
  total: number
  /** Newest first. */
  items: StoredCall[]
}

export interface CallStat {
  quota: number
  /** Calls and tokens of the last 60 seconds, whatever the filter's times. */
  rpm: number
  tpm: number
  /** Model calls, failed ones included. */
  calls: number
  errors: number
  promptTokens: number
  completionTokens: number
}

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

type Value = string | number | null
type Condition = readonly [sql: string, value: Value]

/** Rows that a page's total is counted over: counting all of a large ledger would stall every call. */
const COUNTED_ROWS = 50_000
const SECONDS_PER_HOUR = 3600
/** No call takes longer; its row is written at the end, its id drawn at the start. */
const LONGEST_CALL_SECONDS = 86_400

const COLUMNS = `id, request_id AS requestId, created_at AS createdAt, type, user_id AS userId,
  username, token_id AS tokenId, token_name AS tokenName, channel_id AS channelId,
  channel_name AS channelName, model, user_group AS "group", ip, content, quota,
  prompt_tokens AS promptTokens, completion_tokens AS completionTokens, use_time AS useTime,
  is_stream AS isStream, status, other, cached_tokens AS cachedTokens, unpriced AS isUnpriced`

const SUMS = `coalesce(sum(type = 2), 0) AS calls, coalesce(sum(type = 5), 0) AS errors,
  coalesce(sum(quota), 0) AS quota, coalesce(sum(prompt_tokens), 0) AS promptTokens,
  coalesce(sum(completion_tokens), 0) AS completionTokens`

/** What the ledger is asked; every question is bounded in how many rows it reads or uses an index. */
export class LedgerQueries {
  private readonly database: Database
  private readonly prepared = new Map<string, Statement>()

  constructor(database: Database) {
    this.database = database
  }

  list(
    filter: CallFilter,
    { page, pageSize }: { page: number; pageSize: number },
    rowCount: number,
  ): CallPage {
    const indexed = indexedConditions(filter)
    const other = otherConditions(filter)
    const all = where([...indexed, ...other])
    const limit = Math.max(1, Math.trunc(pageSize))
    const offset = (Math.max(1, Math.trunc(page)) - 1) * limit
    const items = this.all(
      `SELECT ${COLUMNS} FROM calls ${all.sql} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
      [...all.values, limit, offset],
    ).map(toCall)
    if (indexed.length + other.length === 0) return { total: rowCount, items }

    const inner = where(indexed)
    const outer = where(other)
    const counted = this.all(
      `SELECT count(*) AS total FROM (SELECT * FROM calls ${inner.sql}
         ORDER BY created_at DESC LIMIT ${COUNTED_ROWS}) ${outer.sql}`,
      [...inner.values, ...outer.values],
    )
    return { total: Number(counted[0]?.total ?? 0), items }
  }

  /** Whole hours are read from their sums, unless the filter asks what only rows know. */
  stat(filter: CallFilter): CallStat {
    const { start = 0, end = Number.MAX_SAFE_INTEGER } = filter
    const firstHour = Math.ceil(start / SECONDS_PER_HOUR) * SECONDS_PER_HOUR
    const hoursEnd = Math.floor((end + 1) / SECONDS_PER_HOUR) * SECONDS_PER_HOUR
    const parts =
      hasOnlyHourFields(filter) && firstHour < hoursEnd
        ? [
            this.sumHours(filter, firstHour, hoursEnd),
            ...(start < firstHour ? [this.sumRows({ ...filter, end: firstHour - 1 })] : []),
            ...(hoursEnd <= end ? [this.sumRows({ ...filter, start: hoursEnd })] : []),
          ]
        : [this.sumRows(filter)]
    const sum = (name: string) => parts.reduce((total, part) => total + Number(part[name] ?? 0), 0)

    const { end: _end, ...now } = filter
    const minute = this.sumRows({ ...now, start: unixSeconds() - 59 })
    return {
      quota: sum('quota'),
      rpm: Number(minute.calls) + Number(minute.errors),
      tpm: Number(minute.promptTokens) + Number(minute.completionTokens),
      calls: sum('calls') + sum('errors'),
      errors: sum('errors'),
      promptTokens: sum('promptTokens'),
      completionTokens: sum('completionTokens'),
    }
  }

  hourly(filter: {
    start: number
    end: number
    userId?: number
    username?: string
  }): HourlyUsage[] {
    const { sql, values } = where([
      ['hour >= ?', filter.start - (filter.start % SECONDS_PER_HOUR)],
      ['hour <= ?', filter.end],
      ['calls > ?', 0],
      ...personConditions(filter),
    ])
    return this.all(
      `SELECT hour, user_id, username, model, sum(calls) AS calls, sum(quota) AS quota,
         sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens
       FROM usage_hours ${sql} GROUP BY hour, user_id, username, model ORDER BY hour, model`,
      values,
    ).map((row) => ({
      modelName: String(row.model),
      createdAt: Number(row.hour),
      userId: Number(row.user_id),
      username: String(row.username),
      tokenUsed: Number(row.prompt_tokens) + Number(row.completion_tokens),
      count: Number(row.calls),
      quota: Number(row.quota),
    }))
  }

  /** Rows with an id above the given one, in order. */
  *after(id: number): Generator<StoredCall> {
    const rows = this.database.prepare(`SELECT ${COLUMNS} FROM calls WHERE id > ? ORDER BY id`)
    for (const row of rows.iterate(id)) yield toCall(row as Record<string, unknown>)
  }

  private sumHours(filter: CallFilter, from: number, to: number): Record<string, unknown> {
    const { sql, values } = where([
      ['hour >= ?', from],
      ['hour < ?', to],
      ...personConditions(filter),
      ...modelConditions(filter),
    ])
    const [sums] = this.all(
      `SELECT sum(calls) AS calls, sum(errors) AS errors, sum(quota) AS quota,
         sum(prompt_tokens) AS promptTokens, sum(completion_tokens) AS completionTokens
       FROM usage_hours ${sql}`,
      values,
    )
    return sums ?? {}
  }

  private sumRows(filter: CallFilter): Record<string, unknown> {
    const { sql, values } = where([
      ...indexedConditions(filter),
      ...otherConditions(filter),
      // Top-ups and the like are no use of the gateway.
      ...(filter.type === undefined ? [['type IN (2, 5, ?)', 2] as const] : []),
    ])
    return this.all(`SELECT ${SUMS} FROM calls ${sql}`, values)[0] ?? {}
  }

  /** Runs a statement that gives rows; statements are kept, so `sql` must not hold values. */
  all(sql: string, values: readonly Value[]): Record<string, unknown>[] {
    return this.statement(sql).all(...values) as Record<string, unknown>[]
  }

  /** Runs a statement that changes rows; returns how many. */
  run(sql: string, values: readonly Value[]): number {
    return Number(this.statement(sql).run(...values).changes)
  }

  private statement(sql: string): Statement {
    let statement = this.prepared.get(sql)
    if (!statement) {
      statement = this.database.prepare(sql)
      this.prepared.set(sql, statement)
    }
    return statement
  }
}

function indexedConditions(filter: CallFilter): Condition[] {
  return [
    ...equal('user_id', filter.userId),
    ...ofType(filter.type),
    ...between(filter),
    ...(filter.requestId === undefined ? [] : nearRequest(filter.requestId)),
  ]
}

/** The index leaves out type 2, and is used only where the query says that it does too. */
function ofType(type: number | undefined): Condition[] {
  if (type === undefined) return []
  return [[type === 2 ? 'type = ?' : 'type <> 2 AND type = ?', type]]
}

function otherConditions(filter: CallFilter): Condition[] {
  return [
    ...equal('username', filter.username),
    ...equal('token_name', filter.tokenName),
    ...modelConditions(filter),
    ...equal('channel_id', filter.channelId),
    ...equal('user_group', filter.group),
    ...equal('request_id', filter.requestId),
  ]
}

function personConditions({ userId, username }: CallFilter): Condition[] {
  return [...equal('user_id', userId), ...equal('username', username)]
}

function modelConditions({ modelName }: CallFilter): Condition[] {
  if (!modelName?.includes('%')) return equal('model', modelName)
  return [["model LIKE ? ESCAPE '\\'", modelName.replace(/[\\_]/g, '\\$&')]]
}

function between({ start, end }: CallFilter): Condition[] {
  return [
    ...(start === undefined ? [] : [['created_at >= ?', start] as const]),
    ...(end === undefined ? [] : [['created_at <= ?', end] as const]),
  ]
}

/** A request id begins with the time it was drawn, which spares it an index that every row pays. */
function nearRequest(requestId: string): Condition[] {
  const drawn = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(requestId)
  if (!drawn) return []
  const [year, month, day, hour, minute, second] = drawn.slice(1).map(Number) as [
    ...[number, number, number],
    ...[number, number, number],
  ]
  const time = Date.UTC(year, month - 1, day, hour, minute, second) / 1000
  return between({ start: time - 1, end: time + LONGEST_CALL_SECONDS })
}

const equal = (column: string, value: Value | undefined): Condition[] =>
  value === undefined ? [] : [[`${column} = ?`, value]]

function where(conditions: readonly Condition[]): { sql: string; values: Value[] } {
  if (conditions.length === 0) return { sql: '', values: [] }
  return {
    sql: `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
    values: conditions.map(([, value]) => value),
  }
}

const HOUR_FIELDS = new Set(['userId', 'username', 'modelName', 'start', 'end'])

const hasOnlyHourFields = (filter: CallFilter): boolean =>
  Object.entries(filter).every(([name, value]) => value === undefined || HOUR_FIELDS.has(name))

const toCall = (row: Record<string, unknown>): StoredCall =>
  ({ ...row, isStream: row.isStream === 1, isUnpriced: row.isUnpriced === 1 }) as StoredCall
