import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../../../main/base/log/log.ts'
import { openFolder } from '../../../../main/store/folder/folder.ts'
import { StartError } from '../../../../main/store/folder/start-error.ts'
import { createKeyStorage } from '../../../../main/store/secret-key/key-storage.ts'
import {
  openSecretKey,
  type SecretKeyOptions,
} from '../../../../main/store/secret-key/open-secret-key.ts'
import type { SecretKey } from '../../../../main/store/secret-key/secret-key.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { createKeyStore } from './key-store.ts'

function folderOf() {
  const folder = openFolder(tempFolder())
  onTestFinished(() => folder.release())
  const storage = createKeyStorage(folder)
  return {
    file: (name = 'secret.key') => readFileSync(folder.file(name), 'utf8'),
    path: (name = 'secret.key') => folder.file(name),
    names: () => readdirSync(folder.path).filter((name) => name.startsWith('secret.key')),
    /** As a start does; ends with the test. */
    async open(options: Partial<SecretKeyOptions> = {}): Promise<SecretKey> {
      const log = createLog('silent')
      const key = await openSecretKey({ storage, env: {}, log, patience: 50, ...options })
      onTestFinished(() => key.stop())
      return key
    },
  }
}

const keyOf = ({ current }: SecretKey): string => current?.toString('hex') ?? 'locked'

test('the key is drawn once, kept for its owner only, and the same at the next start', async () => {
  const { open, path } = folderOf()
  const key = await open()
  expect(key.current).toHaveLength(32)
  expect(key.protection).toBe('file')
  expect(statSync(path()).mode & 0o777).toBe(0o600)
  expect(keyOf(await open())).toBe(keyOf(key))
  expect(keyOf(await open({ wrap: createKeyStore() }))).toBe(keyOf(key))
  expect(keyOf(await folderOf().open())).not.toBe(keyOf(key))
})

test('the environment gives the key as base64 or hex, and a wrong one is refused', async () => {
  const { open, names } = folderOf()
  const key = randomBytes(32)
  const given = (text: string) => open({ env: { SWITCHYARD_SECRET_KEY: text } })
  for (const text of [
    key.toString('hex'),
    key.toString('base64'),
    ` ${key.toString('base64url')} `,
  ]) {
    const opened = await given(text)
    expect(keyOf(opened)).toBe(key.toString('hex'))
    expect(opened.protection).toBe('environment')
  }
  for (const text of ['short', key.toString('hex').slice(2), 'correct horse battery staple']) {
    await expect(given(text)).rejects.toThrow(StartError)
  }
  expect(names()).toEqual([])
})

test('a keychain wraps the key; a start without it says what to do, and changes nothing', async () => {
  const { open, file, names } = folderOf()
  const wrap = createKeyStore()
  const key = await open({ wrap })
  expect(key.protection).toBe('keychain')
  const text = file()
  expect(text).toMatch(/^keychain:test_store:/)
  expect(text).not.toContain(key.current?.toString('base64'))
  expect(keyOf(await open({ wrap }))).toBe(keyOf(key))
  await expect(open()).rejects.toThrow(/desktop application.*SWITCHYARD_SECRET_KEY/)
  expect(file()).toBe(text)
  expect(names()).toEqual(['secret.key'])
})

test('a key that a former version has wrapped still opens, and its file stays as it is', async () => {
  const { open, file, path } = folderOf()
  const wrap = createKeyStore()
  const key = randomBytes(32)
  const wrapped = await wrap.wrap(key)
  writeFileSync(path(), `wrapped:${wrapped?.data.toString('base64')}\n`)
  const before = file()
  expect(keyOf(await open({ wrap }))).toBe(key.toString('hex'))
  expect(file()).toBe(before)
  wrap.refusal = 'denied'
  expect((await open({ wrap })).lock?.by).toBeNull()
})

test.each(['unavailable', 'denied', 'foreign', 'throws'] as const)(
  'a keychain that says no (%s) locks the key, and never costs it',
  async (refusal) => {
    const { open, file, names } = folderOf()
    const wrap = createKeyStore()
    const key = await open({ wrap })
    const text = file()

    wrap.refusal = refusal
    const locked = await open({ wrap })
    expect(locked.current).toBeNull()
    expect(locked.protection).toBeNull()
    const reason = refusal === 'throws' ? 'denied' : refusal
    expect(locked.lock).toMatchObject({ reason, by: 'test_store' })
    await locked.tryAgain()
    expect(locked.lock).toMatchObject({ reason })
    expect(file()).toBe(text)
    expect(names()).toEqual(['secret.key'])

    wrap.refusal = null
    let told = 0
    locked.onChange(() => told++)
    await locked.tryAgain()
    expect(keyOf(locked)).toBe(keyOf(key))
    expect(locked.lock).toBeNull()
    expect(told).toBe(1)
    expect(file()).toBe(text)
  },
)

test('a keychain with no protection any more locks a key that one has wrapped', async () => {
  const { open, file } = folderOf()
  const wrap = createKeyStore()
  await open({ wrap })
  const text = file()
  wrap.isMissing = true
  wrap.refusal = 'unavailable'
  expect((await open({ wrap })).lock?.reason).toBe('unavailable')
  expect(file()).toBe(text)
})

test('where there is no keychain the key lies plain in a file of its owner, and the log says so', async () => {
  for (const change of [
    { isMissing: true },
    { refusal: 'denied' },
    { isForgetful: true },
  ] as const) {
    const { open, file, path } = folderOf()
    const wrap = Object.assign(createKeyStore(), change)
    const log = createLog('silent')
    const warn = vi.spyOn(log, 'warn')
    const key = await open({ wrap, log })
    expect(key.protection).toBe('file')
    expect(file()).toBe(`plain:${key.current?.toString('base64')}\n`)
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(warn.mock.calls.flat().join()).toContain('no keychain protects the key')
  }
})

test('a keychain that asks the user holds no start up, and its answer opens the key', async () => {
  const { open } = folderOf()
  const wrap = createKeyStore()
  const key = await open({ wrap })
  let answer = () => {}
  wrap.answers = new Promise((resolve) => {
    answer = resolve
  })
  const waiting = await open({ wrap })
  expect(waiting.lock).toMatchObject({ reason: 'waiting', by: 'test_store' })
  await waiting.tryAgain()
  expect(waiting.lock).toMatchObject({ reason: 'waiting' })
  answer()
  await expect.poll(() => keyOf(waiting)).toBe(keyOf(key))

  // A first start alike: nothing is drawn before the keychain can wrap it.
  const first = folderOf()
  wrap.answers = new Promise((resolve) => {
    answer = resolve
  })
  const unborn = await first.open({ wrap })
  expect(unborn.lock?.reason).toBe('waiting')
  expect(first.names()).toEqual([])
  answer()
  await expect.poll(() => unborn.protection).toBe('keychain')
  expect(keyOf(await first.open({ wrap }))).toBe(keyOf(unborn))
})

test('an answer that comes after the end draws no key into a folder that may be another’s by then', async () => {
  const { open, names } = folderOf()
  const wrap = createKeyStore()
  let answer = () => {}
  wrap.answers = new Promise((resolve) => {
    answer = resolve
  })
  const waiting = await open({ wrap })
  waiting.stop()
  answer()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(names()).toEqual([])
  expect(waiting.current).toBeNull()
})

test('a keychain that comes later is found without anybody asking; one that said no is left alone', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { open } = folderOf()
  const wrap = createKeyStore()
  const key = await open({ wrap })
  wrap.refusal = 'denied'
  const denied = await open({ wrap })
  const { asked } = wrap
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(wrap.asked).toBe(asked)
  denied.stop()

  wrap.refusal = 'unavailable'
  const locked = await open({ wrap })
  const before = wrap.asked
  await vi.advanceTimersByTimeAsync(3_600_000)
  const tries = wrap.asked - before
  expect(tries).toBeGreaterThan(5)
  expect(tries).toBeLessThan(20)
  wrap.refusal = null
  await vi.advanceTimersByTimeAsync(600_000)
  expect(keyOf(locked)).toBe(keyOf(key))
})

test('a key is locked since the first look at the keychain, however often it is asked again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { open } = folderOf()
  const wrap = createKeyStore()
  await open({ wrap })
  wrap.refusal = 'unavailable'
  const locked = await open({ wrap })
  const since = locked.lock?.since
  const before = wrap.asked
  await vi.advanceTimersByTimeAsync(600_000)
  expect(wrap.asked).toBeGreaterThan(before)
  expect(locked.lock?.since).toBe(since)
})

test('a key whose protection is outdated is wrapped anew; the old file goes once the new one has opened', async () => {
  const { open, file, names } = folderOf()
  const wrap = createKeyStore(7)
  const key = await open({ wrap })
  const old = file()
  Object.assign(wrap, { mask: 8, before: 7 })
  expect(keyOf(await open({ wrap }))).toBe(keyOf(key))
  expect(file()).not.toBe(old)
  expect(file('secret.key.previous')).toBe(old)
  wrap.before = null
  expect(keyOf(await open({ wrap }))).toBe(keyOf(key))
  expect(names()).toEqual(['secret.key'])
})

test('a new wrapping that the keychain cannot open is not written', async () => {
  const { open, file, names } = folderOf()
  const wrap = createKeyStore(7)
  const key = await open({ wrap })
  const old = file()
  Object.assign(wrap, { mask: 8, before: 7, isForgetful: true })
  expect(keyOf(await open({ wrap }))).toBe(keyOf(key))
  expect(file()).toBe(old)
  expect(names()).toEqual(['secret.key'])
})

test('a new wrapping that does not open at the next start gives way to the old one', async () => {
  const { open, path } = folderOf()
  const wrap = createKeyStore(7)
  const key = await open({ wrap })
  Object.assign(wrap, { mask: 8, before: 7 })
  await open({ wrap })
  Object.assign(wrap, { mask: 7, before: null })
  expect(keyOf(await open({ wrap }))).toBe(keyOf(key))
  // And where only that one is left.
  renameSync(path(), path('moved'))
  expect(keyOf(await open({ wrap }))).toBe(keyOf(key))
})

test('only its owner’s word forgets a locked key, and the old file stays beside the new one', async () => {
  const { open, file, names } = folderOf()
  const wrap = createKeyStore(7)
  const key = await open({ wrap })
  await expect(key.forget()).rejects.toThrow(/not locked/)
  const old = file()
  wrap.mask = 8
  const locked = await open({ wrap })
  const kept = await locked.forget()
  expect(kept).toMatch(/^secret\.key\.forgotten-\d+$/)
  expect(file(kept ?? '')).toBe(old)
  expect(names().sort()).toEqual(['secret.key', kept].sort())
  expect(locked.lock).toBeNull()
  expect(keyOf(locked)).not.toBe(keyOf(key))
  expect(keyOf(await open({ wrap }))).toBe(keyOf(locked))
  await expect(locked.forget()).rejects.toThrow(/not locked/)
})

test('where only the former wrapping was left, forgetting says under which name it is kept', async () => {
  const { open, file, path, names } = folderOf()
  const wrap = createKeyStore(7)
  await open({ wrap })
  const old = file()
  renameSync(path(), path('secret.key.previous'))
  wrap.mask = 8
  const locked = await open({ wrap })
  expect(locked.lock).not.toBeNull()
  const kept = await locked.forget()
  expect(names()).toContain(kept)
  expect(file(kept ?? '')).toBe(old)
})

test('of two who forget at once, only one draws a key', async () => {
  const { open, names } = folderOf()
  const wrap = createKeyStore(7)
  await open({ wrap })
  wrap.mask = 8
  const locked = await open({ wrap })
  const outcomes = await Promise.allSettled([locked.forget(), locked.forget()])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(names()).toHaveLength(2)
  expect(keyOf(await open({ wrap }))).toBe(keyOf(locked))
})

test('a keychain that answers while its key is being forgotten is in time', async () => {
  const { open, names } = folderOf()
  const wrap = createKeyStore()
  const key = await open({ wrap })
  let answer = () => {}
  wrap.answers = new Promise((resolve) => {
    answer = resolve
  })
  const waiting = await open({ wrap, patience: 500 })
  const forgetting = waiting.forget()
  answer()
  await expect(forgetting).rejects.toThrow(/not locked/)
  expect(keyOf(waiting)).toBe(keyOf(key))
  expect(names()).toEqual(['secret.key'])
})

test.each(['plain:AAAA', 'keychain:', 'keychain:store:', 'wrapped:', ''])(
  'a damaged key file (%j) is refused and left as it is',
  async (text) => {
    const { open, path, file } = folderOf()
    writeFileSync(path(), text)
    for (const wrap of [undefined, createKeyStore()]) {
      await expect(open({ wrap })).rejects.toThrow(/does not hold a key/)
    }
    expect(file()).toBe(text)
  },
)
