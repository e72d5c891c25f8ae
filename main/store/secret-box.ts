import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Seals the secrets of the state file under one key. */
export interface SecretBox {
  seal(text: string): string
  /** null = sealed under another key, or damaged: the owner must enter the secret again. */
  open(sealed: string): string | null
}

const PREFIX = 'v1:'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM; a sealed text is `v1:` and base64 of nonce, tag and ciphertext. `key` has 32 bytes. */
export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },

    open(sealed) {
      if (!sealed.startsWith(PREFIX)) return null
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
