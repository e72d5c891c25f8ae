import { GatewayError } from '../../../base/errors.ts'
import { CALL_COLUMNS, toCall } from '../call-columns.ts'
import type { Value } from '../sql-conditions.ts'
import type { Database } from '../sqlite-driver.ts'
import type { Statements } from '../statements.ts'
import { conditionSql, numberColumns, textColumns } from './condition-sql.ts'
import { FactTable, TOP } from './fact-table.ts'
import { valuesOfField } from './field-values.ts'
import type { SearchCondition } from './search-condition.ts'
import type {
  CallPlace,
  FieldValue,
  FindOptions,
  FoundCalls,
  ListedField,
  Place,
  Searches,
} from './searches.ts'

/** The first so many of two lists that are sorted already. */
function mergeBest(
  one: readonly CallPlace[],
  other: readonly CallPlace[],
  most: number,
  isAscending: boolean,
): CallPlace[] {
  const way = isAscending ? 1 : -1
  return [...one, ...other]
    .sort((a, b) => way * (a.value - b.value || a.time - b.time || a.id - b.id))
    .slice(0, most)
}

/** In rows. */
interface SearchSizes {
  /** Rows of one statement, which takes some milliseconds. */
  slice: number
  /** Rows that one search looks at. */
  lookedAt: number
}

const SIZES: SearchSizes = { slice: 20_000, lookedAt: 100_000 }
const MOST_COUNTED = 10_000
const OLDEST: Place = { time: Number.MIN_SAFE_INTEGER, id: 0 }

const isBefore = (one: Place, other: Place): boolean =>
  one.time < other.time || (one.time === other.time && one.id < other.id)

/** Between two steps it is the calls' turn. */
async function othersFirst(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  if (!signal?.aborted) return
  throw new GatewayError('client_gone', { message: 'The client left before the search was over.' })
}

/** Can the indexes of `calls` themselves answer it? Answered calls are nearly all of the rows. */
function isPlain(condition: SearchCondition): boolean {
  if (condition.isNegated) return false
  if (condition.test === 'types') return condition.types.includes(2)
  return condition.test === 'range' && ['time', 'userId'].includes(condition.field)
}

/** Rows of one piece of a search. */
interface Slice {
  /** The oldest of them. */
  to: Place
  isLast: boolean
}

export class CallSearch implements Searches {
  readonly facts: FactTable
  readonly #statements: Statements
  readonly #lastId: () => number
  readonly #sizes: SearchSizes
  /** Every so many rows one, newest first: to count them again for each search would take as long as to search. */
  #marks: Place[] = []
  /** The last row when the first of them was set; rows that came since are in the first slice too. */
  #markedId = 0

  constructor(
    database: Database,
    statements: Statements,
    lastId: () => number,
    sizes: SearchSizes = SIZES,
  ) {
    this.facts = new FactTable(database, statements)
    this.#statements = statements
    this.#lastId = lastId
    this.#sizes = sizes
  }

  newest(): Place {
    const [row] = this.#statements.all('SELECT max(created_at) AS time FROM calls')
    // A clock that was set back must not hide what comes from now on.
    const now = Math.floor(Date.now() / 1000)
    return { time: Math.min(now, Number(row?.time ?? now)), id: this.#lastId() }
  }

  async find(conditions: readonly SearchCondition[], options: FindOptions): Promise<FoundCalls> {
    if (options.sort !== 'time' || options.order === 'asc') return this.#sorted(conditions, options)
    return conditions.every(isPlain)
      ? this.#listed(conditions, options)
      : this.#searched(conditions, options)
  }

  async countSince(
    conditions: readonly SearchCondition[],
    since: Place,
    signal?: AbortSignal,
  ): Promise<number> {
    const isDirect = conditions.every(isPlain)
    if (!isDirect) {
      await this.catchUp(signal)
      await this.cover(since.time, signal)
    }
    const { sql, values } = this.#sqlOf(conditions)
    const [row] = this.#read(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${isDirect ? 'calls' : 'call_facts'}
         WHERE created_at >= ? AND id > ?${sql} LIMIT ${MOST_COUNTED})`,
      [since.time, since.id, ...values],
    )
    return Number(row?.count ?? 0)
  }

  async valuesOf(
    field: ListedField,
    part: string,
    limit: number,
    conditions: readonly SearchCondition[] = [],
  ): Promise<FieldValue[]> {
    await this.catchUp()
    const column = field === 'status' ? numberColumns.status : textColumns[field]
    const counts = new Map<string | number, number>()
    let from = TOP
    for (let lookedAt = 0; lookedAt < this.#sizes.lookedAt; lookedAt += this.#sizes.slice) {
      const { to, isLast } = await this.slice(from, OLDEST.time)
      const { sql, values } = this.#sqlOf(conditions)
      const rows = this.#read(
        `SELECT ${column} AS value, count(*) AS count FROM call_facts
         WHERE (created_at, id) < (?, ?) AND (created_at, id) >= (?, ?)${sql} GROUP BY ${column}`,
        [from.time, from.id, to.time, to.id, ...values],
      ) as { value: string | number; count: number }[]
      for (const { value, count } of rows) counts.set(value, (counts.get(value) ?? 0) + count)
      if (isLast) break
      from = to
      await othersFirst(undefined)
    }
    return valuesOfField(field, counts, this.facts.names, part, limit)
  }

  /** The newest rows of all, or of a user or a time. */
  #listed(conditions: readonly SearchCondition[], { cursor, limit }: FindOptions): FoundCalls {
    const { sql, values } = this.#sqlOf(conditions)
    const { time, id } = cursor ?? TOP
    const rows = this.#read(
      `SELECT id, created_at AS time, created_at AS value FROM calls
       WHERE created_at <= ? AND (created_at < ? OR id < ?)${sql}
       ORDER BY created_at DESC, id DESC LIMIT ?`,
      [time, time, id, ...values, limit + 1],
    ) as unknown as CallPlace[]
    return this.#page(rows, limit)
  }

  async #searched(
    conditions: readonly SearchCondition[],
    { cursor, limit, signal }: FindOptions,
  ): Promise<FoundCalls> {
    await this.catchUp(signal)
    const span = spanOf(conditions)
    const found: CallPlace[] = []
    let from: Place = cursor ?? TOP
    if (isBefore(span.to, from)) from = span.to
    for (let lookedAt = 0; lookedAt < this.#sizes.lookedAt; lookedAt += this.#sizes.slice) {
      const slice = await this.slice(from, span.from, signal)
      const { sql, values } = this.#sqlOf(conditions)
      const rows = this.#read(
        `SELECT id, created_at AS time, created_at AS value FROM call_facts
         WHERE (created_at, id) < (?, ?) AND (created_at, id) >= (?, ?)${sql}
         ORDER BY created_at DESC, id DESC LIMIT ?`,
        [from.time, from.id, slice.to.time, slice.to.id, ...values, limit + 1 - found.length],
      )
      found.push(...(rows as unknown as CallPlace[]))
      if (found.length > limit || slice.isLast) return this.#page(found, limit)
      from = slice.to
      await othersFirst(signal)
    }
    return { ...this.#page(found, limit), next: { ...from, value: from.time } }
  }

  /** By another column, or the oldest first: of the newest 100 000 rows that fit. */
  async #sorted(
    conditions: readonly SearchCondition[],
    { cursor, limit, sort, order, upToId, signal }: FindOptions,
  ): Promise<FoundCalls> {
    await this.catchUp(signal)
    const span = spanOf(conditions)
    const isAscending = order === 'asc'
    // Rows without a figure come last in both directions.
    const none = isAscending ? Number.MAX_SAFE_INTEGER : -1
    const value = `coalesce(${numberColumns[sort]}, ${none})`
    const [sign, way] = isAscending ? ['>', 'ASC'] : ['<', 'DESC']
    const after = cursor ? ` AND (${value}, created_at, id) ${sign} (?, ?, ?)` : ''
    const afterValues = cursor ? [cursor.value, cursor.time, cursor.id] : []
    let best: CallPlace[] = []
    let from: Place = isBefore(span.to, TOP) ? span.to : TOP
    for (let matching = 0; matching < this.#sizes.lookedAt; ) {
      const slice = await this.slice(from, span.from, signal)
      const { sql, values } = this.#sqlOf(conditions)
      const within = `(created_at, id) < (?, ?) AND (created_at, id) >= (?, ?) AND id <= ?${sql}`
      const bounds = [
        ...[from.time, from.id, slice.to.time, slice.to.id],
        ...[upToId ?? TOP.id, ...values],
      ]
      const rows = this.#read(
        `SELECT id, created_at AS time, ${value} AS value FROM call_facts WHERE ${within}${after}
         ORDER BY 3 ${way}, created_at ${way}, id ${way} LIMIT ?`,
        [...bounds, ...afterValues, limit + 1],
      )
      best = mergeBest(best, rows as unknown as CallPlace[], limit + 1, isAscending)
      if (slice.isLast) break
      matching += conditions.length === 0 ? this.#sizes.slice : this.#count(within, bounds)
      from = slice.to
      await othersFirst(signal)
    }
    return this.#page(best, limit)
  }

  #count(within: string, bounds: readonly Value[]): number {
    const [row] = this.#read(`SELECT count(*) AS count FROM call_facts WHERE ${within}`, bounds)
    return Number(row?.count ?? 0)
  }

  /** The rows of these places, in their order; one place more than the limit says that there are more. */
  #page(places: readonly CallPlace[], limit: number): FoundCalls {
    const shown = places.slice(0, limit)
    const stored = this.#statements.all(
      `SELECT ${CALL_COLUMNS} FROM calls WHERE id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(shown.map(({ id }) => id))],
    )
    const byId = new Map(stored.map((row) => [Number(row.id), toCall(row)]))
    const last = shown.at(-1)
    return {
      rows: shown.flatMap(({ id }) => byId.get(id) ?? []),
      next: places.length > limit && last ? { ...last } : null,
    }
  }

  /** Rows of a slice. */
  get sliceSize(): number {
    return this.#sizes.slice
  }

  /** Some of the rows before a place, up to the next mark, all with their facts. */
  async slice(from: Place, least: number, signal?: AbortSignal): Promise<Slice> {
    if (this.#lastId() - this.#markedId > this.#sizes.slice / 4) this.#marks = []
    for (;;) {
      const mark = this.#marks.find((one) => isBefore(one, from))
      if (mark) return { to: mark, isLast: mark.time < least }
      const last = this.#marks.at(-1)
      const { time, id } = last ?? TOP
      const [end] = this.#read(
        `SELECT created_at AS time, id FROM call_facts WHERE (created_at, id) < (?, ?)
         ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?`,
        [time, id, this.#sizes.slice - 1],
      ) as unknown as Place[]
      const { oldest, isAll } = this.facts
      if (end && !isBefore(end, oldest)) {
        if (!last) this.#markedId = this.#lastId()
        this.#marks.push(end)
      } else if (isAll || oldest.time < least) return { to: OLDEST, isLast: true }
      else {
        this.facts.deepen()
        await othersFirst(signal)
      }
    }
  }

  /** Sees to it that all rows from this time on have their facts. */
  async cover(least: number, signal: AbortSignal | undefined): Promise<void> {
    while (this.facts.oldest.time >= least && this.facts.deepen()) await othersFirst(signal)
  }

  async catchUp(signal?: AbortSignal): Promise<void> {
    while (this.facts.catchUp(this.#lastId())) {
      await othersFirst(signal)
    }
  }

  /** Behind the last step, as that may bring names that fit. */
  #sqlOf(conditions: readonly SearchCondition[]): { sql: string; values: Value[] } {
    return conditionSql(conditions, this.facts.names)
  }

  /** Not kept prepared: there are as many statements as searches. */
  #read(sql: string, values: readonly Value[]): Record<string, unknown>[] {
    return [...this.#statements.each(sql, values)]
  }
}

/** The time in which all rows lie that can fit; its end is the first place that cannot. */
function spanOf(conditions: readonly SearchCondition[]): { from: number; to: Place } {
  let { time: from } = OLDEST
  let { time: to } = TOP
  for (const condition of conditions) {
    if (condition.test !== 'range' || condition.field !== 'time' || condition.isNegated) continue
    const { above, atLeast, atMost, below } = condition.range
    from = Math.max(from, atLeast ?? from, above ?? from)
    to = Math.min(to, below ?? to, atMost === undefined ? to : atMost + 1)
  }
  return { from, to: { time: to, id: to === TOP.time ? TOP.id : 0 } }
}
