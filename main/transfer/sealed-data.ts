import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { z } from 'zod'
import { GatewayError } from '../base/errors.ts'
import type { Reason } from '../base/reason.ts'

/** scrypt's cost: 128 MiB and some tenths of a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const
const MEMORY = 256 * 1024 * 1024
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

const base64 = z.base64()

/** Binary values are base64. The parameters are written down, and only these are read. */
export const sealedSchema = z.strictObject({
  kdf: z.literal('scrypt'),
  n: z.literal(COST.N),
  r: z.literal(COST.r),
  p: z.literal(COST.p),
  salt: base64,
  cipher: z.literal('aes-256-gcm'),
  nonce: base64,
  /** HMAC-SHA-256 of the header under a key of its own: tells a wrong passphrase from damage. */
  check: base64,
  tag: base64,
  text: base64,
})
export type Sealed = z.infer<typeof sealedSchema>

interface Keys {
  cipher: Buffer
  check: Buffer
}

function deriveKeys(passphrase: string, salt: Buffer): Promise<Keys> {
  // The same letters may come composed in one way or another from different keyboards.
  const password = passphrase.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 2 * KEY_BYTES, { ...COST, maxmem: MEMORY }, (error, key) => {
      if (error) reject(error)
      else resolve({ cipher: key.subarray(0, KEY_BYTES), check: key.subarray(KEY_BYTES) })
    })
  })
}

/** All that stands in the file beside `check`, `tag` and `text`, in a fixed order. */
const headerBytes = (file: Record<string, unknown>, sealed: Omit<Sealed, Secret>): Buffer =>
  Buffer.from(
    JSON.stringify([
      ...Object.keys(file)
        .sort()
        .map((name) => [name, file[name]]),
      ['kdf', sealed.kdf],
      ['n', sealed.n],
      ['r', sealed.r],
      ['p', sealed.p],
      ['salt', sealed.salt],
      ['cipher', sealed.cipher],
      ['nonce', sealed.nonce],
    ]),
  )

type Secret = 'check' | 'tag' | 'text'

const checkOf = (header: Buffer, key: Buffer): Buffer =>
  createHmac('sha256', key).update(header).digest()

/** Seals a text under a passphrase; `file` is what stands beside it in the file, and is authenticated with it. */
export async function sealData(
  text: string,
  passphrase: string,
  file: Record<string, unknown>,
): Promise<Sealed> {
  const salt = randomBytes(16)
  const nonce = randomBytes(NONCE_BYTES)
  const keys = await deriveKeys(passphrase, salt)
  const head = {
    kdf: 'scrypt',
    n: COST.N,
    r: COST.r,
    p: COST.p,
    salt: salt.toString('base64'),
    cipher: 'aes-256-gcm',
    nonce: nonce.toString('base64'),
  } as const
  const header = headerBytes(file, head)
  const cipher = createCipheriv('aes-256-gcm', keys.cipher, nonce).setAAD(header)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return {
    ...head,
    check: checkOf(header, keys.check).toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    text: body.toString('base64'),
  }
}

const refuse = (field: string, message: string, reason: Reason, cause?: unknown): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason, cause })

const damaged = (cause?: unknown): GatewayError =>
  refuse(
    'text',
    'The passphrase is right, but the file was damaged or changed since it was exported. Nothing was imported. Use another copy of it.',
    { code: 'export_changed' },
    cause,
  )

/** Opens what `sealData` sealed; throws `invalid_params` for a wrong passphrase and for a damaged file. */
export async function openData(
  sealed: Sealed,
  passphrase: string,
  file: Record<string, unknown>,
): Promise<string> {
  const keys = await deriveKeys(passphrase, Buffer.from(sealed.salt, 'base64'))
  const header = headerBytes(file, sealed)
  const given = Buffer.from(sealed.check, 'base64')
  const expected = checkOf(header, keys.check)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw refuse(
      'passphrase',
      'The passphrase is wrong, or the beginning of the file was changed. Nothing was imported. Enter the passphrase that the file was exported with.',
      { code: 'passphrase_wrong' },
    )
  }
  try {
    const nonce = Buffer.from(sealed.nonce, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', keys.cipher, nonce, {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(header).setAuthTag(Buffer.from(sealed.tag, 'base64'))
    const body = Buffer.from(sealed.text, 'base64')
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw damaged(cause)
  }
}
