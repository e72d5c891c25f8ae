import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { StartError } from '../folder/start-error.ts'
import { ledgerMigrations } from './ledger-migrations.ts'
import { settleLeftovers } from './open-call-rows.ts'
import { type Database, sqliteDriver } from './sqlite-driver.ts'
import { isLocked } from './sqlite-failure.ts'

/**
 * Opens the ledger's SQLite file (0600) or begins one, and brings it up to date. A file that is
 * damaged, unreadable or from a newer version throws StartError and is left as it was.
 */
export function openLedgerFile(path: string): Database {
  let database: Database | undefined
  try {
    // SQLite gives the files beside it (-wal, -shm) the mode of this one.
    closeSync(openSync(path, 'a', 0o600))
    if (isCut(path)) throw new Error('it is cut off')
    database = new (sqliteDriver().Database)(path)
    const version = versionOf(database)
    if (isNewerLedger(database)) {
      throw new StartError(
        `${path} was written by a newer Switchyard (its version is ${version}, this one knows up to ${ledgerMigrations.length}). Install the newer Switchyard, or start with another folder (--data-dir). The file was not changed.`,
      )
    }
    // NORMAL: a row that was committed survives the end of the process, though not a power cut in the
    // seconds after; nothing is torn in either case. Small pages, since a transaction writes whole
    // ones and most have few rows. The write-ahead log may grow to 16 MB, so that the waiting for the
    // disk that moving it costs comes seldom.
    database.exec(
      'PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000; PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -16000',
    )
    for (let step = version; step < ledgerMigrations.length; step++) {
      database.exec(`BEGIN; ${ledgerMigrations[step]}; PRAGMA user_version = ${step + 1}; COMMIT`)
    }
    settleLeftovers(path, database)
    // From now on calls are served: waiting for another program's lock would hold all of them up.
    database.exec('PRAGMA busy_timeout = 0')
    return database
  } catch (error) {
    database?.close()
    throw unusableLedger(path, error)
  }
}

export function unusableLedger(path: string, error: unknown): StartError {
  if (error instanceof StartError) return error
  if (isLocked(error)) {
    return new StartError(
      `${path} cannot be used: another program has it locked. End the program that works on it, then start again.`,
      { cause: error },
    )
  }
  return new StartError(
    `${path} cannot be used: ${(error as Error).message}. Make room and make it writable, put a copy of it back, or move it and the files ${path}-wal and ${path}-shm away to begin a new ledger.`,
    { cause: error },
  )
}

/**
 * Is the file shorter than its header says (https://www.sqlite.org/fileformat2.html#the_database_header)?
 * SQLite finds that only when it comes to a missing page. Beside a write-ahead log the file may be
 * short for a while: then the log holds the rest.
 */
function isCut(path: string): boolean {
  const logSize = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (logSize > 0) return false
  const header = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    if (readSync(file, header, 0, 100, 0) < 100) return false
    if (header.toString('latin1', 0, 15) !== 'SQLite format 3') return false
    const pageSize = header.readUInt16BE(16)
    // 1 stands for 65536.
    const bytes = header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize)
    return fstatSync(file).size < bytes
  } finally {
    closeSync(file)
  }
}

/** Was it written by a newer Switchyard, whose tables this one doesn't know? */
export const isNewerLedger = (database: Database): boolean =>
  versionOf(database) > ledgerMigrations.length

function versionOf(database: Database): number {
  const row = database.prepare('PRAGMA user_version').get()
  return Number(row?.user_version ?? 0)
}
