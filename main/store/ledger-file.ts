import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { type Database, sqliteDriver } from './sqlite-driver.ts'
import { StartError } from './start-error.ts'

/** Each entry brings the file from the version that is its index to the next one. */
const migrations: readonly string[] = [
  `
  CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    type INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    token_id INTEGER NOT NULL,
    token_name TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    channel_name TEXT NOT NULL,
    model TEXT NOT NULL,
    user_group TEXT NOT NULL,
    ip TEXT NOT NULL,
    content TEXT NOT NULL,
    quota INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    use_time INTEGER NOT NULL,
    is_stream INTEGER NOT NULL,
    status INTEGER NOT NULL,
    other TEXT NOT NULL
  );
  CREATE INDEX calls_by_time ON calls (created_at);
  CREATE INDEX calls_by_user ON calls (user_id, created_at);
  -- Nearly all rows are of type 2: an index of those would cost every call and find nothing faster.
  CREATE INDEX calls_by_type ON calls (type, created_at) WHERE type <> 2;

  -- Used in all, per token, user and channel: outlives the rows it was summed from.
  CREATE TABLE totals (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    quota INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    last_used INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;

  CREATE TABLE hours (
    hour INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    quota INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    PRIMARY KEY (hour, user_id, username, model)
  ) WITHOUT ROWID;

  -- Rows up to this id are in totals and hours.
  CREATE TABLE summed (id INTEGER NOT NULL);
  INSERT INTO summed VALUES (0);
  `,
]

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
    if (version > migrations.length) {
      throw new StartError(
        `${path} was written by a newer Switchyard (its version is ${version}, this one knows up to ${migrations.length}). Install the newer Switchyard, or start with another folder (--data-dir). The file was not changed.`,
      )
    }
    // NORMAL: a row that was committed survives the end of the process, though not a power cut in the
    // seconds after; nothing is torn in either case. Small pages, since a transaction writes whole
    // ones and most have few rows. The write-ahead log may grow to 16 MB, so that the waiting for the
    // disk that moving it costs comes seldom.
    database.exec(
      'PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000; PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -16000',
    )
    for (let step = version; step < migrations.length; step++) {
      database.exec(`BEGIN; ${migrations[step]}; PRAGMA user_version = ${step + 1}; COMMIT`)
    }
    return database
  } catch (error) {
    database?.close()
    throw unusableLedger(path, error)
  }
}

export function unusableLedger(path: string, error: unknown): StartError {
  if (error instanceof StartError) return error
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

function versionOf(database: Database): number {
  const row = database.prepare('PRAGMA user_version').get()
  return Number(row?.user_version ?? 0)
}
