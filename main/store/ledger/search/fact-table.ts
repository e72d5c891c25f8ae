import type { CallRow } from '../call-row.ts'
import { rollBack } from '../ledger-sums.ts'
import type { Database, Statement } from '../sqlite-driver.ts'
import type { Row, Statements } from '../statements.ts'
import { type CallFacts, factsOf } from './call-facts.ts'
import { NameTable } from './name-table.ts'
import { callFlags } from './search-condition.ts'
import type { Place } from './searches.ts'

/** Newer than all rows. */
export const TOP: Place = { time: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }

/** Rows that are read at once: some milliseconds. */
const STEP = 150
/** With more new rows than that it's sooner done to begin anew with the newest. */
const MOST_BEHIND = 100_000

const COLUMNS = `id, created_at AS createdAt, type, user_id AS userId, username, status, use_time AS useTime,
  quota, prompt_tokens AS promptTokens, completion_tokens AS completionTokens,
  cached_tokens AS cachedTokens, is_stream AS isStream, model, channel_name AS channelName,
  token_name AS tokenName, request_id AS requestId, content, other`

const INSERT = `INSERT OR REPLACE INTO call_facts VALUES (${Array(22).fill('?').join(', ')})`

/** One bit each, in their order. */
export const bitOf = (flag: (typeof callFlags)[number]): number => 1 << callFlags.indexOf(flag)

/** The table of facts. Each step is a transaction of some milliseconds, between two of which it is the calls' turn. */
export class FactTable {
  readonly names: NameTable
  readonly #database: Database
  readonly #statements: Statements
  readonly #insert: Statement
  #newestId: number
  #oldest: Place
  /** There is no older row than the oldest that has its facts. */
  #isAll = false

  constructor(database: Database, statements: Statements) {
    this.names = new NameTable(database, statements)
    this.#database = database
    this.#statements = statements
    this.#insert = database.prepare(INSERT)
    const [reach] = statements.all('SELECT newest_id, created_at, id FROM call_facts_reach')
    this.#newestId = Number(reach?.newest_id ?? 0)
    const isBegun = reach && Number(reach.created_at) < TOP.time
    this.#oldest = isBegun ? { time: Number(reach.created_at), id: Number(reach.id) } : TOP
  }

  get isAll(): boolean {
    return this.#isAll
  }

  /** Rows from here on have their facts. */
  get oldest(): Place {
    return this.#oldest
  }

  /** Takes rows in that came since; false when there are no more. */
  catchUp(lastId: number): boolean {
    if (this.#newestId >= lastId) return false
    if (this.#oldest === TOP || lastId - this.#newestId > MOST_BEHIND) {
      this.#change(() => this.#beginAt(lastId))
      return false
    }
    this.#change(() => {
      const rows = this.#statements.all(
        `SELECT ${COLUMNS} FROM calls WHERE id > ? ORDER BY id LIMIT ${STEP}`,
        [this.#newestId],
      )
      for (const row of rows) this.#put(row)
      const newest = rows.length < STEP ? lastId : Number(rows.at(-1)?.id)
      this.#reach(newest, this.#oldest)
    })
    return this.#newestId < lastId
  }

  /** Takes older rows in; false when there are none. */
  deepen(): boolean {
    if (this.#isAll) return false
    const { time, id } = this.#oldest
    this.#change(() => {
      const rows = this.#statements.all(
        `SELECT ${COLUMNS} FROM calls WHERE created_at <= ? AND (created_at < ? OR id < ?)
         ORDER BY created_at DESC, id DESC LIMIT ${STEP}`,
        [time, time, id],
      )
      for (const row of rows) this.#put(row)
      const last = rows.at(-1)
      if (last) this.#reach(this.#newestId, { time: Number(last.createdAt), id: Number(last.id) })
      this.#isAll = rows.length < STEP
    })
    return !this.#isAll
  }

  /** Removes facts of rows that are removed, at most so many. Inside who removes them. */
  removeBefore(timestamp: number, most: number): void {
    this.#statements.run(
      `DELETE FROM call_facts WHERE (created_at, id) IN
         (SELECT created_at, id FROM call_facts WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
      [timestamp, most],
    )
  }

  #beginAt(lastId: number): void {
    this.#statements.run('DELETE FROM call_facts')
    this.#isAll = false
    this.#reach(lastId, TOP)
  }

  #reach(newestId: number, oldest: Place): void {
    this.#statements.run('DELETE FROM call_facts_reach')
    this.#statements.run('INSERT INTO call_facts_reach VALUES (?, ?, ?)', [
      ...[newestId, oldest.time, oldest.id],
    ])
    this.#newestId = newestId
    this.#oldest = oldest
  }

  #put(row: Row): void {
    const read = { ...row, isStream: row.isStream === 1 } as unknown as CallRow
    this.#insert.run(Number(row.createdAt), Number(row.id), ...this.#valuesOf(factsOf(read)))
  }

  #valuesOf(facts: CallFacts): (string | number | null)[] {
    const { names } = this
    const flags = callFlags.reduce((sum, flag) => (facts[flag] ? sum | bitOf(flag) : sum), 0)
    return [
      ...[facts.type, facts.userId, facts.status, flags, facts.duration, facts.firstToken],
      ...[facts.quota, facts.input, facts.output, facts.cached],
      names.idOf('model', facts.model),
      names.idOf('channel', facts.channel),
      names.idOf('token', facts.token),
      names.idOf('user', facts.user),
      names.idOf('path', facts.path),
      names.idOf('client', facts.client),
      names.idOf('format', facts.format),
      names.idOf('error', facts.error),
      facts.session,
      facts.requestId,
    ]
  }

  #change(change: () => void): void {
    const before = { newestId: this.#newestId, oldest: this.#oldest, isAll: this.#isAll }
    try {
      this.#database.exec('BEGIN')
      change()
      this.#database.exec('COMMIT')
    } catch (error) {
      rollBack(this.#database)
      this.names.forget()
      this.#newestId = before.newestId
      this.#oldest = before.oldest
      this.#isAll = before.isAll
      throw error
    }
  }
}
