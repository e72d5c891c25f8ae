import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readRealFile, sha256, writeAtomic } from './real-file.ts'
import type { Json, KeyPath } from './tool.ts'

/** One key as it was and as we wrote it. */
export interface RecordedKey {
  path: KeyPath
  /** Left out where there was none. */
  before?: Json
  /** SHA-256 of the written value's JSON; null where the key was removed. */
  wrote: string | null
  /** An object is ours as a whole, whatever is added to it. */
  isWhole: boolean
  /** The tool writes fields of it anew by itself. */
  isRewritten?: true
  /** Steps of the path that stood there before. */
  depth: number
  /** Space and comments in the object or list at that depth, where it was empty. */
  inside?: string
}

export interface RecordedFile {
  id: string
  path: string
  /** SHA-256 and permission bits before; null where we made the file, or where the original is lost. */
  original: { sha256: string; mode: number } | null
  /** There was no such file before. */
  isNew: boolean
  /** The topmost folder that was made for it. */
  madeFolder: string | null
  /** SHA-256 as we left it. */
  left: string
  keys: RecordedKey[]
}

/** A connection that was made, as the data folder keeps it. */
export interface ConnectRecord {
  version: 1
  tool: string
  address: string
  tokenId: number
  /** The token was made for this connection. */
  isTokenMade: boolean
  /** Another Switchyard that the original points at. */
  otherGateway: string | null
  models: Record<string, string>
  /** Unix seconds. */
  connectedAt: number
  files: RecordedFile[]
}

/** Records and backups, in `connect` of the data folder; all of them 0600. */
export class ConnectFolder {
  readonly #folder: string

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'connect')
  }

  #at(name: string): string {
    return join(this.#folder, name)
  }

  #write(name: string, bytes: Buffer | string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    writeAtomic(this.#at(name), bytes, 0o600)
  }

  read(tool: string): ConnectRecord | null {
    const { text } = readRealFile(this.#at(`${tool}.json`))
    if (text === null) return null
    try {
      const record = JSON.parse(text) as ConnectRecord
      const isOne = record.version === 1 && Array.isArray(record.files)
      // Older records have neither.
      return isOne ? { ...{ isTokenMade: false, otherGateway: null }, ...record } : null
    } catch {
      // Written by nobody but us; a damaged one is as good as none.
      return null
    }
  }

  write(record: ConnectRecord): void {
    this.#write(`${record.tool}.json`, `${JSON.stringify(record, null, 2)}\n`)
  }

  /** Named by its content, so that no other file's and no later one takes its place. */
  writeBackup(tool: string, bytes: Buffer): void {
    this.#write(`${tool}.${sha256(bytes)}.backup`, bytes)
  }

  /** The original's bytes; null where they are not those that were kept. */
  readBackup(tool: string, { id, original }: RecordedFile): Buffer | null {
    if (!original) return null
    for (const name of backupNames(tool, { id, original })) {
      try {
        const bytes = readFileSync(this.#at(name))
        if (sha256(bytes) === original.sha256) return bytes
      } catch {
        // It's not there, or can't be read.
      }
    }
    return null
  }

  /** Removes backups that the record doesn't need. */
  dropBackups({ tool, files }: Pick<ConnectRecord, 'tool' | 'files'>): void {
    if (!existsSync(this.#folder)) return
    const needed = new Set(files.flatMap((file) => backupNames(tool, file)))
    for (const name of readdirSync(this.#folder)) {
      const isBackup = name.startsWith(`${tool}.`) && name.endsWith('.backup')
      if (isBackup && !needed.has(name)) rmSync(this.#at(name), { force: true })
    }
  }

  forget({ tool }: ConnectRecord): void {
    rmSync(this.#at(`${tool}.json`), { force: true })
    this.dropBackups({ tool, files: [] })
  }
}

/** The second is of older records. */
const backupNames = (tool: string, { id, original }: Pick<RecordedFile, 'id' | 'original'>) =>
  original ? [`${tool}.${original.sha256}.backup`, `${tool}.${id}.backup`] : []
