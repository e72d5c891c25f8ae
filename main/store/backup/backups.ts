import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { unixSeconds } from '../../base/clock.ts'
import { sqliteDriver } from '../ledger/sqlite-driver.ts'
import { type Manifest, writeArchive } from './archive.ts'

/** Folder of the backups, in the data folder. */
export const BACKUPS = 'backups'

const DATABASES = ['ledger.db', 'captures.db', 'refused.db'] as const
const KEY = 'secret.key'
/** Folder of what Connect wrote into tools' files, and of their originals. */
export const CONNECT = 'connect'
/** `switchyard-20261123-213600.tar.gz`; a scheduled one says so. */
const NAME = /^switchyard-\d{8}-\d{6}(-\d+)?(-scheduled)?\.tar\.gz$/

export interface Backup {
  name: string
  path: string
  /** Bytes. */
  size: number
  /** Unix seconds. */
  createdAt: number
  isScheduled: boolean
}

interface Wanted extends Pick<Manifest, 'switchyard' | 'key'> {
  isScheduled: boolean
}

/** All pages in one step of a thread: the copy is of one moment, and writers go on meanwhile. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const { Database, backup } = sqliteDriver()
  const source = new Database(from, { readOnly: true })
  try {
    await backup(source, to, { rate: 2 ** 31 - 1 })
  } finally {
    source.close()
  }
}

/**
 * Backs up a data folder that is in use: the databases by SQLite's own backup, the state file, which is always
 * replaced whole, by a copy. The ledger comes first, so that a call of it is never older than its token.
 */
export async function createBackup(folder: string, wanted: Wanted): Promise<Backup> {
  const target = join(folder, BACKUPS)
  mkdirSync(target, { recursive: true, mode: 0o700 })
  const draft = mkdtempSync(join(target, '.draft-'))
  try {
    const names: string[] = []
    for (const name of DATABASES) {
      if (!existsSync(join(folder, name))) continue
      await copyDatabase(join(folder, name), join(draft, name))
      names.push(name)
    }
    mkdirSync(join(draft, CONNECT), { mode: 0o700 })
    for (const name of ['state.json', KEY, ...connectFiles(folder)]) {
      if (!existsSync(join(folder, name))) continue
      copyFileSync(join(folder, name), join(draft, name))
      names.push(name)
    }
    const archive = join(draft, 'archive')
    await writeArchive(archive, draft, names, wanted)
    const name = freeName(target, wanted.isScheduled)
    renameSync(archive, join(target, name))
    return describe(target, name)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** With `/` on every system, as the archive names them; without what is being written. */
const connectFiles = (folder: string): string[] =>
  existsSync(join(folder, CONNECT))
    ? readdirSync(join(folder, CONNECT))
        .filter((name) => /\.(json|backup)$/.test(name))
        .map((name) => `${CONNECT}/${name}`)
    : []

function freeName(folder: string, isScheduled: boolean): string {
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  for (let number = 1; ; number++) {
    const more = number === 1 ? '' : `-${number}`
    const name = `switchyard-${stamp}${more}${isScheduled ? '-scheduled' : ''}.tar.gz`
    if (!existsSync(join(folder, name))) return name
  }
}

/** By its name: a file that was copied or put back has the time of that. */
function timeIn(name: string): number {
  const time = name.replace(/^\D*(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d).*$/, '$1-$2-$3T$4:$5:$6Z')
  const seconds = Math.floor(Date.parse(time) / 1000)
  return Number.isFinite(seconds) ? seconds : 0
}

/** Which of the backups of one second it is, from 1. */
const placeInSecond = (name: string): number =>
  Number(name.match(/-\d{6}-(\d+)(?:-scheduled)?\.tar/)?.[1] ?? 1)

function describe(folder: string, name: string): Backup {
  const path = join(folder, name)
  const isScheduled = name.includes('-scheduled')
  return { name, path, size: statSync(path).size, createdAt: timeIn(name), isScheduled }
}

/** The backups in the data folder, newest first. */
export function listBackups(folder: string): Backup[] {
  const target = join(folder, BACKUPS)
  if (!existsSync(target)) return []
  return readdirSync(target)
    .filter((name) => NAME.test(name))
    .map((name) => describe(target, name))
    .sort(
      (one, other) =>
        other.createdAt - one.createdAt || placeInSecond(other.name) - placeInSecond(one.name),
    )
}

/**
 * Removes scheduled backups beyond the newest ones; those made by hand stay. Those dated in the future, from before the
 * clock was set back, go first: they would outlive all that follow.
 */
export function removeOldBackups(folder: string, keep: number): void {
  const now = unixSeconds()
  const scheduled = listBackups(folder).filter(({ isScheduled }) => isScheduled)
  const inTime = scheduled.filter(({ createdAt }) => createdAt <= now)
  const ahead = scheduled.filter(({ createdAt }) => createdAt > now)
  for (const { path } of [...inTime, ...ahead].slice(keep)) rmSync(path, { force: true })
}
