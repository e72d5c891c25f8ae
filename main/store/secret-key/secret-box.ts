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
}

const PREFIX = 'v1:'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM; a sealed text is `v1:` and base64 of nonce, tag and ciphertext. A key has 32 bytes; `current` is
 * null while it is locked.
 */
export function createSecretBox(source: { readonly current: Buffer | null }): SecretBox {
  return {
    get version() {
      return source.current
    },

    isLocked: (text) => source.current === null && text.startsWith(PREFIX),

    seal(text) {
      const key = source.current
      if (!key) throw keychainLocked()
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },

    open(sealed) {
      const key = source.current
      if (!key || !sealed.startsWith(PREFIX)) return null
      const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES)
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
        return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}
