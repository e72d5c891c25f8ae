import { callValues, insertCalls } from './call-columns.ts'
import { type CallRow, sanitizedRow } from './call-row.ts'
import type { Database, Statement } from './sqlite-driver.ts'
import { forgetWaitingRows, readWaitingRows } from './waiting-rows.ts'

/** A call under way: the row that it leaves if the process ends now. */
export interface OpenCallRow {
  row: CallRow
  /** Units that are held back for it. */
  reserved: number
}

/** The calls that have been under way for some time, so that the end of the process loses none of them. */
export class OpenCallRows {
  readonly #put: Statement
  readonly #drop: Statement
  /** Ids of the calls that stand in the file. */
  readonly #kept = new Set<string>()

  constructor(database: Database) {
    this.#put = database.prepare('INSERT OR REPLACE INTO open_calls VALUES (?, ?, ?)')
    this.#drop = database.prepare('DELETE FROM open_calls WHERE request_id = ?')
  }

  /** Inside a transaction. */
  put({ row, reserved }: OpenCallRow): void {
    // Known before it is committed: a line that is dropped in vain does no harm.
    this.#kept.add(row.requestId)
    this.#put.run(row.requestId, reserved, JSON.stringify(sanitizedRow(row)))
  }

  /** Does the row's call stand in the file? */
  keeps({ requestId }: CallRow): boolean {
    return this.#kept.has(requestId)
  }

  /** Inside the transaction that writes the call's own row. */
  drop(requestId: string): void {
    if (this.#kept.has(requestId)) this.#drop.run(requestId)
  }

  /** After that transaction. */
  dropped(requestId: string): void {
    this.#kept.delete(requestId)
  }
}

function parse(text: unknown): CallRow | null {
  try {
    return sanitizedRow(JSON.parse(String(text)) as CallRow)
  } catch {
    return null
  }
}

/**
 * Rows that the previous process did not write: those that waited when it ended, and one for each call
 * that was under way when it was killed, with what was known of it. Nothing is held back for those any more,
 * since that is in memory only.
 */
export function settleLeftovers(path: string, database: Database): void {
  const open = database.prepare('SELECT row FROM open_calls').all()
  const waiting = readWaitingRows(path)
  if (open.length === 0 && waiting.length === 0) return
  // Rows that were removed may have had higher ids, and are summed up to those.
  const last = database
    .prepare('SELECT max((SELECT coalesce(max(id), 0) FROM calls), id) AS id FROM summed')
    .get()
  let id = Number(last?.id ?? 0)
  const insert = database.prepare(insertCalls(1))
  const find = database.prepare(
    `SELECT 1 FROM calls WHERE created_at = ? AND request_id = ? AND type = ? AND quota = ?
       AND content = ?`,
  )
  const drop = database.prepare('DELETE FROM open_calls WHERE request_id = ?')
  database.exec('BEGIN')
  for (const row of waiting) {
    // They stand there already if a start was killed before it removed their file.
    // A call may leave several that are told apart by their words only, as those of its budgets.
    if (!find.get(row.createdAt, row.requestId, row.type, row.quota, row.content))
      insert.run(...callValues(++id, row))
    drop.run(row.requestId)
  }
  for (const { row: text } of database.prepare('SELECT row FROM open_calls').all()) {
    const row = parse(text)
    if (row) insert.run(...callValues(++id, row))
  }
  database.exec('DELETE FROM open_calls; COMMIT')
  forgetWaitingRows(path)
}
