import { basename } from 'node:path'
import { GatewayError } from '../../base/errors.ts'

/** SQLite's result codes of what is wrong with the file, not with the statement: https://www.sqlite.org/rescode.html */
const sentences: Readonly<Record<number, string>> = {
  5: 'another program has it locked',
  6: 'it is locked',
  7: 'there is no memory left',
  8: 'it may only be read',
  10: 'the disk failed',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened',
  26: 'it isn’t a database any more',
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
export const storageReason = (error: unknown): string =>
  sentences[codeOf(error)] ?? (error as Error).message

/** A failure of the file as `storage_failed`; any other error as it is. */
export function storageFailure(path: string, done: 'saved' | 'read', error: unknown): unknown {
  const reason = sentences[codeOf(error)]
  if (reason === undefined) return error
  const what = done === 'saved' ? 'Nothing was saved' : 'Nothing can be read'
  const advice = isLocked(error)
    ? 'Try again in a moment, or end the program that works on it.'
    : 'Make room on the disk and make the folder writable, then try again.'
  return new GatewayError('storage_failed', {
    message: `${what}: ${basename(path)} cannot be used, since ${reason}. ${advice}`,
    retryAfter: 1,
    cause: error,
  })
}
