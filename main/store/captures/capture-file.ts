import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { type Database, sqliteDriver } from '../ledger/sqlite-driver.ts'
import type { SecretBox } from '../secret-key/secret-box.ts'
import { TEXT_FILTER_SCHEMA, TextFilters } from './text-filters.ts'

/** A capture as it is kept: its bytes are sealed on the way to the disk and opened on the way back. */
export interface StoredCapture {
  id: string
  /** Milliseconds since 1970. */
  receivedAt: number
  userId: number
  bytes: Buffer
}

const SCHEMA = `
  PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS captures (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    received_at INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    size INTEGER NOT NULL,
    sealed BLOB NOT NULL
  );
  CREATE INDEX IF NOT EXISTS captures_by_time ON captures (received_at);
  ${TEXT_FILTER_SCHEMA}
  PRAGMA user_version = 1`

/** Ids in one question. */
const MOST_ASKED = 500

/** The file of captures, `captures.db`: apart from the ledger, so that it can be deleted whole. */
export class CaptureFile {
  readonly #path: string
  readonly #box: Pick<SecretBox, 'sealBytes' | 'openBytes'>
  readonly #database: Database
  readonly #filters: TextFilters
  #count = 0
  /** Size of captures, without their filters. */
  #bytes = 0
  #nextNumber = 1

  /**
   * Opens the file or begins one. A damaged one is set aside as `captures.db.damaged`, and `onDamaged` is told why.
   * Throws where there can be no file at all.
   */
  constructor(
    path: string,
    box: Pick<SecretBox, 'sealBytes' | 'openBytes'>,
    onDamaged: (error: unknown) => void,
  ) {
    this.#path = path
    this.#box = box
    try {
      this.#database = open(path)
    } catch (error) {
      onDamaged(error)
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}.damaged${end}`, { force: true })
      renameSync(path, `${path}.damaged`)
      for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
      this.#database = open(path)
    }
    this.#filters = new TextFilters(this.#database, box)
    const row = this.#database
      .prepare(
        `SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes, max(number) AS last FROM captures`,
      )
      .get()
    this.#count = Number(row?.count)
    this.#bytes = Number(row?.bytes)
    const filtered = this.#filters.blocks.at(-1)?.last ?? 0
    this.#nextNumber = Math.max(Number(row?.last ?? 0), filtered) + 1
  }

  get filters(): Pick<TextFilters, 'blocks' | 'piece'> {
    return this.#filters
  }

  /** That the next capture gets. None is used twice: a filter that's there would not know the new one's texts. */
  get nextNumber(): number {
    return this.#nextNumber
  }

  /** Captures, and their bytes as they are on the disk, with the filters of their texts. */
  size(): { count: number; bytes: number } {
    return { count: this.#count, bytes: this.#bytes + this.#filters.bytes }
  }

  /** Writes all of them or, when it throws, none; one of a call that's there already takes its place. */
  write(captures: readonly StoredCapture[]): void {
    const sealed = captures.map((capture) => this.#box.sealBytes(capture.bytes))
    let count = this.#count
    let total = this.#bytes
    this.#transact(() => {
      const old = this.#database.prepare('SELECT size FROM captures WHERE id = ?')
      const insert = this.#database.prepare(
        'INSERT OR REPLACE INTO captures (number, id, received_at, user_id, size, sealed) VALUES (?, ?, ?, ?, ?, ?)',
      )
      for (const [at, { id, receivedAt, userId }] of captures.entries()) {
        const bytes = sealed[at] as Buffer
        const replaced = old.get(id)
        count += replaced ? 0 : 1
        total += bytes.length - Number(replaced?.size ?? 0)
        insert.run(this.#nextNumber + at, id, receivedAt, userId, bytes.length, bytes)
      }
    })
    this.#count = count
    this.#bytes = total
    this.#nextNumber += captures.length
  }

  /** Keeps the filter of the texts of these captures, of which there is none yet. */
  writeFilter(first: number, last: number, pieces: readonly Buffer[]): void {
    this.#transact(() => this.#filters.write(first, last, pieces))
  }

  /** Its bytes; null where there is none, or it was sealed under another key. */
  find(id: string): Buffer | null {
    const row = this.#database.prepare('SELECT sealed FROM captures WHERE id = ?').get(id)
    return row ? this.#box.openBytes(Buffer.from(row.sealed as Uint8Array)) : null
  }

  /** Those with these numbers, both ends included, the newest first. */
  idsBetween(first: number, last: number, limit: number): { number: number; id: string }[] {
    return this.#database
      .prepare(
        'SELECT number, id FROM captures WHERE number BETWEEN ? AND ? ORDER BY number DESC LIMIT ?',
      )
      .all(first, last, limit)
      .map((row) => ({ number: Number(row.number), id: String(row.id) }))
  }

  has(ids: readonly string[]): string[] {
    const found: string[] = []
    for (let at = 0; at < ids.length; at += MOST_ASKED) {
      const some = ids.slice(at, at + MOST_ASKED)
      const places = some.map(() => '?').join(', ')
      const rows = this.#database
        .prepare(`SELECT id FROM captures WHERE id IN (${places})`)
        .all(...some)
      for (const row of rows) found.push(String(row.id))
    }
    return found
  }

  /** Removes what is from before a time (milliseconds since 1970), then the oldest until `mostBytes` are left. */
  prune(before: number, mostBytes: number): void {
    const old = this.#database
      .prepare(
        'SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM captures WHERE received_at < ?',
      )
      .get(before)
    if (Number(old?.count) > 0)
      this.#drop('received_at < ?', before, Number(old?.count), Number(old?.bytes))
    const surplus = this.size().bytes - mostBytes
    if (surplus > 0) {
      const { last, count, bytes } = this.#oldestToDrop(surplus)
      if (count > 0) this.#drop('number <= ?', last, count, bytes)
    }
  }

  #drop(condition: string, value: number, count: number, bytes: number): void {
    this.#transact(() => {
      this.#database.prepare(`DELETE FROM captures WHERE ${condition}`).run(value)
      const row = this.#database.prepare('SELECT min(number) AS first FROM captures').get()
      this.#filters.dropBefore(Number(row?.first ?? this.#nextNumber))
    })
    this.#count -= count
    this.#bytes -= bytes
    // Free pages are given back, or the file would stay as large as it ever was.
    this.#database.exec('PRAGMA incremental_vacuum')
  }

  /** The number of the last row to be dropped so that so many bytes are gone, and how many rows and bytes that is. */
  #oldestToDrop(surplus: number): { last: number; count: number; bytes: number } {
    const dropped = { last: 0, count: 0, bytes: 0 }
    for (const row of this.#database
      .prepare('SELECT number, size FROM captures ORDER BY number')
      .iterate()) {
      dropped.last = Number(row.number)
      dropped.count += 1
      dropped.bytes += Number(row.size)
      if (dropped.bytes >= surplus) break
    }
    return dropped
  }

  /** Closes the file and deletes it whole. */
  delete(): void {
    this.#database.close()
    for (const end of ['', '-wal', '-shm', '.damaged']) rmSync(this.#path + end, { force: true })
  }

  #transact(change: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      change()
      this.#database.exec('COMMIT')
    } catch (error) {
      // A failed write may have ended the transaction by itself.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      this.#filters.loadAgain()
      throw error
    }
  }

  close(): void {
    this.#database.close()
  }
}

function open(path: string): Database {
  const { Database } = sqliteDriver()
  // SQLite gives the files beside it the mode of this one.
  closeSync(openSync(path, 'a', 0o600))
  const database = new Database(path)
  try {
    database.exec(SCHEMA)
    const check = database.prepare('PRAGMA quick_check(1)').get()
    if (check?.quick_check !== 'ok') throw new Error(String(check?.quick_check))
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
