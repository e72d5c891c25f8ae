import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { SafeStorage } from 'electron'

/**
 * Values of STAND_IN_KEYCHAIN, at any time of the process:
 * nothing or another name: a keychain with a key of that name, so that another name is another person's, or the same
 * one after it was reset; `none`: a desktop that has none (`basic_text`); `silent`: one that is not running, though
 * the desktop should have it, so that Chromium falls back to its fixed password; `unavailable`; `denied`: access is
 * refused; `waiting`: the user is being asked, until it says something else; `rotated`: `keychain` with a newer key;
 * `forgetful`: the same, but it cannot open what it seals.
 */
const state = (): string => process.env.STAND_IN_KEYCHAIN || 'keychain'

const FIXED = 'v10'
const PROTECTED = 'v11'
const TAG = 3
/** The key that a name, or a version of it, stands for. */
const keyOf = (name: string): Buffer => createHash('sha256').update(name).digest()

const hasFixedPassword = (): boolean => state() === 'none' || state() === 'silent'

/** The keys of the keychain; the first is the one that seals. */
function keys(): Buffer[] {
  if (state() === 'rotated' || state() === 'forgetful') return ['newer', 'keychain'].map(keyOf)
  return [keyOf(state())]
}

function seal(text: string, key: Buffer, tag: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from(tag), nonce, cipher.getAuthTag(), sealed])
}

function open(data: Buffer, key: Buffer): string | null {
  try {
    const body = data.subarray(TAG)
    const cipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, 12))
    cipher.setAuthTag(body.subarray(12, 28))
    return Buffer.concat([cipher.update(body.subarray(28)), cipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

const deprecated = (name: string) => (): never => {
  throw new Error(`safeStorage.${name} is deprecated: use its asynchronous twin`)
}

const failed = (what: string): Error =>
  new Error(`Error while ${what} the text provided to safeStorage.`)

/** Stands for the keychain. The synchronous calls of before end in an error, so that none comes back. */
export function createSafeStorage(isReady: () => boolean): SafeStorage {
  /** Electron makes its encryptor at the first of these calls, and all of them wait for it. */
  async function ready(): Promise<void> {
    if (!isReady()) throw new Error('safeStorage cannot be used before app is ready')
    while (state() === 'waiting') await new Promise((resolve) => setTimeout(resolve, 20))
  }

  return {
    decryptString: deprecated('decryptString'),
    encryptString: deprecated('encryptString'),
    isEncryptionAvailable: deprecated('isEncryptionAvailable'),
    setUsePlainTextEncryption: deprecated('setUsePlainTextEncryption'),

    getSelectedStorageBackend() {
      if (!isReady()) return 'unknown'
      return state() === 'none' ? 'basic_text' : 'gnome_libsecret'
    },

    async isAsyncEncryptionAvailable() {
      if (!isReady()) return false
      await ready()
      return state() !== 'unavailable'
    },

    async encryptStringAsync(text) {
      await ready()
      if (typeof text !== 'string') throw new TypeError('Error processing argument at index 0')
      if (state() === 'unavailable' || state() === 'denied') throw failed('encrypting')
      if (hasFixedPassword()) return seal(text, keyOf('peanuts'), FIXED)
      if (state() === 'forgetful') return seal(text, randomBytes(32), PROTECTED)
      return seal(text, keys()[0] ?? keyOf(''), PROTECTED)
    },

    async decryptStringAsync(data) {
      if (!Buffer.isBuffer(data)) {
        throw new Error('Expected the first argument of decryptStringAsync() to be a buffer')
      }
      if (data.length === 0) return { shouldReEncrypt: false, result: '' }
      await ready()
      const tag = data.toString('latin1', 0, TAG)
      if (tag === FIXED) {
        const result = open(data, keyOf('peanuts'))
        if (result !== null) return { shouldReEncrypt: !hasFixedPassword(), result }
      }
      const canOpen =
        tag === PROTECTED && !hasFixedPassword() && !/^(denied|unavailable)$/.test(state())
      for (const [age, key] of canOpen ? keys().entries() : []) {
        const result = open(data, key)
        if (result !== null) return { shouldReEncrypt: age > 0, result }
      }
      throw failed('decrypting')
    },
  }
}
