import type { Database, Statement } from '../ledger/sqlite-driver.ts'
import type { SecretBox } from '../secret-key/secret-box.ts'

/** Captures of consecutive numbers that have a filter of their texts. */
export interface FilteredBlock {
  /** Number of its first capture, and of its last. */
  first: number
  last: number
  /** Pieces of its filter. */
  pieces: number
}

export const TEXT_FILTER_SCHEMA = `
  CREATE TABLE IF NOT EXISTS text_blocks (
    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, pieces INTEGER NOT NULL, size INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS text_filters (place INTEGER PRIMARY KEY, sealed BLOB NOT NULL);`

/** Pieces that a filter may have. */
const MOST_PIECES = 64

/** Filters of captures' texts in `captures.db`. Each is sealed in pieces, so that a search opens only those it needs. */
export class TextFilters {
  readonly #database: Database
  readonly #box: Pick<SecretBox, 'sealBytes' | 'openBytes'>
  readonly #piece: Statement
  /** The oldest first. */
  #blocks: FilteredBlock[] = []
  #bytes = 0

  constructor(database: Database, box: Pick<SecretBox, 'sealBytes' | 'openBytes'>) {
    this.#database = database
    this.#box = box
    this.#piece = database.prepare('SELECT sealed FROM text_filters WHERE place = ?')
    this.#load()
  }

  #load(): void {
    const rows = this.#database.prepare('SELECT * FROM text_blocks ORDER BY first').all()
    this.#blocks = rows.map((row) => ({
      ...{ first: Number(row.first), last: Number(row.last), pieces: Number(row.pieces) },
    }))
    this.#bytes = rows.reduce((sum, row) => sum + Number(row.size), 0)
  }

  get blocks(): readonly FilteredBlock[] {
    return this.#blocks
  }

  /** Size of all filters on disk. */
  get bytes(): number {
    return this.#bytes
  }

  /** Inside a transaction, which must be followed by `loadAgain` when it fails. */
  write(first: number, last: number, pieces: readonly Buffer[]): void {
    const sealed = pieces.map((piece) => this.#box.sealBytes(piece))
    const size = sealed.reduce((sum, { length }) => sum + length, 0)
    const insert = this.#database.prepare('INSERT OR REPLACE INTO text_filters VALUES (?, ?)')
    for (const [at, bytes] of sealed.entries()) insert.run(first * MOST_PIECES + at, bytes)
    this.#database
      .prepare('INSERT INTO text_blocks VALUES (?, ?, ?, ?)')
      .run(first, last, pieces.length, size)
    const newer = this.#blocks.findIndex((block) => block.first > first)
    const block = { first, last, pieces: pieces.length }
    this.#blocks = this.#blocks.toSpliced(newer < 0 ? this.#blocks.length : newer, 0, block)
    this.#bytes += size
  }

  loadAgain(): void {
    this.#load()
  }

  /** Null where it's damaged or gone, or the key is another. */
  piece(first: number, at: number): Buffer | null {
    const row = this.#piece.get(first * MOST_PIECES + at)
    if (!row) return null
    const { buffer, byteOffset, length } = row.sealed as Uint8Array
    return this.#box.openBytes(Buffer.from(buffer, byteOffset, length))
  }

  /** Drops those of which no capture is left. Inside a transaction, as `write`. */
  dropBefore(number: number): void {
    const dropped = this.#blocks.filter(({ last }) => last < number)
    if (dropped.length === 0) return
    const end = (dropped.at(-1)?.first ?? 0) + 1
    this.#database.prepare('DELETE FROM text_filters WHERE place < ?').run(end * MOST_PIECES)
    this.#database.prepare('DELETE FROM text_blocks WHERE first < ?').run(end)
    this.#load()
  }
}
