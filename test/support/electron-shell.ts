import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Clipboard, NativeTheme, SafeStorage, Shell } from 'electron'
import { app } from './electron-app.ts'

export const shell: Pick<Shell, 'openExternal' | 'openPath'> = {
  async openExternal(url) {
    process.stderr.write(`[opened outside] ${url}\n`)
  },
  /** "Resolves with a string containing the error message corresponding to the failure if a failure occurred, otherwise ""." */
  async openPath(path) {
    if (!existsSync(path)) return 'Failed to open path'
    process.stderr.write(`[opened path] ${path}\n`)
    return ''
  },
}

let copied = ''
export const clipboard: Pick<Clipboard, 'readText' | 'writeText'> = {
  readText: async () => copied,
  async writeText(text) {
    copied = text
  },
}

export const nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors'> = { shouldUseDarkColors: false }

/** Stands for the keychain; STAND_IN_KEYCHAIN=none is a machine that has none. */
export const safeStorage: Pick<
  SafeStorage,
  'decryptString' | 'encryptString' | 'getSelectedStorageBackend' | 'isEncryptionAvailable'
> = {
  isEncryptionAvailable: () => app.isReady() && process.env.STAND_IN_KEYCHAIN !== 'none',
  getSelectedStorageBackend: () =>
    process.env.STAND_IN_KEYCHAIN === 'none' ? 'basic_text' : 'gnome_libsecret',
  encryptString(text) {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', keychainKey(), nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  },
  decryptString(data) {
    try {
      const cipher = createDecipheriv('aes-256-gcm', keychainKey(), data.subarray(0, 12))
      cipher.setAuthTag(data.subarray(12, 28))
      return Buffer.concat([cipher.update(data.subarray(28)), cipher.final()]).toString('utf8')
    } catch (cause) {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.', { cause })
    }
  },
}

/** Another keychain is another person's, or the same one after it was reset. */
const keychainKey = (): Buffer =>
  createHash('sha256')
    .update(process.env.STAND_IN_KEYCHAIN ?? 'keychain')
    .digest()
