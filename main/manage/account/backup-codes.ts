import { randomInt } from 'node:crypto'
import { hashPassword, verifyPassword } from '../../base/password.ts'
import type { TwoFactor } from '../../store/records/users.ts'

const CODES = 4
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const HALF = 4

type StoredCodes = TwoFactor['backupCodes']

const half = (): string =>
  Array.from({ length: HALF }, () => LETTERS[randomInt(LETTERS.length)]).join('')

const bare = (code: string): string => code.replaceAll('-', '')

/** Four new codes of the form `XXXX-XXXX`, and what is kept of them: scrypt hashes. */
export async function createBackupCodes(): Promise<{ codes: string[]; stored: StoredCodes }> {
  const codes = Array.from({ length: CODES }, () => `${half()}-${half()}`)
  const hashes = await Promise.all(codes.map((code) => hashPassword(bare(code))))
  return { codes, stored: hashes.map((hash) => ({ hash, usedAt: null })) }
}

/** The eight letters of a backup code, however they were typed; null when it cannot be one. */
export function readBackupCode(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '').toUpperCase()
  return /^[A-Z0-9]{8}$/.test(code) ? code : null
}

/**
 * Where the code stands, one that was used already too; -1 when nowhere. All are tried, so that the time taken does
 * not tell which it was.
 */
export async function findBackupCode(code: string, stored: StoredCodes): Promise<number> {
  const matches = await Promise.all(stored.map(({ hash }) => verifyPassword(code, hash)))
  return matches.indexOf(true)
}

/** How many codes may still be used. */
export const unusedBackupCodes = (stored: StoredCodes): number =>
  stored.filter(({ usedAt }) => usedAt === null).length
