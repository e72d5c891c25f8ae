import type { Reason } from '../../base/reason.ts'
import { addCallValues, type ColumnValue, insertCalls } from './call-columns.ts'
import type { CallRow } from './call-row.ts'
import { rollBack } from './ledger-sums.ts'
import { type OpenCallRow, OpenCallRows } from './open-call-rows.ts'
import type { Database, Statement } from './sqlite-driver.ts'
import { keepWaitingRows } from './waiting-rows.ts'
import { WriteProblem } from './write-problem.ts'

interface Waiting {
  row: CallRow
  done: () => void
}

/** Rows kept in memory while the file cannot be written: about 10 MB. */
const MAX_WAITING = 10_000
/** Milliseconds between two transactions below which more rows are sure to come at once. */
const BUSY = 1
/** Turns of the event loop that rows then wait, unless this many are together before. */
const BUSY_TURNS = 4
const ENOUGH = 12

/**
 * Writes rows in the order in which they come, those of one turn together. While the file cannot be written
 * they wait in memory, and it is tried again by itself.
 */
export class RowWriter {
  /** The id of the last row that is written. */
  lastId: number
  readonly writeProblem = new WriteProblem()
  readonly #path: string
  readonly #database: Database
  readonly #begin: Statement
  readonly #commit: Statement
  /** By how many rows each inserts. */
  readonly #inserts = new Map<number, Statement>()
  readonly #open: OpenCallRows
  readonly #onWritten: (rows: readonly CallRow[], firstId: number) => void
  #waiting: Waiting[] = []
  #lost = 0
  #isFlushPlanned = false
  #lastFlush = 0
  #retryTimer: NodeJS.Timeout | undefined
  #isClosed = false

  /** `onWritten` hears of rows that are committed, before the caller of `record` does. */
  constructor(
    path: string,
    database: Database,
    lastId: number,
    onWritten: (rows: readonly CallRow[], firstId: number) => void,
  ) {
    this.#path = path
    this.#database = database
    this.lastId = lastId
    this.#onWritten = onWritten
    this.#begin = database.prepare('BEGIN')
    this.#commit = database.prepare('COMMIT')
    this.#open = new OpenCallRows(database)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Rows that were too many to be kept in memory. */
  get lost(): number {
    return this.#lost
  }

  get problem(): string | null {
    const { reason, advice } = this.writeProblem
    if (reason === null) return null
    const waiting = this.waiting === 1 ? '1 row waits' : `${this.waiting} rows wait`
    const lost = this.#lost === 1 ? ', 1 row is lost' : `, ${this.#lost} rows are lost`
    return `${this.#path} cannot be written (${reason}): ${waiting} in memory${this.#lost > 0 ? lost : ''}. ${advice}; it is tried again by itself.`
  }

  get problemReason(): Reason | null {
    const { reason, why } = this.writeProblem
    if (reason === null) return null
    return { code: 'ledger_waits', path: this.#path, why, waiting: this.waiting, lost: this.#lost }
  }

  /** Resolves when the row is committed, or at once while the file fails: a call must not wait for that. */
  record(row: CallRow): Promise<void> {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) {
      this.#lost++
      return Promise.resolve()
    }
    return new Promise((done) => {
      this.#waiting.push({ row, done })
      if (this.#retryTimer) done()
      else this.#planFlush()
    })
  }

  /** Rows with ids from `firstId` on, inside a transaction of who calls. */
  insert(firstId: number, rows: readonly CallRow[]): void {
    // To run a statement costs a third of what a row does: several go in one, of which few sizes are prepared.
    for (let at = 0; at < rows.length; at += ENOUGH) {
      const end = Math.min(rows.length, at + ENOUGH)
      const values: ColumnValue[] = []
      for (let index = at; index < end; index++) {
        addCallValues(values, firstId + index, rows[index] as CallRow)
      }
      this.#insertOf(end - at).run(...values)
    }
  }

  /** False where they could not be written; a row of a call that has ended then says what is wrong. */
  keepOpen(calls: readonly OpenCallRow[]): boolean {
    if (this.#isClosed || this.#retryTimer) return false
    try {
      this.#begin.run()
      for (const call of calls) this.#open.put(call)
      this.#commit.run()
      return true
    } catch {
      rollBack(this.#database)
      return false
    }
  }

  /** Writes what waits, or keeps it beside the ledger for the next open. */
  close(): void {
    this.#flush()
    clearTimeout(this.#retryTimer)
    this.#isClosed = true
    if (this.#waiting.length === 0) return
    try {
      keepWaitingRows(
        this.#path,
        this.#waiting.map(({ row }) => row),
      )
      this.#waiting = []
    } catch {
      // Then they are lost, and `waiting` says how many.
    }
  }

  #planFlush(): void {
    if (this.#isFlushPlanned) return
    this.#isFlushPlanned = true
    // A transaction costs as much as several rows: under load it waits some turns for company.
    const isBusy = performance.now() - this.#lastFlush < BUSY
    let turns = isBusy ? BUSY_TURNS : 1
    const turn = () => {
      turns--
      if (turns > 0 && this.#waiting.length < ENOUGH) {
        setImmediate(turn)
        return
      }
      this.#isFlushPlanned = false
      this.#flush()
      this.#lastFlush = performance.now()
    }
    setImmediate(turn)
  }

  /** Writes all waiting rows in one transaction. */
  #flush(): void {
    const batch = this.#waiting
    if (batch.length === 0 || this.#isClosed) return
    const firstId = this.lastId + 1
    const rows = batch.map(({ row }) => row)
    try {
      const isOneStatement = rows.length <= ENOUGH && !rows.some((row) => this.#open.keeps(row))
      // That is a transaction of its own.
      if (isOneStatement) this.insert(firstId, rows)
      else this.#write(firstId, rows)
    } catch (error) {
      rollBack(this.#database)
      this.#retryIn(this.writeProblem.failed(error))
      for (const { done } of batch) done()
      return
    }
    this.#waiting = []
    this.lastId += batch.length
    this.writeProblem.over()
    for (const { requestId } of rows) this.#open.dropped(requestId)
    this.#onWritten(rows, firstId)
    for (const { done } of batch) done()
  }

  /** Throws with the transaction begun. */
  #write(firstId: number, rows: readonly CallRow[]): void {
    this.#begin.run()
    this.insert(firstId, rows)
    for (const { requestId } of rows) this.#open.drop(requestId)
    this.#commit.run()
  }

  #insertOf(count: number): Statement {
    let insert = this.#inserts.get(count)
    if (!insert) {
      insert = this.#database.prepare(insertCalls(count))
      this.#inserts.set(count, insert)
    }
    return insert
  }

  #retryIn(delay: number): void {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined
      this.#flush()
    }, delay).unref()
  }
}
