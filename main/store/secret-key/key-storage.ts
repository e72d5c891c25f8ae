import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { DataFolder } from '../folder/folder.ts'
import { StartError } from '../folder/start-error.ts'

/** The few things that are done with files of keys, by their names in the data folder. */
export interface KeyStorage {
  path(name: string): string
  /** Null where there is no such file. */
  read(name: string): string | null
  /** Writes it through to the disk, for its owner only. */
  write(name: string, text: string): void
  /** In one step: a reader finds the old one or the new one. */
  rename(from: string, to: string): void
  remove(name: string): void
}

/** Throws StartError where the disk or its modes do not allow something. */
export function createKeyStorage(folder: Pick<DataFolder, 'path' | 'file'>): KeyStorage {
  const path = (name: string) => folder.file(name)
  return {
    path,

    read(name) {
      try {
        return readFileSync(path(name), 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw unusable(path(name), 'read', error)
      }
    },

    write(name, text) {
      try {
        writeFileSync(path(name), text, { mode: 0o600, flush: true })
      } catch (error) {
        throw unusable(path(name), 'written', error)
      }
    },

    rename(from, to) {
      try {
        renameSync(path(from), path(to))
      } catch (error) {
        throw unusable(path(to), 'written', error)
      }
      keepNames(folder.path)
    },

    remove: (name) => rmSync(path(name), { force: true }),
  }
}

/** A rename is on the disk once its folder is. Windows opens no folders, and needs none of this. */
function keepNames(folder: string): void {
  try {
    const opened = openSync(folder, 'r')
    try {
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
  } catch {
    // Some file systems have no such call. The rename holds, short of a loss of power.
  }
}

function unusable(path: string, what: 'read' | 'written', error: unknown): StartError {
  const { code, message } = error as NodeJS.ErrnoException
  return new StartError(
    `${path} cannot be ${what} (${code ?? message}). Make it a file that this user can read and write, then start again.`,
    { cause: error },
  )
}
