import { type CallFilter, type CallRow, soundRow } from './call-row.ts'
import { openLedgerFile, unusableLedger } from './ledger-file.ts'
import { type CallPage, type CallStat, type HourlyUsage, LedgerQueries } from './ledger-queries.ts'
import { LedgerSums, rollBack, type Spent, type Total, type TotalKind } from './ledger-sums.ts'
import type { Database, Statement } from './sqlite-driver.ts'

export type { CallFilter, CallRow } from './call-row.ts'
export type { CallPage, CallStat, HourlyUsage, StoredCall } from './ledger-queries.ts'
export type { Spent, Total, TotalKind } from './ledger-sums.ts'

/** Every call and what it used. */
export interface Ledger {
  /**
   * Resolves when the row is committed. Rows of one turn of the event loop share a transaction. It
   * never rejects: a row that cannot be written is kept and tried again, and `problem` says so.
   */
  record(row: CallRow): Promise<void>
  /** Used in all time, from memory; counts a row as soon as `record` was called. */
  totals(kind: TotalKind, id: number): Readonly<Total>
  /** Units that a user was credited by codes and payments, less what was taken back; never what was used. */
  credited(userId: number): number
  /** Units that a token has used today and this month, by this machine's calendar. */
  spent(tokenId: number): Readonly<Spent>
  /**
   * Runs a change of what the ledger's file holds in one transaction, which is safe on the disk when this
   * returns, even from a power cut. When `change` throws, nothing has happened.
   */
  transact<Result>(change: (transaction: Transaction) => Result): Result
  /** For reading what else the file holds: codes, orders, events. Write in `transact` only. */
  read(sql: string, ...values: (string | number | null)[]): Record<string, unknown>[]
  /** Pages from 1. */
  list(filter: CallFilter, page: { page: number; pageSize: number }): CallPage
  stat(filter: CallFilter): CallStat
  /** Use by hour, user and model; `start` and `end` in unix seconds. */
  hourly(filter: { start: number; end: number; userId?: number; username?: string }): HourlyUsage[]
  /** Removes rows from before a time (unix seconds), not what they add up to; returns how many. */
  removeBefore(timestamp: number): number
  /** Calls the listener after rows were committed; returns what ends that. */
  onRecorded(listener: () => void): () => void
  /** Why rows cannot be written at present, for a person; null when all is well. */
  readonly problem: string | null
  /** Writes what is left and closes the file. */
  close(): void
}

/** Opens `ledger.db`, or begins one; throws StartError for a file that cannot be used. */
export async function openLedger(path: string): Promise<Ledger> {
  const database = openLedgerFile(path)
  try {
    return new SqliteLedger(path, database)
  } catch (error) {
    database.close()
    throw unusableLedger(path, error)
  }
}

/** A change under way: statements on the file, and rows that are booked with it. */
export interface Transaction {
  /** Rows of a SELECT or RETURNING. */
  all(sql: string, ...values: (string | number | null)[]): Record<string, unknown>[]
  /** How many rows a statement changed. */
  run(sql: string, ...values: (string | number | null)[]): number
  book(row: CallRow): void
}

interface Waiting {
  row: CallRow
  done: () => void
}

/** Rows kept in memory while the file cannot be written: about 10 MB. */
const MAX_WAITING = 10_000
const SAVE_SUMS_AFTER = 1000
const FIRST_RETRY = 1000
const LONGEST_RETRY = 30_000
/** Milliseconds between two transactions below which more rows are sure to come at once. */
const BUSY = 1
/** Turns of the event loop that rows then wait, unless this many are together before. */
const BUSY_TURNS = 4
const ENOUGH = 12

class SqliteLedger implements Ledger {
  private readonly path: string
  private readonly database: Database
  private readonly begin: Statement
  private readonly insert: Statement
  private readonly commit: Statement
  private readonly sums: LedgerSums
  private readonly queries: LedgerQueries
  private readonly listeners = new Set<() => void>()
  private waiting: Waiting[] = []
  private lastId: number
  private rowCount: number
  private dropped = 0
  private failure: string | null = null
  private isFlushPlanned = false
  private lastFlush = 0
  private retryTimer: NodeJS.Timeout | undefined
  private retryAfter = FIRST_RETRY
  private saveTimer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(path: string, database: Database) {
    this.path = path
    this.database = database
    this.begin = this.database.prepare('BEGIN')
    this.commit = this.database.prepare('COMMIT')
    this.insert = this.database.prepare(
      `INSERT INTO calls VALUES (${Array(23).fill('?').join(', ')})`,
    )
    this.sums = new LedgerSums(this.database)
    this.queries = new LedgerQueries(this.database)
    const found = this.database
      .prepare('SELECT max(id) AS last, (SELECT count(*) FROM calls) AS count FROM calls')
      .get()
    this.lastId = Math.max(Number(found?.last ?? 0), this.sums.summedThrough)
    this.rowCount = Number(found?.count ?? 0)
    for (const { id, ...row } of this.queries.after(this.sums.summedThrough)) {
      this.sums.count(row)
      this.sums.add(id, row)
    }
    this.sums.save()
  }

  get problem(): string | null {
    return this.failure
  }

  record(given: CallRow): Promise<void> {
    const row = soundRow(given)
    this.sums.count(row)
    if (this.isClosed || this.waiting.length >= MAX_WAITING) {
      this.dropped++
      this.failure ??= `${this.path} is closed.`
      return Promise.resolve()
    }
    return new Promise((done) => {
      this.waiting.push({ row, done })
      // While the file fails, the timer tries again; a call must not wait for that.
      if (this.retryTimer) done()
      else this.planFlush()
    })
  }

  totals(kind: TotalKind, id: number): Readonly<Total> {
    return this.sums.total(kind, id)
  }

  credited(userId: number): number {
    return this.sums.credited(userId)
  }

  spent(tokenId: number): Readonly<Spent> {
    return this.sums.spent(tokenId)
  }

  transact<Result>(change: (transaction: Transaction) => Result): Result {
    const { database } = this
    const booked: CallRow[] = []
    // The next transactions are the calls' again, which a power cut in the seconds after may take.
    database.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE')
    let result: Result
    try {
      result = change({
        all: (sql, ...values) => this.queries.all(sql, values),
        run: (sql, ...values) => this.queries.run(sql, values),
        book: (row) => void booked.push(soundRow(row)),
      })
      booked.forEach((row, index) => {
        this.write(this.lastId + 1 + index, row)
      })
      database.exec('COMMIT')
    } catch (error) {
      rollBack(database)
      throw error
    } finally {
      database.exec('PRAGMA synchronous = NORMAL')
    }
    for (const row of booked) {
      this.lastId++
      this.rowCount++
      this.sums.count(row)
      this.sums.add(this.lastId, row)
    }
    if (booked.length > 0) {
      this.planSave(SAVE_SUMS_AFTER)
      for (const listener of this.listeners) listener()
    }
    return result
  }

  read(sql: string, ...values: (string | number | null)[]): Record<string, unknown>[] {
    return this.queries.all(sql, values)
  }

  list(filter: CallFilter, page: { page: number; pageSize: number }): CallPage {
    return this.queries.list(filter, page, this.rowCount)
  }

  stat(filter: CallFilter): CallStat {
    this.saveSums()
    return this.queries.stat(filter)
  }

  hourly(filter: Parameters<Ledger['hourly']>[0]): HourlyUsage[] {
    this.saveSums()
    return this.queries.hourly(filter)
  }

  removeBefore(timestamp: number): number {
    // Rows that are not summed yet would be missing from the totals after the next open.
    this.sums.save()
    const { changes } = this.database
      .prepare('DELETE FROM calls WHERE created_at < ?')
      .run(timestamp)
    this.rowCount -= Number(changes)
    return Number(changes)
  }

  onRecorded(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  close(): void {
    if (this.isClosed) return
    clearTimeout(this.retryTimer)
    clearTimeout(this.saveTimer)
    this.flush()
    this.saveSums()
    this.isClosed = true
    clearTimeout(this.retryTimer)
    clearTimeout(this.saveTimer)
    try {
      // So that ledger.db alone is the whole ledger for whoever copies it; @photostructure/sqlite does
      // not do that by itself.
      this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // The log is read at the next open just as well.
    }
    this.database.close()
  }

  private planFlush(): void {
    if (this.isFlushPlanned) return
    this.isFlushPlanned = true
    // A transaction costs as much as several rows: under load it waits some turns for company.
    const isBusy = performance.now() - this.lastFlush < BUSY
    let turns = isBusy ? BUSY_TURNS : 1
    const turn = () => {
      turns--
      if (turns > 0 && this.waiting.length < ENOUGH) {
        setImmediate(turn)
        return
      }
      this.isFlushPlanned = false
      this.flush()
      this.lastFlush = performance.now()
    }
    setImmediate(turn)
  }

  /** Writes all waiting rows in one transaction. */
  private flush(): void {
    const batch = this.waiting
    if (batch.length === 0 || this.isClosed) return
    const firstId = this.lastId + 1
    try {
      this.begin.run()
      batch.forEach(({ row }, index) => {
        this.write(firstId + index, row)
      })
      this.commit.run()
    } catch (error) {
      rollBack(this.database)
      this.fail(error)
      for (const { done } of batch) done()
      return
    }
    this.waiting = []
    this.lastId += batch.length
    this.rowCount += batch.length
    this.failure = null
    this.retryAfter = FIRST_RETRY
    batch.forEach(({ row, done }, index) => {
      this.sums.add(firstId + index, row)
      done()
    })
    this.planSave(SAVE_SUMS_AFTER)
    for (const listener of this.listeners) listener()
  }

  private write(id: number, row: CallRow): void {
    this.insert.run(
      id,
      row.requestId,
      row.createdAt,
      row.type,
      row.userId,
      row.username,
      row.tokenId,
      row.tokenName,
      row.channelId,
      row.channelName,
      row.model,
      row.group,
      row.ip,
      row.content,
      row.quota,
      row.promptTokens,
      row.completionTokens,
      row.useTime,
      row.isStream ? 1 : 0,
      row.status,
      row.other,
      row.cachedTokens,
      row.isUnpriced ? 1 : 0,
    )
  }

  private fail(error: unknown): void {
    const kept = this.dropped > 0 ? `, ${this.dropped} rows are lost` : ''
    this.failure = `${this.path} cannot be written (${(error as Error).message}): ${this.waiting.length} rows wait in memory${kept}. Make room on the disk; it is tried again by itself.`
    clearTimeout(this.retryTimer)
    this.retryTimer = setTimeout(() => {
      this.retryTimer = undefined
      this.flush()
    }, this.retryAfter).unref()
    this.retryAfter = Math.min(this.retryAfter * 2, LONGEST_RETRY)
  }

  /** What cannot be saved now is saved the next time, or summed again at the next open. */
  private saveSums(): void {
    try {
      this.sums.save()
    } catch {
      this.planSave(LONGEST_RETRY)
    }
  }

  private planSave(after: number): void {
    this.saveTimer ??= setTimeout(() => {
      this.saveTimer = undefined
      this.saveSums()
    }, after).unref()
  }
}
