import { closeSync, openSync, rmSync } from 'node:fs'
import { type Database, type Statement, sqliteDriver } from '../ledger/sqlite-driver.ts'
import { isDamaged } from '../ledger/sqlite-failure.ts'
import type { StoredRefusal } from './refused-request.ts'

const VERSION = 2

const SCHEMA = `
  CREATE TABLE refused (
    id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL,
    -- milliseconds since 1970
    time INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    hint TEXT NOT NULL,
    client TEXT NOT NULL,
    ip TEXT NOT NULL,
    token_id INTEGER NOT NULL,
    token_name TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    model TEXT NOT NULL,
    format TEXT NOT NULL,
    -- milliseconds
    duration REAL NOT NULL,
    -- further ones of that second, which have no row
    more INTEGER NOT NULL
  );
`

/** Message and hint by code, as JSON. */
const WITH_REASONS = `
  ALTER TABLE refused ADD COLUMN reason TEXT NOT NULL DEFAULT '';
  ALTER TABLE refused ADD COLUMN hint_reason TEXT NOT NULL DEFAULT '';
`

const PUT = `INSERT OR REPLACE INTO refused VALUES (${Array(21).fill('?').join(', ')})`

const valuesOf = (row: StoredRefusal) => [
  row.id,
  row.requestId,
  row.time,
  row.method,
  row.path,
  row.status,
  row.code,
  row.message,
  row.hint,
  row.client,
  row.ip,
  row.tokenId,
  row.tokenName,
  row.userId,
  row.username,
  row.model,
  row.format,
  row.duration,
  row.more,
  row.reason,
  row.hintReason,
]

const toRefusal = (found: Record<string, unknown>): StoredRefusal => ({
  id: Number(found.id),
  requestId: String(found.request_id),
  time: Number(found.time),
  method: String(found.method),
  path: String(found.path),
  status: Number(found.status),
  code: String(found.code),
  message: String(found.message),
  hint: String(found.hint),
  client: String(found.client),
  ip: String(found.ip),
  tokenId: Number(found.token_id),
  tokenName: String(found.token_name),
  userId: Number(found.user_id),
  username: String(found.username),
  model: String(found.model),
  format: String(found.format),
  duration: Number(found.duration),
  more: Number(found.more),
  reason: String(found.reason),
  hintReason: String(found.hint_reason),
})

/**
 * The SQLite file of refused requests: apart from the ledger, so that a flood of them never holds up the row of a
 * paid call. It never waits for the disk; a power cut may cost the file, the end of the process costs nothing.
 */
export class RefusedFile {
  readonly #database: Database
  readonly #put: Statement
  readonly #removeBefore: Statement

  private constructor(database: Database) {
    this.#database = database
    this.#put = database.prepare(PUT)
    this.#removeBefore = database.prepare('DELETE FROM refused WHERE id < ?')
  }

  /** Opens the file (0600) or begins one. A damaged one is begun anew; throws where it can't be used otherwise. */
  static open(path: string): RefusedFile {
    try {
      return RefusedFile.#open(path)
    } catch (error) {
      if (!isDamaged(error)) throw error
      for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
      return RefusedFile.#open(path)
    }
  }

  static #open(path: string): RefusedFile {
    // SQLite gives the files beside it the mode of this one.
    closeSync(openSync(path, 'a', 0o600))
    const database: Database = new (sqliteDriver().Database)(path)
    try {
      database.exec(
        'PRAGMA busy_timeout = 0; PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF',
      )
      const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
      if (version > VERSION) throw new Error('it was written by a newer Switchyard')
      if (version < VERSION) {
        const steps = version === 0 ? SCHEMA + WITH_REASONS : WITH_REASONS
        database.exec(`BEGIN; ${steps}; PRAGMA user_version = ${VERSION}; COMMIT`)
      }
      return new RefusedFile(database)
    } catch (error) {
      database.close()
      throw error
    }
  }

  /** The newest, the oldest of them first. */
  read(limit: number): StoredRefusal[] {
    const rows = this.#database.prepare('SELECT * FROM refused ORDER BY id DESC LIMIT ?').all(limit)
    return rows.map((found) => toRefusal(found as Record<string, unknown>)).reverse()
  }

  /** Writes these rows and removes those before `oldest`, together. */
  write(rows: Iterable<StoredRefusal>, oldest: number): void {
    this.#database.exec('BEGIN')
    try {
      for (const row of rows) this.#put.run(...valuesOf(row))
      this.#removeBefore.run(oldest)
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  close(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // The log beside the file is read at the next open just as well.
    }
    this.#database.close()
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      // SQLite has done so itself.
    }
  }
}
