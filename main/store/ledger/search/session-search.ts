import type { StoredCall } from '../call-columns.ts'
import { CALL_COLUMNS, toCall } from '../call-columns.ts'
import type { Value } from '../sql-conditions.ts'
import type { Statements } from '../statements.ts'
import type { CallSearch } from './call-search.ts'
import { conditionSql } from './condition-sql.ts'
import { bitOf, TOP } from './fact-table.ts'
import type { NameField } from './name-table.ts'
import type { SearchCondition } from './search-condition.ts'
import type { Place } from './searches.ts'

/** An agent's session; ids are the clients' own, so that each user has theirs. */
export interface SessionKey {
  session: string
  userId: number
}

/** A session's figures. */
export interface SessionSum extends SessionKey {
  username: string
  token: string
  /** User-Agent of the calls. */
  client: string
  /** Unix seconds: when the first call began, and the last one ended. */
  startedAt: number
  endedAt: number
  calls: number
  errors: number
  /** The one with most input first. */
  models: string[]
  input: number
  cachedInput: number
  output: number
  /** Units; null where no call has a known cost. */
  quota: number | null
  /** Calls whose cost isn't known. */
  unpriced: number
  /** Calls whose usage is an estimate. */
  estimated: number
}

export interface FoundSessions {
  sessions: SessionSum[]
  /** Where the next page begins; null at the end. */
  next: Place | null
}

export interface SessionOptions {
  /** Sessions whose newest call is older than this place; null = from the newest. */
  cursor: Place | null
  limit: number
  signal?: AbortSignal | undefined
}

/** Sessions of agents, found in the ledger. */
export interface SessionSearches {
  /** Sessions with a matching call, last used first. */
  findSessions(
    conditions: readonly SearchCondition[],
    options: SessionOptions,
  ): Promise<FoundSessions>
  /** Calls of a session, the oldest first; of more than `limit` the newest or the oldest. */
  callsOfSession(key: SessionKey, limit: number, which?: 'newest' | 'oldest'): Promise<StoredCall[]>
  /** The users who have a session of this id, the one who used it last first. */
  usersOfSession(session: string): Promise<number[]>
  /** The figures of a session that has calls. */
  sumOfSession(key: SessionKey): Promise<SessionSum>
}

type Last = SessionKey & Place

/** Calls of the first part of a slice; each next one has four times as many. */
const FIRST_PART = 500
const LOOKED_AT = 100_000
/** Seconds before a session's first known call in which older ones are looked for. */
const BEFORE = 86_400

export class SessionSearch implements SessionSearches {
  readonly #search: CallSearch
  readonly #statements: Statements

  constructor(search: CallSearch, statements: Statements) {
    this.#search = search
    this.#statements = statements
  }

  async findSessions(
    conditions: readonly SearchCondition[],
    { cursor, limit, signal }: SessionOptions,
  ): Promise<FoundSessions> {
    await this.#search.catchUp(signal)
    const found = new Map<string, Last>()
    let from = cursor ?? TOP
    let next: Place | null = null
    for (let lookedAt = 0; next === null; lookedAt += this.#search.sliceSize) {
      if (lookedAt >= LOOKED_AT) {
        next = from
        break
      }
      const slice = await this.#search.slice(from, 0, signal)
      next = this.#collect(found, { from, to: slice.to, cursor, limit }, conditions)
      if (slice.isLast) break
      from = slice.to
    }
    const shown = [...found.values()]
    await this.#coverStarts(shown, signal)
    return { sessions: shown.map((key) => this.#sumOf(key)), next }
  }

  /**
   * Adds a slice's sessions to those found, and gives where the next page begins, or null where there is room for more.
   * Mostly a page's sessions are among few calls, so that it's done in parts.
   */
  #collect(
    found: Map<string, Last>,
    { from, to, cursor, limit }: { from: Place; to: Place; cursor: Place | null; limit: number },
    conditions: readonly SearchCondition[],
  ): Place | null {
    let start = from
    for (let size = FIRST_PART; ; size *= 4) {
      const end = this.#partEnd(start, to, size)
      for (const one of this.#lastIn(conditions, start, end ?? to)) {
        const key = `${one.userId} ${one.session}`
        if (found.has(key) || (cursor && this.#isListed(one, cursor, conditions))) continue
        if (found.size === limit) {
          const { time, id } = [...found.values()].at(-1) as Last
          return { time, id }
        }
        found.set(key, one)
      }
      if (!end) return null
      start = end
    }
  }

  /** The place behind so many rows of a slice; null where it has fewer. */
  #partEnd(from: Place, to: Place, size: number): Place | null {
    const [end] = this.#statements.all(
      `SELECT created_at AS time, id FROM call_facts
       WHERE (created_at, id) < (?, ?) AND (created_at, id) >= (?, ?)
       ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?`,
      [from.time, from.id, to.time, to.id, size - 1],
    ) as unknown as Place[]
    return end ?? null
  }

  async usersOfSession(session: string): Promise<number[]> {
    await this.#search.catchUp()
    await this.#reach('session = ?', [session])
    const rows = this.#statements.all(
      `SELECT user_id AS userId, max(created_at) FROM call_facts
       WHERE session = ? AND session <> '' GROUP BY user_id ORDER BY 2 DESC LIMIT 100`,
      [session],
    )
    return rows.map(({ userId }) => Number(userId))
  }

  async callsOfSession(
    { session, userId }: SessionKey,
    limit: number,
    which: 'newest' | 'oldest' = 'newest',
  ): Promise<StoredCall[]> {
    const way = which === 'newest' ? 'DESC' : 'ASC'
    await this.#search.catchUp()
    await this.#reach('session = ? AND user_id = ?', [session, userId])
    await this.#coverStarts([{ session, userId }])
    const rows = this.#statements.all(
      `SELECT ${CALL_COLUMNS} FROM calls WHERE id IN (
         SELECT id FROM call_facts WHERE session = ? AND session <> '' AND user_id = ? AND type IN (2, 5)
         ORDER BY created_at ${way}, id ${way} LIMIT ?)`,
      [session, userId, limit],
    )
    return rows
      .map(toCall)
      .sort((one, other) => one.createdAt - other.createdAt || one.id - other.id)
  }

  async sumOfSession(key: SessionKey): Promise<SessionSum> {
    await this.#search.catchUp()
    await this.#coverStarts([key])
    return this.#sumOf(key)
  }

  /** Writes into the rows of calls to which session they belong. */
  join(session: string, calls: readonly { requestId: string; createdAt: number }[]): void {
    for (const { requestId, createdAt } of calls) {
      this.#statements.run(
        `UPDATE calls SET other = json_set(CASE WHEN json_valid(other) THEN other ELSE '{}' END, '$.session', ?)
         WHERE created_at = ? AND request_id = ? AND type IN (2, 5)`,
        [session, createdAt, requestId],
      )
      this.#statements.run(
        'UPDATE call_facts SET session = ? WHERE created_at = ? AND request_id = ? AND type IN (2, 5)',
        [session, createdAt, requestId],
      )
    }
  }

  /** The sessions with a call between two places that fits, each with the newest of these calls. */
  #lastIn(conditions: readonly SearchCondition[], from: Place, to: Place): Last[] {
    const { sql, values } = conditionSql(conditions, this.#search.facts.names)
    const bounds: Value[] = [from.time, from.id, to.time, to.id]
    const rows = this.#statements.each(
      `SELECT session, user_id AS userId, created_at AS time, max(id) AS id FROM (
         SELECT session, user_id, created_at, id,
           rank() OVER (PARTITION BY session, user_id ORDER BY created_at DESC) AS place
         FROM call_facts
         WHERE (created_at, id) < (?, ?) AND (created_at, id) >= (?, ?) AND session <> '' AND type IN (2, 5)${sql})
       WHERE place = 1 GROUP BY session, user_id ORDER BY 3 DESC, 4 DESC`,
      [...bounds, ...values],
    )
    return [...rows] as unknown as Last[]
  }

  /** Was the session on an earlier page, as a newer call of it fits? */
  #isListed(
    { session, userId }: SessionKey,
    { time, id }: Place,
    conditions: readonly SearchCondition[],
  ): boolean {
    const { sql, values } = conditionSql(conditions, this.#search.facts.names)
    const rows = this.#statements.each(
      `SELECT 1 FROM call_facts WHERE session = ? AND session <> '' AND user_id = ?
         AND type IN (2, 5) AND (created_at, id) >= (?, ?)${sql} LIMIT 1`,
      [session, userId, time, id, ...values],
    )
    return [...rows].length > 0
  }

  /** Sees to it that a session's newest call has its facts, if it is among the newest 100 000. */
  async #reach(which: string, values: Value[]): Promise<void> {
    let from = TOP
    for (let lookedAt = 0; lookedAt < LOOKED_AT; lookedAt += this.#search.sliceSize) {
      const { to, isLast } = await this.#search.slice(from, 0)
      const found = this.#statements.all(
        `SELECT 1 FROM call_facts WHERE ${which} AND session <> '' LIMIT 1`,
        values,
      )
      if (found.length > 0 || isLast) return
      from = to
    }
  }

  /** Sees to it that the older calls of sessions have their facts. */
  async #coverStarts(keys: readonly SessionKey[], signal?: AbortSignal): Promise<void> {
    for (const key of keys) {
      // Each look may show an older call.
      for (let before = Number.POSITIVE_INFINITY; ; ) {
        const oldest = this.#oldestOf(key)
        if (oldest === null || oldest >= before) break
        before = oldest
        await this.#search.cover(oldest - BEFORE, signal)
      }
    }
  }

  #oldestOf({ session, userId }: SessionKey): number | null {
    const [row] = this.#statements.all(
      `SELECT min(created_at) AS time FROM call_facts WHERE session = ? AND session <> '' AND user_id = ?`,
      [session, userId],
    )
    return row?.time === null || row === undefined ? null : Number(row.time)
  }

  #sumOf({ session, userId }: SessionKey): SessionSum {
    const rows = this.#statements.all(
      `SELECT model, client, username, token, count(*) AS calls,
         min(created_at - coalesce(duration, 0) / 1000) AS startedAt, max(created_at) AS endedAt,
         sum(type = 5 OR status >= 400) AS errors, sum(coalesce(input, 0)) AS input,
         sum(coalesce(input * cached / 100, 0)) AS cachedInput,
         sum(coalesce(output, 0)) AS output, sum(coalesce(quota, 0)) AS quota,
         sum(quota IS NULL) AS unpriced, sum(flags & ? <> 0) AS estimated
       FROM call_facts WHERE session = ? AND session <> '' AND user_id = ? AND type IN (2, 5)
       GROUP BY model, client, username, token ORDER BY input DESC, calls DESC`,
      [bitOf('estimated'), session, userId],
    )
    const total = (column: string) => rows.reduce((sum, row) => sum + Number(row[column]), 0)
    const name = (field: NameField, column: string) =>
      this.#search.facts.names.textOf(field, Number(rows[0]?.[column] ?? 0))
    return {
      ...{ session, userId },
      username: name('user', 'username'),
      token: name('token', 'token'),
      client: name('client', 'client'),
      startedAt: Math.min(...rows.map(({ startedAt }) => Number(startedAt))),
      endedAt: Math.max(...rows.map(({ endedAt }) => Number(endedAt))),
      calls: total('calls'),
      errors: total('errors'),
      models: [
        ...new Set(
          rows.map(({ model }) => this.#search.facts.names.textOf('model', Number(model))),
        ),
      ],
      input: total('input'),
      cachedInput: Math.round(total('cachedInput')),
      output: total('output'),
      quota: total('unpriced') < total('calls') ? total('quota') : null,
      unpriced: total('unpriced'),
      estimated: total('estimated'),
    }
  }
}
