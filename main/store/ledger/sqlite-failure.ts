import { basename } from 'node:path'
import { GatewayError } from '../../base/errors.ts'
import type { Why } from '../../base/reason.ts'

const problems = {
  sqlite_locked_by_other: 'another program has it locked',
  sqlite_locked: 'it is locked',
  sqlite_no_memory: 'there is no memory left',
  sqlite_read_only: 'it may only be read',
  sqlite_disk_failed: 'the disk failed',
  sqlite_damaged: 'it is damaged',
  sqlite_disk_full: 'the disk is full',
  sqlite_unopenable: 'it cannot be opened',
  sqlite_no_database: 'it isn’t a database any more',
} as const

/** SQLite's result codes of what is wrong with the file, not with the statement: https://www.sqlite.org/rescode.html */
const byCode: Readonly<Record<number, keyof typeof problems | undefined>> = {
  5: 'sqlite_locked_by_other',
  6: 'sqlite_locked',
  7: 'sqlite_no_memory',
  8: 'sqlite_read_only',
  10: 'sqlite_disk_failed',
  11: 'sqlite_damaged',
  13: 'sqlite_disk_full',
  14: 'sqlite_unopenable',
  26: 'sqlite_no_database',
}

const codeOf = (error: unknown): number => {
  const code = (error as { errcode?: unknown } | null)?.errcode
  // The low byte is the code, what stands above it says more.
  return typeof code === 'number' ? code & 0xff : 0
}

/** Has another program the file locked? That passes by itself. */
export const isLocked = (error: unknown): boolean => codeOf(error) === 5

/** Is what the file holds unusable, or no database at all? */
export const isDamaged = (error: unknown): boolean => [11, 26].includes(codeOf(error))

/** The file's problem in a few words. */
export function storageReason(error: unknown): string {
  const problem = byCode[codeOf(error)]
  return problem ? problems[problem] : (error as Error).message
}

/** The same for a console in another language. */
export function storageWhy(error: unknown): Why {
  const code = byCode[codeOf(error)]
  return code ? { code } : (error as Error).message
}

/** A failure of the file as `storage_failed`; any other error as it is. */
export function storageFailure(path: string, done: 'saved' | 'read', error: unknown): unknown {
  if (byCode[codeOf(error)] === undefined) return error
  const what = done === 'saved' ? 'Nothing was saved' : 'Nothing can be read'
  const advice = isLocked(error)
    ? 'Try again in a moment, or end the program that works on it.'
    : 'Make room on the disk and make the folder writable, then try again.'
  return new GatewayError('storage_failed', {
    message: `${what}: ${basename(path)} cannot be used, since ${storageReason(error)}. ${advice}`,
    retryAfter: 1,
    cause: error,
    reason: {
      code: done === 'saved' ? 'ledger_unwritable' : 'ledger_unreadable',
      file: basename(path),
      why: storageWhy(error),
    },
  })
}
