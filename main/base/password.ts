import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Turns } from './order/turns.ts'
import type { Sentence } from './reason.ts'

const SHORTEST = 8
const LONGEST = 72

/** The cost of a new hash. Tests of the sources lower it; nothing outside the process can. */
export const passwordCost = { log2: 15, blockSize: 8, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

type Cost = typeof passwordCost

/**
 * One hash at a time: each takes a thread of the pool that compressed bodies and files of model calls go
 * through as well, and 32 MiB.
 */
const turns = new Turns<'hash'>()

function derive(password: string, salt: Buffer, cost: Cost, length: number): Promise<Buffer> {
  const options: ScryptOptions = {
    N: 2 ** cost.log2,
    r: cost.blockSize,
    p: cost.parallelism,
    // Node's own limit is exactly what these parameters need, and therefore refuses them.
    maxmem: 256 * 2 ** cost.log2 * cost.blockSize,
  }
  return turns.take(
    'hash',
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, length, options, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )
}

/** A new password's problem, as a sentence; null when it may be used. */
export function passwordProblem(password: string): Sentence | null {
  const size = Buffer.byteLength(password)
  if (size < SHORTEST) {
    return {
      message: `The password needs at least ${SHORTEST} characters.`,
      reason: { code: 'field_too_short', least: SHORTEST },
    }
  }
  if (size > LONGEST) {
    return {
      message: `The password can have at most ${LONGEST} bytes.`,
      reason: { code: 'field_too_long', most: LONGEST },
    }
  }
  return null
}

/** scrypt; the text `scrypt$15$8$1$<salt>$<hash>` carries its parameters, so that they can be raised. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, passwordCost, HASH_BYTES)
  const { log2, blockSize, parallelism } = passwordCost
  return [
    'scrypt',
    log2,
    blockSize,
    parallelism,
    salt.toString('base64'),
    hash.toString('base64'),
  ].join('$')
}

/**
 * Is this the password of the stored hash? Without a hash (unknown name, no password set) the answer is
 * no, after the same work, so that the time taken tells nothing.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [kind, log2, blockSize, parallelism, salt = '', hash = ''] = stored?.split('$') ?? []
  const cost: Cost =
    kind === 'scrypt'
      ? { log2: Number(log2), blockSize: Number(blockSize), parallelism: Number(parallelism) }
      : passwordCost
  const expected = kind === 'scrypt' ? Buffer.from(hash, 'base64') : randomBytes(HASH_BYTES)
  const saltBytes = kind === 'scrypt' ? Buffer.from(salt, 'base64') : randomBytes(SALT_BYTES)
  // Nothing longer was ever accepted; hashing megabytes for a stranger would be a gift.
  const tried = Buffer.byteLength(password) > LONGEST ? '' : password
  const actual = await derive(tried, saltBytes, cost, expected.length || HASH_BYTES)
  return (
    kind === 'scrypt' &&
    tried !== '' &&
    actual.length === expected.length &&
    timingSafeEqual(actual, expected)
  )
}
