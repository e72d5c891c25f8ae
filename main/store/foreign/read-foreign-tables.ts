import { copyFile, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '../../base/errors.ts'
import { READ_AT_ONCE } from '../../base/open-flags.ts'
import type { Reason } from '../../base/reason.ts'
import { type Database, sqliteDriver } from '../ledger/sqlite-driver.ts'

/** A row by its columns. */
export type ForeignRow = ReadonlyMap<string, string | number | null>

/** Bytes of a database with what lies beside it; cc-switch keeps its usage logs there too. */
const LARGEST = 500_000_000
/** Characters of all rows together. */
const MOST_CHARACTERS = 20_000_000
const MOST_ROWS = 20_000
const TRIES = 4

/** Beside a database in use: the write-ahead log, or the journal that undoes a cut transaction. */
const BESIDE = ['', '-wal', '-journal'] as const

const refuse = (message: string, reason: Reason, cause?: unknown): GatewayError =>
  new GatewayError('invalid_params', { message, field: 'path', reason, cause })

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? '')

async function checkKind(path: string): Promise<void> {
  const file = await open(path, READ_AT_ONCE).catch((error: unknown) => {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw refuse(`There is no file ${path}. Check the path.`, { code: 'no_file', path }, error)
    throw refuse(
      `${path} can’t be read (${code}). Check who may read it.`,
      { code: 'file_unreadable', path, problem: code },
      error,
    )
  })
  try {
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, null)
    if (buffer.toString('latin1', 0, 15) === 'SQLite format 3') return
  } catch (error) {
    if (codeOf(error) === 'EISDIR')
      throw refuse(
        `${path} is a folder. Enter the path of the database in it.`,
        { code: 'path_is_folder', path },
        error,
      )
    throw refuse(
      `${path} can’t be read (${codeOf(error)}).`,
      { code: 'file_unreadable', path, problem: codeOf(error) },
      error,
    )
  } finally {
    await file.close()
  }
  throw refuse(`${path} isn’t a SQLite database. Choose it as a file instead.`, {
    code: 'no_sqlite_file',
    path,
  })
}

/** Sizes and times of change: alike before and after a copy, the copy is of one moment. */
async function stampOf(path: string): Promise<string> {
  const parts = await Promise.all(
    BESIDE.map((end) => stat(path + end, { bigint: true }).catch(() => null)),
  )
  const size = parts.reduce((sum, one) => sum + Number(one?.size ?? 0), 0)
  if (size > LARGEST)
    throw refuse(`${path} has more than ${LARGEST / 1_000_000} MB.`, {
      code: 'file_large',
      path,
      megabytes: LARGEST / 1_000_000,
    })
  return parts.map((one) => (one ? `${one.ino}:${one.size}:${one.mtimeNs}` : '')).join()
}

async function copyTo(path: string, copy: string): Promise<void> {
  for (let count = 0; count < TRIES; count++) {
    const before = await stampOf(path)
    for (const end of BESIDE) {
      await rm(copy + end, { force: true })
      await copyFile(path + end, copy + end).catch((error: unknown) => {
        if (end === '' || codeOf(error) !== 'ENOENT') throw error
      })
    }
    if ((await stampOf(path)) === before) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw refuse(`${path} is being written. Close the program that it belongs to, then try again.`, {
    code: 'file_being_written',
    path,
  })
}

function readTable(database: Database, table: string): ForeignRow[] | null {
  const kind = database.prepare('SELECT type FROM sqlite_master WHERE name = ?').get(table)
  if (kind?.type !== 'table') return null
  const rows: ForeignRow[] = []
  let length = 0
  const all = database.prepare(`SELECT * FROM "${table}"`)
  // One beyond 2^53 would else be taken for damage.
  all.setReadBigInts(true)
  for (const row of all.iterate()) {
    const cells = Object.entries(row as Record<string, unknown>).map(([column, given]) => {
      const value = typeof given === 'bigint' ? Number(given) : given
      const isKnown = typeof value === 'string' || typeof value === 'number'
      length += typeof value === 'string' ? value.length : 0
      return [column, isKnown ? value : null] as const
    })
    rows.push(new Map(cells))
    if (rows.length > MOST_ROWS || length > MOST_CHARACTERS) {
      throw refuse(`The table “${table}” has too many rows to read.`, {
        code: 'table_many_rows',
        table,
      })
    }
  }
  return rows
}

/**
 * Reads whole tables of another program's SQLite file (absolute path) by name; those that it hasn't are left out. A
 * copy in a folder of its own inside `scratch` is opened, never the file itself: even a reader would hold locks that
 * its program may run into. Throws `invalid_params` for `path` with a sentence.
 */
export async function readForeignTables(
  path: string,
  tables: readonly string[],
  scratch: string,
): Promise<Map<string, ForeignRow[]>> {
  await checkKind(path)
  const folder = await mkdtemp(join(scratch, '.reading-'))
  let database: Database | undefined
  try {
    const copy = join(folder, 'copy.db')
    await copyTo(path, copy)
    database = new (sqliteDriver().Database)(copy)
    // Its schema is another program's: no function of a view or index runs by it.
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
    const found = new Map<string, ForeignRow[]>()
    for (const table of tables) {
      const rows = readTable(database, table)
      if (rows) found.set(table, rows)
    }
    return found
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw refuse(
      `${path} can’t be read as a database: it may be damaged.`,
      { code: 'database_damaged', path },
      error,
    )
  } finally {
    database?.close()
    await rm(folder, { recursive: true, force: true })
  }
}
