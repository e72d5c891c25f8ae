import type { SafeStorage } from 'electron'
import type { GatewayOptions } from '../../gateway.ts'

type KeyWrap = NonNullable<GatewayOptions['keyWrap']>
type Unwrapped = Awaited<ReturnType<KeyWrap['unwrap']>>

interface Platform {
  safeStorage: Pick<
    SafeStorage,
    | 'decryptStringAsync'
    | 'encryptStringAsync'
    | 'getSelectedStorageBackend'
    | 'isAsyncEncryptionAvailable'
  >
  platform: NodeJS.Platform
}

const ELSEWHERE: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'macos_keychain',
  win32: 'windows_dpapi',
}

/**
 * How a text begins that Chromium sealed on Linux under a password that everybody knows. It does so where a
 * desktop has a key store that does not answer, whatever the backend is called.
 */
const FIXED_PASSWORD = 'v10'

/**
 * Wraps the data key with the keychain of the operating system. Electron has no codes for what can go wrong, so
 * failures are told apart by what the keychain still does.
 *
 * https://www.electronjs.org/docs/latest/api/safe-storage
 */
export function keychainWrap({ safeStorage, platform }: Platform): KeyWrap {
  const isLinux = platform === 'linux'
  const name = (): string =>
    isLinux ? safeStorage.getSelectedStorageBackend() : (ELSEWHERE[platform] ?? platform)
  const isProtected = (data: Buffer): boolean =>
    !isLinux || data.toString('latin1', 0, FIXED_PASSWORD.length) !== FIXED_PASSWORD

  /** Why a text was not decrypted. A text of the keychain's own shows what it can do. */
  async function reasonOf(by: string | null): Promise<'unavailable' | 'denied' | 'foreign'> {
    if (by !== null && isOfLinux(by) !== isLinux) return 'foreign'
    if (isLinux && (name() === 'basic_text' || (by !== null && by !== name()))) return 'unavailable'
    try {
      const probe = await safeStorage.encryptStringAsync('probe')
      if (!isProtected(probe)) return 'unavailable'
      const { result } = await safeStorage.decryptStringAsync(probe)
      return result === 'probe' ? 'foreign' : 'denied'
    } catch {
      return 'denied'
    }
  }

  return {
    async wrap(key) {
      if (isLinux && name() === 'basic_text') return null
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return null
      const data = await safeStorage.encryptStringAsync(key.toString('base64'))
      return isProtected(data) ? { by: name(), data } : null
    },

    async unwrap({ by, data }): Promise<Unwrapped> {
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return { reason: 'unavailable' }
      try {
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(data)
        return { key: Buffer.from(result, 'base64'), isOutdated: shouldReEncrypt }
      } catch (cause) {
        return { reason: await reasonOf(by), cause }
      }
    },
  }
}

const isOfLinux = (by: string): boolean => !Object.values(ELSEWHERE).includes(by)
