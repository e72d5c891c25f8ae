import { hash, randomUUID } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { GatewayError } from '../base/errors.ts'
import type { Reason } from '../base/reason.ts'

interface Owner {
  uid: number
  gid: number
}

/** A tool's file as it was read. */
export interface RealFile {
  /** As the tool names it. */
  path: string
  /** Behind links. */
  real: string
  /** null: there is no such file. */
  bytes: Buffer | null
  text: string | null
  /** Permission bits. */
  mode: number | null
  owner: Owner | null
  sha256: string | null
}

export const sha256 = (bytes: Buffer | string): string => hash('sha256', bytes)

export const refusal = (message: string, reason: Reason, cause?: unknown): GatewayError =>
  new GatewayError('conflict', { message, reason, cause })

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

const fileProblems = {
  file_no_permission: 'you have no permission for it',
  file_read_only_system: 'it is on a read-only file system',
  file_disk_full: 'the disk is full',
  file_quota_full: 'the disk quota is used up',
  file_too_large: 'the system allows no file that large',
  file_is_folder: 'it is a folder',
  file_is_pipe: 'it is a pipe or a device, not a file',
  file_path_through_file: 'a part of its path is a file',
  file_links_circle: 'its links lead in a circle',
  file_busy: 'another program has it open',
} as const

/** By the codes of the system. */
const problemOf: Readonly<Record<string, keyof typeof fileProblems | undefined>> = {
  EACCES: 'file_no_permission',
  EPERM: 'file_no_permission',
  EROFS: 'file_read_only_system',
  ENOSPC: 'file_disk_full',
  EDQUOT: 'file_quota_full',
  EFBIG: 'file_too_large',
  EISDIR: 'file_is_folder',
  ENOTDIR: 'file_path_through_file',
  ELOOP: 'file_links_circle',
  EBUSY: 'file_busy',
}

/** A file system's refusal in words. */
function fileProblem(
  path: string,
  error: unknown,
  action: 'read' | 'written',
  problem = problemOf[codeOf(error)],
): GatewayError {
  const message = error instanceof Error ? error.message : ''
  const advice = action === 'read' ? 'Correct that, then try again' : 'Nothing was changed'
  return refusal(
    `${path} can't be ${action}: ${problem ? fileProblems[problem] : message}. ${advice}.`,
    {
      code: action === 'read' ? 'tool_file_unreadable' : 'tool_file_unwritable',
      path,
      why: problem ? { code: problem } : message,
    },
    error,
  )
}

/** Follows links, also to a file that is not there yet. */
function realPath(path: string, depth = 0): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
  if (!isLink || depth > 20) return path
  return realPath(resolve(dirname(path), readlinkSync(path)), depth + 1)
}

export function readRealFile(path: string): RealFile {
  try {
    const real = realPath(path)
    const stat = statSync(real, { throwIfNoEntry: false })
    if (!stat) return { path, real, bytes: null, text: null, mode: null, owner: null, sha256: null }
    // Whoever reads a pipe waits for its writer, and so would the whole gateway.
    if (!stat.isFile() && !stat.isDirectory())
      throw fileProblem(path, undefined, 'read', 'file_is_pipe')
    const bytes = readFileSync(real)
    const text = bytes.toString('utf8')
    if (!Buffer.from(text).equals(bytes)) {
      throw refusal(`${path} is not written in UTF-8. Save it so, then try again.`, {
        code: 'tool_file_no_utf8',
        path,
      })
    }
    const { uid, gid } = stat
    const mode = stat.mode & 0o7777
    return { path, real, bytes, text, mode, owner: { uid, gid }, sha256: sha256(bytes) }
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw fileProblem(path, error, 'read')
  }
}

/** A group that can't be kept, since the user isn't in it, is no reason to refuse; another owner is. */
function keepOwner(file: number, { uid, gid }: Owner): void {
  const made = fstatSync(file)
  if (made.uid === uid && made.gid === gid) return
  try {
    fchownSync(file, uid, gid)
  } catch (error) {
    if (made.uid !== uid) throw error
  }
}

/** Writes to a new file beside the real one, then takes its place. */
export function writeAtomic(
  real: string,
  bytes: Buffer | string,
  mode: number,
  owner: Owner | null = null,
): void {
  const beside = `${real}.${randomUUID().slice(0, 8)}.tmp`
  try {
    const file = openSync(beside, 'wx', mode)
    try {
      // Goes on after a write that took only a part.
      writeFileSync(file, bytes)
      if (owner) keepOwner(file, owner)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    // The process's umask may have taken bits away.
    chmodSync(beside, mode)
    renameSync(beside, real)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/** Throws where the file could not be replaced, or was changed since it was read. */
function checkUnchanged(file: RealFile): void {
  const now = readRealFile(file.path)
  if (now.sha256 !== file.sha256 || now.real !== file.real) {
    throw refusal(
      `${file.path} was changed by another program in the meantime. Look at it again, then retry.`,
      { code: 'tool_file_changed', path: file.path },
    )
  }
  if (now.mode === null) return
  if ((now.mode & 0o222) === 0) {
    throw refusal(`${file.path} is read-only. Make it writable, then try again.`, {
      code: 'tool_file_read_only',
      path: file.path,
    })
  }
  accessSync(now.real, constants.W_OK)
}

/** A file that root makes in a home belongs to that home's owner. */
function ownerOfNew(folder: string): Owner | null {
  if (process.getuid?.() !== 0) return null
  for (let at = folder; ; at = dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false })
    if (stat) return { uid: stat.uid, gid: stat.gid }
  }
}

/** Makes the folder with those above it; returns the topmost of them that had to be made. */
function makeFolder(folder: string, owner: Owner | null): string | null {
  const topmost = mkdirSync(folder, { recursive: true, mode: 0o700 }) ?? null
  if (topmost === null || owner === null) return topmost
  for (let made = folder; made.startsWith(topmost); made = dirname(made)) {
    chownSync(made, owner.uid, owner.gid)
  }
  return topmost
}

/** Returns the topmost folder that had to be made, if any. */
export function replaceFile(file: RealFile, bytes: Buffer | string, mode: number): string | null {
  try {
    checkUnchanged(file)
    const folder = dirname(file.real)
    const owner = file.owner ?? ownerOfNew(folder)
    const made = makeFolder(folder, owner)
    writeAtomic(file.real, bytes, mode, owner)
    return made
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw fileProblem(file.path, error, 'written')
  }
}

/** Removes the file, and the folders down to `topmost` where they are empty. */
export function removeFile(file: RealFile, topmost: string | null): void {
  try {
    checkUnchanged(file)
    rmSync(file.real, { force: true })
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw fileProblem(file.path, error, 'written')
  }
  if (topmost === null) return
  try {
    for (let folder = dirname(file.real); folder.startsWith(topmost); folder = dirname(folder)) {
      rmdirSync(folder)
    }
  } catch {
    // The tool keeps something in it by now.
  }
}
