import { safeStorage } from 'electron'
import type { Log } from '../base/log.ts'
import type { GatewayOptions } from '../gateway.ts'

/**
 * Wraps the data key with the keychain of the operating system. Undefined where there is none: the key
 * then lies in a file that only its owner can read, as it does headless, and the log says so.
 *
 * https://www.electronjs.org/docs/latest/api/safe-storage
 */
export function keychainWrap(log: Log): GatewayOptions['keyWrap'] {
  if (!hasKeychain()) {
    log.warn('no keychain here: the key of the stored secrets is kept in a plain file of mode 0600')
    return undefined
  }
  return {
    wrap: (key) => safeStorage.encryptString(key.toString('base64')),
    unwrap: (data) => Buffer.from(safeStorage.decryptString(data), 'base64'),
  }
}

/** Linux without a keychain encrypts under a password that everybody knows: no better than a file. */
const hasKeychain = (): boolean =>
  safeStorage.isEncryptionAvailable() &&
  (process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text')
