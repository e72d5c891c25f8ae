import { GatewayError } from './errors.ts'

/** Error for anything that needs stored keys while they are locked. */
export const keychainLocked = (): GatewayError =>
  new GatewayError('keychain_locked', {
    message:
      "Keychain locked: Switchyard can't read its stored keys. Unlock the keychain of this computer, then choose Try again in the console.",
    reason: { code: 'keychain_locked' },
  })
