import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Database, sqliteDriver } from '../ledger/sqlite-driver.ts'
import { closeToOthers } from './folder-modes.ts'
import { StartError } from './start-error.ts'

/** The folder of everything that is kept, used by one process at a time. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string
  /** Problems with the modes of folder and files, as sentences. */
  readonly warnings: readonly string[]
  file(name: string): string
  /** Tells the next process, which finds the folder taken, where its holder listens. */
  announce(url: string): void
  /** Lets the next process in. */
  release(): void
}

/** The process that uses a folder, as the file `lock` names it. */
interface Holder {
  pid: number
  url?: string
  /** Unix milliseconds. */
  startedAt: number
}

/**
 * Creates the folder with mode 0700, or closes one that is there to other users, and takes it for this process; throws StartError
 * when it cannot be written, or with pid and URL of the process that has it.
 *
 * The lock itself is the operating system's, held through an empty SQLite file: it ends with the
 * process however that ends, and cannot be taken twice, so nothing has to be guessed from pids. The
 * file `lock` beside it only says who holds it.
 */
export function openFolder(path: string): DataFolder {
  const folder = resolve(path)
  const noticePath = join(folder, 'lock')
  let warnings: string[]
  try {
    makeFolder(folder)
    warnings = closeToOthers(folder)
  } catch (error) {
    throw error instanceof StartError ? error : unusable(folder, error)
  }

  const lock = takeLock(folder, noticePath)
  const holder: Holder = { pid: process.pid, startedAt: Date.now() }
  const announce = (): void => {
    const draft = `${noticePath}.${process.pid}`
    try {
      writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 })
      renameSync(draft, noticePath)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  }
  try {
    announce()
  } catch (error) {
    letGo(lock)
    throw unusable(folder, error)
  }

  let released = false
  return {
    path: folder,
    warnings,
    file: (name) => join(folder, name),
    announce(url) {
      holder.url = url
      try {
        announce()
      } catch {
        // A full disk must not stop a gateway that runs: the notice is a courtesy, the lock is not.
      }
    },
    release() {
      if (released) return
      released = true
      rmSync(noticePath, { force: true })
      letGo(lock)
    },
  }
}

/** Makes the folder where there is none; throws StartError when it cannot be made. */
export function prepareFolder(path: string): void {
  try {
    makeFolder(resolve(path))
  } catch (error) {
    throw unusable(path, error)
  }
}

/** Node's own `recursive` never returns where a parent exists and refuses with ENOENT, as /proc does. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

/** A database that nobody refers to is closed by the garbage collector, and its lock is gone. */
const held = new Set<Database>()

function letGo(lock: Database): void {
  held.delete(lock)
  lock.close()
}

function takeLock(folder: string, noticePath: string): Database {
  let lock: Database
  try {
    const path = join(folder, 'lock.db')
    writeFileSync(path, '', { flag: 'a', mode: 0o600 })
    lock = new (sqliteDriver().Database)(path)
  } catch (error) {
    throw unusable(folder, error)
  }
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    held.add(lock)
    return lock
  } catch (error) {
    lock.close()
    const { message } = error as Error
    if (!/locked/i.test(message)) throw unusable(folder, error)
    throw new StartError(
      `${folder} is in use by ${describe(readHolder(noticePath))}. Use that one, stop it first, or start with another folder (--data-dir).`,
    )
  }
}

function describe(holder: Holder | null): string {
  if (!holder) return 'another Switchyard'
  const where = holder.url ? `, at ${holder.url}` : ''
  return `another Switchyard (process ${holder.pid}${where})`
}

/** Waits a moment for a holder that has just taken the lock and not yet said who it is. */
function readHolder(path: string): Holder | null {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder
      if (Number.isInteger(holder.pid) && isAlive(holder.pid)) return holder
    } catch {
      // Not there yet.
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
  }
  return null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function unusable(folder: string, error: unknown): StartError {
  const { code, message } = error as NodeJS.ErrnoException
  // The system's own messages begin with the code.
  const head = code && !message.startsWith(code) ? `${code}: ` : ''
  return new StartError(
    `The data folder ${folder} cannot be used (${head}${message}). Make it a folder that this user can write, make room on the disk, or start with another one (--data-dir).`,
    { cause: error },
  )
}
