import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { keychainLocked } from '../../base/keychain-locked.ts'

/** Seals the secrets of the state file under one key. */
export interface SecretBox {
  /** Another value whenever the key is another, so that what was opened before must be opened again. */
  readonly version: unknown
  /** Throws `keychain_locked` while there is no key: another one would seal what the true one then cannot open. */
  seal(text: string): string
  /** Is it a sealed text while there is no key to open it with? It may be opened later. */
  isLocked(text: string): boolean
  /** null = sealed under another key, or damaged: the owner must enter the secret again. Null as well while locked. */
  open(sealed: string): string | null
  /** As `seal`, of bytes: nonce, tag and ciphertext. */
  sealBytes(bytes: Buffer): Buffer
  openBytes(sealed: Buffer): Buffer | null
}

const PREFIX = 'v1:'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM; a sealed text is `v1:` and base64 of nonce, tag and ciphertext. A key has 32 bytes; `current` is
 * null while it is locked.
 */
export function createSecretBox(source: { readonly current: Buffer | null }): SecretBox {
  function sealBytes(bytes: Buffer): Buffer {
    const key = source.current
    if (!key) throw keychainLocked()
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const body = [cipher.update(bytes), cipher.final()]
    return Buffer.concat([nonce, cipher.getAuthTag(), ...body])
  }

  function openBytes(bytes: Buffer): Buffer | null {
    const key = source.current
    if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) return null
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()])
    } catch {
      return null
    }
  }

  return {
    get version() {
      return source.current
    },

    isLocked: (text) => source.current === null && text.startsWith(PREFIX),

    seal: (text) => PREFIX + sealBytes(Buffer.from(text, 'utf8')).toString('base64'),

    open(sealed) {
      if (!sealed.startsWith(PREFIX)) return null
      const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64')
      return openBytes(bytes)?.toString('utf8') ?? null
    },

    sealBytes,
    openBytes,
  }
}
