import { statSync } from 'node:fs'
import type { Reason } from '../../base/reason.ts'
import { CALL_COLUMNS, toCall } from './call-columns.ts'
import { type CallPage, listCalls } from './call-list.ts'
import { type CallFilter, type CallRow, sanitizedRow } from './call-row.ts'
import { type CallStat, statOfCalls } from './call-stat.ts'
import { listEvents } from './event-list.ts'
import type { Ledger, Transaction } from './ledger.ts'
import {
  LedgerSums,
  rollBack,
  type TokenSpending,
  type Total,
  type TotalKind,
} from './ledger-sums.ts'
import type { OpenCallRow } from './open-call-rows.ts'
import { RowWriter } from './row-writer.ts'
import { CallSearch } from './search/call-search.ts'
import { type SessionKey, SessionSearch } from './search/session-search.ts'
import type { Database } from './sqlite-driver.ts'
import { storageFailure } from './sqlite-failure.ts'
import { Statements } from './statements.ts'
import { ClosedHours } from './usage/closed-hours.ts'
import { type HourlyUsage, usageByHour } from './usage/usage-by-hour.ts'
import { summarizeUsage, type UsageQuestion, type UsageSum } from './usage/usage-summary.ts'

const SAVE_SUMS_AFTER = 1000
/** Rows: they take some milliseconds. */
const REMOVED_AT_ONCE = 2000
const SAVE_SUMS_AGAIN = 30_000
/** Milliseconds that a change by an administrator, and the last rows of all, may wait for another program's lock. */
const CHANGE_PATIENCE = 40
const LAST_PATIENCE = 500

/** The ledger over its SQLite file: rows of one turn are written together, sums a little later. */
export class SqliteLedger implements Ledger {
  private readonly path: string
  private readonly database: Database
  private readonly writer: RowWriter
  private readonly sums: LedgerSums
  private readonly statements: Statements
  private readonly search: CallSearch
  private readonly sessions: SessionSearch
  private readonly closed = new ClosedHours()
  private readonly listeners = new Set<(userIds: readonly number[]) => void>()
  private rowCount: number
  private saveTimer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(path: string, database: Database) {
    this.path = path
    this.database = database
    this.sums = new LedgerSums(this.database)
    this.statements = new Statements(this.database)
    const found = this.database
      .prepare('SELECT max(id) AS last, (SELECT count(*) FROM calls) AS count FROM calls')
      .get()
    const lastId = Math.max(Number(found?.last ?? 0), this.sums.summedThrough)
    this.writer = new RowWriter(path, database, lastId, (rows, firstId) => {
      this.take(rows, firstId)
    })
    this.rowCount = Number(found?.count ?? 0)
    this.search = new CallSearch(database, this.statements, () => this.writer.lastId)
    this.sessions = new SessionSearch(this.search, this.statements)
    const unsummed = this.statements.each(
      `SELECT ${CALL_COLUMNS} FROM calls WHERE id > ? ORDER BY id`,
      [this.sums.summedThrough],
    )
    for (const found of unsummed) {
      const { id, ...row } = toCall(found)
      this.sums.count(row)
      this.sums.add(id, row)
    }
    this.saveSums()
  }

  get problemReason(): Reason | null {
    return this.writer.problemReason
  }

  get problem(): string | null {
    return this.writer.problem
  }

  get problemSince(): number | null {
    return this.writer.writeProblem.since
  }

  get rowsWaiting(): number {
    return this.writer.waiting
  }

  get rowsLost(): number {
    return this.writer.lost
  }

  size(): number {
    return ['', '-wal'].reduce(
      (sum, end) => sum + (statSync(this.path + end, { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
  }

  onProblem(listener: (isThere: boolean) => void): () => void {
    return this.writer.writeProblem.onChange(listener)
  }

  record(call: CallRow): Promise<void> {
    const row = sanitizedRow(call)
    this.sums.count(row)
    return this.writer.record(row)
  }

  keepOpen(calls: readonly OpenCallRow[]): boolean {
    return this.writer.keepOpen(calls)
  }

  totals(kind: TotalKind, id: number): Readonly<Total> {
    return this.sums.total(kind, id)
  }

  credited(userId: number): number {
    return this.sums.credited(userId)
  }

  spent(tokenId: number): Readonly<TokenSpending> {
    return this.sums.spent(tokenId)
  }

  transact<Result>(change: (transaction: Transaction) => Result): Result {
    const { database } = this
    const booked: CallRow[] = []
    let result: Result
    try {
      database.exec(
        `PRAGMA busy_timeout = ${CHANGE_PATIENCE}; PRAGMA synchronous = FULL; BEGIN IMMEDIATE`,
      )
      result = change({
        all: (sql, ...values) => this.statements.all(sql, values),
        run: (sql, ...values) => this.statements.run(sql, values),
        book: (row) => void booked.push(sanitizedRow(row)),
      })
      this.writer.insert(this.writer.lastId + 1, booked)
      database.exec('COMMIT')
    } catch (error) {
      rollBack(database)
      throw storageFailure(this.path, 'saved', error)
    } finally {
      this.relax()
    }
    for (const row of booked) this.sums.count(row)
    const firstId = this.writer.lastId + 1
    this.writer.lastId += booked.length
    if (booked.length > 0) this.take(booked, firstId)
    return result
  }

  read(sql: string, ...values: (string | number | null)[]): Record<string, unknown>[] {
    return this.reading(() => this.statements.all(sql, values))
  }

  list(filter: CallFilter, page: { page: number; pageSize: number }): CallPage {
    this.saveSums()
    return this.reading(() => listCalls(this.statements, filter, page, this.rowCount))
  }

  events(...asked: Parameters<Ledger['events']>): CallPage {
    return this.reading(() => listEvents(this.statements, ...asked))
  }

  stat(filter: CallFilter): CallStat {
    this.saveSums()
    return this.reading(() => statOfCalls(this.statements, filter))
  }

  find(...search: Parameters<Ledger['find']>): ReturnType<Ledger['find']> {
    return this.searching(() => this.search.find(...search))
  }

  countSince(...search: Parameters<Ledger['countSince']>): Promise<number> {
    return this.searching(() => this.search.countSince(...search))
  }

  valuesOf(...search: Parameters<Ledger['valuesOf']>): ReturnType<Ledger['valuesOf']> {
    return this.searching(() => this.search.valuesOf(...search))
  }

  findSessions(...search: Parameters<Ledger['findSessions']>): ReturnType<Ledger['findSessions']> {
    return this.searching(() => this.sessions.findSessions(...search))
  }

  callsOfSession(
    ...search: Parameters<Ledger['callsOfSession']>
  ): ReturnType<Ledger['callsOfSession']> {
    return this.searching(() => this.sessions.callsOfSession(...search))
  }

  usersOfSession(session: string): Promise<number[]> {
    return this.searching(() => this.sessions.usersOfSession(session))
  }

  sumOfSession(key: SessionKey): ReturnType<Ledger['sumOfSession']> {
    return this.searching(() => this.sessions.sumOfSession(key))
  }

  joinSession(...[key, calls]: Parameters<Ledger['joinSession']>): void {
    this.changing(() => this.sessions.join(key.session, calls))
    this.tellRecorded([key.userId])
  }

  newest(): ReturnType<Ledger['newest']> {
    return this.reading(() => this.search.newest())
  }

  hourly(filter: Parameters<Ledger['hourly']>[0]): HourlyUsage[] {
    this.saveSums()
    return this.reading(() => usageByHour(this.statements, this.closed, filter))
  }

  summary(question: UsageQuestion): UsageSum[] {
    this.saveSums()
    return this.reading(() => summarizeUsage(this.statements, this.closed, question))
  }

  async removeBefore(timestamp: number): Promise<number> {
    // Rows that are not summed yet would be missing from the totals after the next open.
    this.changing(() => this.sums.save())
    let removed = 0
    for (let count = REMOVED_AT_ONCE; count === REMOVED_AT_ONCE && !this.isClosed; ) {
      count = this.changing(() => {
        this.search.facts.removeBefore(timestamp, REMOVED_AT_ONCE)
        return this.statements.run(
          `DELETE FROM calls WHERE id IN
             (SELECT id FROM calls WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
          [timestamp, REMOVED_AT_ONCE],
        )
      })
      this.rowCount -= count
      removed += count
      // Between two pieces it is the calls' turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
    return removed
  }

  onRecorded(listener: (userIds: readonly number[]) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  close(): void {
    if (this.isClosed) return
    this.patience(LAST_PATIENCE)
    this.writer.close()
    // Who has it locked had its time: a process that stops must not wait again for each statement.
    this.patience(0)
    this.saveSums()
    this.isClosed = true
    clearTimeout(this.saveTimer)
    try {
      // So that ledger.db alone is the whole ledger when somebody copies it; @photostructure/sqlite does
      // not do that by itself.
      this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // The log is read at the next open just as well.
    }
    this.database.close()
  }

  /** Takes rows that are committed into what is summed up. */
  private take(rows: readonly CallRow[], firstId: number): void {
    this.rowCount += rows.length
    rows.forEach((row, index) => {
      this.closed.noteRow(row.createdAt)
      this.sums.add(firstId + index, row)
    })
    this.planSave(SAVE_SUMS_AFTER)
    this.tellRecorded(rows.map(({ userId }) => userId))
  }

  /** The next transactions are the calls' again, which a power cut in the seconds after may take. */
  private relax(): void {
    try {
      this.database.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = NORMAL')
    } catch {
      // The other way is only slower, and whether the transaction stands is settled already.
    }
  }

  /** A listener's failure must not look like a failed write: the rows stand. */
  private tellRecorded(userIds: readonly number[]): void {
    for (const listener of this.listeners) {
      try {
        listener(userIds)
      } catch (error) {
        process.emitWarning(error as Error)
      }
    }
  }

  private reading<Result>(read: () => Result): Result {
    try {
      return read()
    } catch (error) {
      throw storageFailure(this.path, 'read', error)
    }
  }

  private async searching<Result>(search: () => Promise<Result>): Promise<Result> {
    try {
      return await search()
    } catch (error) {
      throw storageFailure(this.path, 'read', error)
    }
  }

  private changing<Result>(change: () => Result): Result {
    try {
      return change()
    } catch (error) {
      throw storageFailure(this.path, 'saved', error)
    }
  }

  /** How long a statement waits for another program's lock, and all calls with it: mostly not at all. */
  private patience(milliseconds: number): void {
    this.database.exec(`PRAGMA busy_timeout = ${milliseconds}`)
  }

  /** A failed save is made up by the next one, or by summing again at the next open. */
  private saveSums(): void {
    try {
      this.sums.save()
    } catch {
      this.planSave(SAVE_SUMS_AGAIN)
    }
  }

  private planSave(after: number): void {
    this.saveTimer ??= setTimeout(() => {
      this.saveTimer = undefined
      this.saveSums()
    }, after).unref()
  }
}
