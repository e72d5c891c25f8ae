import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { openFolder } from '../folder/folder.ts'
import { StartError } from '../folder/start-error.ts'
import { isNewerLedger } from '../ledger/ledger-file.ts'
import { sqliteDriver } from '../ledger/sqlite-driver.ts'
import { openState, type StateFile } from '../state/state.ts'
import { BrokenArchive, readArchive } from './archive.ts'
import { BACKUPS, CONNECT } from './backups.ts'

/**
 * Stays where it is: the lock, the backups, the log, and what earlier restores kept. Also what Connect wrote into
 * tools' files and their originals: those files are of now, and an older record couldn't undo them.
 */
const STAYS = new RegExp(`^(lock.*|${BACKUPS}|${CONNECT}|logs|before-restore-.*|restoring-.*)$`)

const keyNotes = {
  file: 'The backup brought its key along (secret.key), so its secrets can be read.',
  keychain:
    'Its key is wrapped by a keychain: the secrets can be read only on the machine and account that made the backup.',
  environment:
    'Its key is not in the backup: start with the same SWITCHYARD_SECRET_KEY as when it was made.',
} as const

function checkDatabase(folder: string, name: string): void {
  const database = new (sqliteDriver().Database)(join(folder, name), { readOnly: true })
  try {
    const row = database.prepare('PRAGMA quick_check(1)').get()
    if (row && Object.values(row)[0] !== 'ok')
      throw new BrokenArchive('a database in it is damaged')
    // The gateway starts without the others where it can't use them.
    if (name === 'ledger.db' && isNewerLedger(database))
      throw new BrokenArchive('it was made by a newer Switchyard; install that one first')
  } finally {
    database.close()
  }
}

/** The draft is gone when its message is read, so that only the problem is told. */
function checkState(file: StateFile): void {
  try {
    openState(file)
  } catch (error) {
    if (error instanceof StartError && error.problem) throw new BrokenArchive(error.problem)
    throw error
  }
}

/**
 * Puts a backup in the place of a data folder's files, which stay beside it in `before-restore-…`; gives what to
 * tell. Throws StartError while a gateway uses the folder, and for a backup that is broken, and changes nothing.
 */
export async function restoreBackup(
  file: string,
  dataFolder: string,
  openStateFile: (folder: string) => StateFile,
): Promise<string> {
  const path = resolve(file)
  if (!existsSync(path))
    throw new StartError(`There is no file ${path}. Check the path. Nothing was changed.`)
  if (statSync(path).isDirectory())
    throw new StartError(`${path} is a folder. Name a backup in it. Nothing was changed.`)
  const folder = openFolder(dataFolder)
  const draft = mkdtempSync(join(folder.path, 'restoring-'))
  try {
    const { key, created_at } = await readArchive(path, draft)
    for (const name of readdirSync(draft)) if (name.endsWith('.db')) checkDatabase(draft, name)
    checkState(openStateFile(draft))
    const aside = swap(folder.path, draft)
    return [
      `${folder.path} is as it was on ${created_at}.`,
      ...(aside ? [`The files of before are in ${aside}.`] : []),
      keyNotes[key],
    ].join('\n')
  } catch (error) {
    if (error instanceof StartError) throw error
    const why = error instanceof BrokenArchive ? error.message : (error as Error).message
    throw new StartError(`${path} cannot be restored: ${why}. Nothing was changed.`, {
      cause: error,
    })
  } finally {
    rmSync(draft, { recursive: true, force: true })
    folder.release()
  }
}

/** Moves the files aside, then the new ones in; a move that fails takes all back. Gives the folder aside. */
function swap(folder: string, draft: string): string | null {
  const old = readdirSync(folder).filter((name) => !STAYS.test(name))
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const aside = join(folder, `before-restore-${stamp}`)
  const moved: [from: string, to: string][] = []
  const move = (from: string, to: string): void => {
    renameSync(from, to)
    moved.push([from, to])
  }
  try {
    if (old.length > 0) mkdirSync(aside, { mode: 0o700 })
    for (const name of old) move(join(folder, name), join(aside, name))
    const stays = existsSync(join(folder, CONNECT))
    for (const name of readdirSync(draft)) {
      if (name === CONNECT && stays) continue
      move(join(draft, name), join(folder, name))
    }
  } catch (error) {
    for (const [from, to] of moved.reverse()) renameSync(to, from)
    if (existsSync(aside)) rmdirSync(aside)
    throw error
  }
  return old.length > 0 ? aside : null
}
