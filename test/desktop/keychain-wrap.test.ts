import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { keychainWrap } from '../../main/desktop/keychain/keychain-wrap.ts'
import { createSafeStorage } from '../support/electron/safe-storage.ts'

/** Makes the stand-in's keychain what it is from now on; '' = a usual one. */
const turn = (state: string) => vi.stubEnv('STAND_IN_KEYCHAIN', state)

beforeEach(() => {
  vi.unstubAllEnvs()
  turn('')
})

const wrapOn = (platform: NodeJS.Platform, isReady = true) =>
  keychainWrap({ safeStorage: createSafeStorage(() => isReady), platform })

async function wrapped(platform: NodeJS.Platform = 'linux') {
  const wrap = wrapOn(platform)
  const key = randomBytes(32)
  const made = await wrap.wrap(key)
  if (!made) throw new Error('nothing was wrapped')
  return { wrap, key, made }
}

describe('the keychain of the desktop', () => {
  test.each([
    ['linux', 'gnome_libsecret'],
    ['darwin', 'macos_keychain'],
    ['win32', 'windows_dpapi'],
  ] as const)('on %s wraps a key and says who did', async (platform, by) => {
    const { wrap, key, made } = await wrapped(platform)
    expect(made.by).toBe(by)
    expect(made.data.includes(key.toString('base64'))).toBe(false)
    expect(await wrap.unwrap(made)).toEqual({ key, isOutdated: false })
    // Files of before do not say who did.
    expect(await wrap.unwrap({ ...made, by: null })).toEqual({ key, isOutdated: false })
  })

  test.each(['none', 'silent', 'unavailable'])(
    'wraps nothing where it would protect nothing (%s)',
    async (state) => {
      turn(state)
      expect(await wrapOn('linux').wrap(randomBytes(32))).toBeNull()
    },
  )

  test.each([
    ['none', 'unavailable'],
    ['silent', 'unavailable'],
    ['unavailable', 'unavailable'],
    ['denied', 'denied'],
    ['another', 'foreign'],
  ])('that is %s says "%s", and opens the key again later', async (state, reason) => {
    const { wrap, key, made } = await wrapped()
    for (const by of [made.by, null]) {
      turn(state)
      expect(await wrap.unwrap({ ...made, by })).toMatchObject({ reason })
      turn('')
      expect(await wrap.unwrap({ ...made, by })).toMatchObject({ key })
    }
  })

  test('of another system, or another one of this system, is told as such', async () => {
    const { wrap, made } = await wrapped()
    turn('another')
    expect(await wrap.unwrap({ ...made, by: 'kwallet6' })).toMatchObject({ reason: 'unavailable' })
    expect(await wrap.unwrap({ ...made, by: 'windows_dpapi' })).toMatchObject({ reason: 'foreign' })
    expect(await wrapOn('darwin').unwrap(made)).toMatchObject({ reason: 'foreign' })
  })

  test('asks to wrap anew what an older key of its own has wrapped', async () => {
    const { wrap, key, made } = await wrapped()
    turn('rotated')
    expect(await wrap.unwrap(made)).toEqual({ key, isOutdated: true })
    const anew = await wrap.wrap(key)
    expect(await wrap.unwrap(anew ?? made)).toEqual({ key, isOutdated: false })
  })

  test('waits for its user as long as that takes', async () => {
    const { wrap, key, made } = await wrapped()
    turn('waiting')
    let isAnswered = false
    const unwrapping = wrap.unwrap(made).finally(() => {
      isAnswered = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(isAnswered).toBe(false)
    turn('')
    expect(await unwrapping).toMatchObject({ key })
  })

  test('is asked by none of the deprecated calls, and never before the app is ready', async () => {
    const storage = createSafeStorage(() => true)
    expect(() => storage.encryptString('x')).toThrow(/deprecated/)
    expect(() => storage.isEncryptionAvailable()).toThrow(/deprecated/)
    const { made } = await wrapped()
    expect(await wrapOn('darwin', false).unwrap(made)).toMatchObject({ reason: 'unavailable' })
  })
})
