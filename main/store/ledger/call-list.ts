import { CALL_COLUMNS, type StoredCall, toCall } from './call-columns.ts'
import type { CallFilter } from './call-row.ts'
import {
  type Condition,
  equal,
  indexedConditions,
  otherConditions,
  spanOfRequest,
  where,
} from './sql-conditions.ts'
import type { Statements } from './statements.ts'
import { hourTableFor, lineConditions, SECONDS_PER_HOUR } from './usage/hour-tables.ts'

export interface CallPage {
  /**
   * Exact without a filter, and up to 50 000 rows with one. Where no sums know what the filter asks, as of a
   * model in a channel, the newest 100 000 rows of the hours that may have some are looked at, and no more.
   */
  total: number
  /** Newest first. */
  items: StoredCall[]
}

/** Which rows of those that match. */
interface Part {
  offset: number
  limit: number
}

/** Rows that are counted, and that are looked at one by one: all of a large ledger would stall every call. */
const COUNTED_ROWS = 50_000
const LOOKED_AT_ROWS = 100_000
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC'

/** A page of rows; `rowCount` is how many there are in all. The sums by hour must be saved. */
export function listCalls(
  statements: Statements,
  typed: CallFilter,
  { page, pageSize }: { page: number; pageSize: number },
  rowCount: number,
): CallPage {
  // Any model at all is no question.
  const { modelName, ...rest } = typed
  const filter = modelName === undefined || /^%+$/.test(modelName) ? rest : typed
  const limit = Math.max(1, Math.trunc(pageSize))
  const part = { offset: (Math.max(1, Math.trunc(page)) - 1) * limit, limit }
  if (filter.requestId !== undefined) return listOfRequest(statements, filter, part)
  const isByIndex = otherConditions(filter).length === 0 || isRare(filter.type)
  return isByIndex
    ? listByIndex(statements, filter, part, rowCount)
    : listByHours(statements, filter, part)
}

/** Not of a model call: the index by type finds them at once. */
const isRare = (type: number | undefined): boolean => type !== undefined && type !== 2 && type !== 5

function listByIndex(
  statements: Statements,
  filter: CallFilter,
  { offset, limit }: Part,
  rowCount: number,
): CallPage {
  const conditions = [...indexedConditions(filter), ...otherConditions(filter)]
  const { sql, values } = where(conditions)
  const items = statements.all(
    // Rows before the page are passed over in the index alone.
    `SELECT ${CALL_COLUMNS} FROM calls WHERE id IN
       (SELECT id FROM calls ${sql} ${NEWEST_FIRST} LIMIT ? OFFSET ?) ${NEWEST_FIRST}`,
    [...values, limit, offset],
  )
  const total =
    conditions.length === 0
      ? rowCount
      : countOf(statements, `SELECT 1 FROM calls ${sql} LIMIT ${COUNTED_ROWS}`, values)
  return { total, items: items.map(toCall) }
}

/** A request has few rows, near the time that its id tells. */
function listOfRequest(
  statements: Statements,
  filter: CallFilter,
  { offset, limit }: Part,
): CallPage {
  const span = spanOfRequest(filter.requestId ?? '')
  const near: CallFilter = span
    ? {
        ...filter,
        start: Math.max(filter.start ?? 0, span.start),
        end: Math.min(filter.end ?? span.end, span.end),
      }
    : filter
  const inner = where(indexedConditions(near))
  const outer = where(otherConditions(filter))
  const found = statements.all(
    `SELECT ${CALL_COLUMNS} FROM calls ${outer.sql} AND id IN
       (SELECT id FROM calls ${inner.sql} ORDER BY created_at ${span ? 'ASC' : 'DESC'}
        LIMIT ${COUNTED_ROWS}) ${NEWEST_FIRST}`,
    [...outer.values, ...inner.values],
  )
  return { total: found.length, items: found.slice(offset, offset + limit).map(toCall) }
}

/** Rows from `from` to before `to`. */
interface Segment {
  from: number
  to: number
  /** How many match; null when they have to be counted. */
  count: number | null
}

/** Goes through the hours in which something matches, as their sums tell, the newest first. */
function listByHours(
  statements: Statements,
  filter: CallFilter,
  { offset, limit }: Part,
): CallPage {
  const enough = Math.max(COUNTED_ROWS, offset + limit)
  const items: StoredCall[] = []
  let total = 0
  let lookedAt = 0
  for (const segment of segmentsOf(statements, filter)) {
    let { count } = segment
    if (count === null) {
      const looked = countIn(statements, filter, segment)
      count = looked.matching
      lookedAt += looked.all
    }
    if (items.length < limit && total + count > offset) {
      const { sql, values } = where([...within(segment), ...conditionsOf(filter)])
      const found = statements.all(
        `SELECT ${CALL_COLUMNS} FROM calls ${sql} ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
        [...values, limit - items.length, Math.max(0, offset - total)],
      )
      items.push(...found.map(toCall))
    }
    total += count
    if (total >= enough || lookedAt >= LOOKED_AT_ROWS) break
  }
  return { total, items }
}

const within = ({ from, to }: Segment): Condition[] => [
  ['created_at >= ?', from],
  ['created_at < ?', to],
]

/** Conditions beside the time; the plus signs keep the index by time, which is the narrower choice. */
const conditionsOf = ({
  start: _start,
  end: _end,
  userId,
  type,
  ...rest
}: CallFilter): Condition[] => [
  ...otherConditions(rest),
  ...equal('+user_id', userId),
  ...equal('+type', type),
]

function countIn(
  statements: Statements,
  filter: CallFilter,
  segment: Segment,
): { matching: number; all: number } {
  const matches = where(conditionsOf(filter))
  const { sql, values } = where(within(segment))
  const [row] = statements.all(
    `SELECT count(*) AS "all", count(*) FILTER (${matches.sql}) AS matching FROM calls ${sql}`,
    [...matches.values, ...values],
  )
  return { matching: Number(row?.matching ?? 0), all: Number(row?.all ?? 0) }
}

function* segmentsOf(statements: Statements, filter: CallFilter): Generator<Segment> {
  const [oldest] = statements.all('SELECT min(created_at) AS time FROM calls')
  const from = Math.max(filter.start ?? 0, Number(oldest?.time ?? 0))
  const to = (filter.end ?? Number.MAX_SAFE_INTEGER - 1) + 1
  const firstHour = Math.ceil(from / SECONDS_PER_HOUR) * SECONDS_PER_HOUR
  const hoursEnd = Math.floor(to / SECONDS_PER_HOUR) * SECONDS_PER_HOUR
  if (firstHour >= hoursEnd) {
    yield { from, to, count: null }
    return
  }
  if (hoursEnd < to && filter.end !== undefined) yield { from: hoursEnd, to, count: null }
  yield* wholeHours(statements, filter, firstHour, hoursEnd)
  // The oldest hour's sum may still count rows that are gone.
  if (from < firstHour) yield { from, to: firstHour, count: null }
}

function* wholeHours(
  statements: Statements,
  filter: CallFilter,
  firstHour: number,
  hoursEnd: number,
): Generator<Segment> {
  const { table, isExact } = hourTableFor(filter)
  const { sql, values } = where([
    ['hour >= ?', firstHour],
    ['hour < ?', hoursEnd],
    ...lineConditions(table, filter),
  ])
  const events = eventsByHour(statements, filter, firstHour, hoursEnd)
  const segment = (hour: number, calls: number): Segment => {
    const count = calls + (events.get(hour) ?? 0)
    events.delete(hour)
    return { from: hour, to: hour + SECONDS_PER_HOUR, count: isExact ? count : null }
  }
  const counted =
    filter.type === 2 ? 'sum(calls)' : filter.type === 5 ? 'sum(errors)' : 'sum(calls + errors)'
  const lines = statements.each(
    `SELECT hour, ${counted} AS count FROM ${table.name} ${sql}
     GROUP BY hour HAVING ${counted} > 0 ORDER BY hour DESC`,
    values,
  )
  for (const line of lines) {
    const hour = Number(line.hour)
    for (const later of events.keys()) {
      if (later <= hour) break
      yield segment(later, 0)
    }
    yield segment(hour, Number(line.count))
  }
  for (const hour of events.keys()) yield segment(hour, 0)
}

/** Rows that are no model calls, newest first; they have neither a token nor a channel nor a model. */
function eventsByHour(
  statements: Statements,
  filter: CallFilter,
  firstHour: number,
  hoursEnd: number,
): Map<number, number> {
  const { tokenId, tokenName, channelId, modelName, type } = filter
  const ofCalls = [tokenId, tokenName, channelId, modelName, type]
  if (ofCalls.some((value) => value !== undefined)) return new Map()
  const { sql, values } = where([
    ['type <> 2 AND type IN (1, 3, 4, 6) AND created_at >= ?', firstHour],
    ['created_at < ?', hoursEnd],
    ...otherConditions(filter),
    ...indexedConditions({ userId: filter.userId }),
  ])
  const rows = statements.all(
    `SELECT created_at - created_at % 3600 AS hour, count(*) AS count FROM calls ${sql}
     GROUP BY hour ORDER BY hour DESC`,
    values,
  )
  return new Map(rows.map(({ hour, count }) => [Number(hour), Number(count)]))
}

function countOf(statements: Statements, sql: string, values: Condition[1][]): number {
  const [row] = statements.all(`SELECT count(*) AS count FROM (${sql})`, values)
  return Number(row?.count ?? 0)
}
