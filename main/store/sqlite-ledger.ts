import { CALL_COLUMNS, toCall } from './call-columns.ts'
import { type CallPage, listCalls } from './call-list.ts'
import { type CallFilter, type CallRow, soundRow } from './call-row.ts'
import { type CallStat, statOfCalls } from './call-stat.ts'
import { ClosedHours } from './closed-hours.ts'
import type { Ledger, Transaction } from './ledger.ts'
import { LedgerSums, rollBack, type Spent, type Total, type TotalKind } from './ledger-sums.ts'
import type { Database, Statement } from './sqlite-driver.ts'
import { Statements } from './statements.ts'
import { type HourlyUsage, usageByHour } from './usage-by-hour.ts'
import { summarizeUsage, type UsageQuestion, type UsageSum } from './usage-summary.ts'

interface Waiting {
  row: CallRow
  done: () => void
}

/** Rows kept in memory while the file cannot be written: about 10 MB. */
const MAX_WAITING = 10_000
const SAVE_SUMS_AFTER = 1000
/** Rows: they take some milliseconds. */
const REMOVED_AT_ONCE = 2000
const FIRST_RETRY = 1000
const LONGEST_RETRY = 30_000
/** Milliseconds between two transactions below which more rows are sure to come at once. */
const BUSY = 1
/** Turns of the event loop that rows then wait, unless this many are together before. */
const BUSY_TURNS = 4
const ENOUGH = 12

/** The ledger over its SQLite file: rows of one turn are written together, sums a little later. */
export class SqliteLedger implements Ledger {
  private readonly path: string
  private readonly database: Database
  private readonly begin: Statement
  private readonly insert: Statement
  private readonly commit: Statement
  private readonly sums: LedgerSums
  private readonly statements: Statements
  private readonly closed = new ClosedHours()
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
    this.statements = new Statements(this.database)
    const found = this.database
      .prepare('SELECT max(id) AS last, (SELECT count(*) FROM calls) AS count FROM calls')
      .get()
    this.lastId = Math.max(Number(found?.last ?? 0), this.sums.summedThrough)
    this.rowCount = Number(found?.count ?? 0)
    const unsummed = this.statements.each(
      `SELECT ${CALL_COLUMNS} FROM calls WHERE id > ? ORDER BY id`,
      [this.sums.summedThrough],
    )
    for (const found of unsummed) {
      const { id, ...row } = toCall(found)
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
    let result: Result
    try {
      database.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE')
      result = change({
        all: (sql, ...values) => this.statements.all(sql, values),
        run: (sql, ...values) => this.statements.run(sql, values),
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
      this.relax()
    }
    for (const row of booked) {
      this.lastId++
      this.rowCount++
      this.sums.count(row)
      this.closed.noteRow(row.createdAt)
      this.sums.add(this.lastId, row)
    }
    if (booked.length > 0) {
      this.planSave(SAVE_SUMS_AFTER)
      this.tellRecorded()
    }
    return result
  }

  read(sql: string, ...values: (string | number | null)[]): Record<string, unknown>[] {
    return this.statements.all(sql, values)
  }

  list(filter: CallFilter, page: { page: number; pageSize: number }): CallPage {
    this.saveSums()
    return listCalls(this.statements, filter, page, this.rowCount)
  }

  stat(filter: CallFilter): CallStat {
    this.saveSums()
    return statOfCalls(this.statements, filter)
  }

  hourly(filter: Parameters<Ledger['hourly']>[0]): HourlyUsage[] {
    this.saveSums()
    return usageByHour(this.statements, this.closed, filter)
  }

  summary(question: UsageQuestion): UsageSum[] {
    this.saveSums()
    return summarizeUsage(this.statements, this.closed, question)
  }

  async removeBefore(timestamp: number): Promise<number> {
    // Rows that are not summed yet would be missing from the totals after the next open.
    this.sums.save()
    let removed = 0
    for (let count = REMOVED_AT_ONCE; count === REMOVED_AT_ONCE && !this.isClosed; ) {
      count = this.statements.run(
        `DELETE FROM calls WHERE id IN
           (SELECT id FROM calls WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
        [timestamp, REMOVED_AT_ONCE],
      )
      this.rowCount -= count
      removed += count
      // Between two pieces it is the calls' turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
    return removed
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
      this.closed.noteRow(row.createdAt)
      this.sums.add(firstId + index, row)
      done()
    })
    this.planSave(SAVE_SUMS_AFTER)
    this.tellRecorded()
  }

  /** The next transactions are the calls' again, which a power cut in the seconds after may take. */
  private relax(): void {
    try {
      this.database.exec('PRAGMA synchronous = NORMAL')
    } catch {
      // The other way is only slower, and whether the transaction stands is settled already.
    }
  }

  /** What a listener fails of must not pass for a failure to write: the rows stand. */
  private tellRecorded(): void {
    for (const listener of this.listeners) {
      try {
        listener()
      } catch (error) {
        process.emitWarning(error as Error)
      }
    }
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
