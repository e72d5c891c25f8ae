import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../../../main/base/log/log.ts'
import { createKeyStorage, type KeyStorage } from '../../../../main/store/secret-key/key-storage.ts'
import { openSecretKey } from '../../../../main/store/secret-key/open-secret-key.ts'
import type { SecretKey } from '../../../../main/store/secret-key/secret-key.ts'
import { createKeyStore, type KeyStore } from './key-store.ts'

const log = createLog('silent')

function storageIn(path: string): KeyStorage {
  return createKeyStorage({ path, file: (name) => join(path, name) })
}

/**
 * The files of a process that is killed at its `last` change of a file: before it, in the midst of it (a file is
 * written by half) or right after it. Nothing that comes later is done.
 */
function killedAt(
  storage: KeyStorage,
  last: number,
  moment: 'before' | 'within' | 'after',
): KeyStorage & { changes: number } {
  const killed = () => new Error('killed')
  const change = (run: () => void, runHalf = () => {}) => {
    files.changes++
    if (files.changes > last) throw killed()
    if (files.changes < last || moment === 'after') run()
    else if (moment === 'within') runHalf()
    if (files.changes === last) throw killed()
  }
  const files = {
    changes: 0,
    path: storage.path,
    read: storage.read,
    write(name: string, text: string) {
      const half = text.slice(0, text.length / 2)
      change(
        () => storage.write(name, text),
        () => storage.write(name, half),
      )
    },
    rename: (from: string, to: string) => change(() => storage.rename(from, to)),
    remove: (name: string) => change(() => storage.remove(name)),
  }
  return files
}

const open = async (storage: KeyStorage, wrap: KeyStore): Promise<SecretKey> => {
  const key = await openSecretKey({ storage, env: {}, wrap, log })
  onTestFinished(() => key.stop())
  return key
}

/** The keys that the files of a folder hold, by their names; half a file holds none. */
async function keysIn(path: string, wrap: KeyStore): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  for (const name of readdirSync(path)) {
    const text = readFileSync(join(path, name), 'utf8').trim()
    const data = Buffer.from(/^keychain:\w+:(.*)$/.exec(text)?.[1] ?? '', 'base64')
    const unwrapped = await wrap.unwrap({ by: null, data })
    if ('key' in unwrapped) keys.set(name, unwrapped.key.toString('hex'))
  }
  return keys
}

/** Runs `check` on the folder of a process that was killed at each step that `act` takes. */
async function killEverywhere(
  prepare: (path: string, wrap: KeyStore) => Promise<unknown>,
  act: (files: KeyStorage, wrap: KeyStore) => Promise<unknown>,
  check: (path: string, wrap: KeyStore) => Promise<void>,
): Promise<number> {
  let steps = 0
  for (const moment of ['before', 'within', 'after'] as const) {
    for (let last = 1; ; last++) {
      const path = mkdtempSync(join(tmpdir(), 'switchyard-killed-'))
      const wrap = createKeyStore(7)
      await prepare(path, wrap)
      const files = killedAt(storageIn(path), last, moment)
      await act(files, wrap).catch(() => {})
      if (files.changes < last) {
        rmSync(path, { recursive: true })
        break
      }
      steps++
      await check(path, wrap)
      rmSync(path, { recursive: true })
    }
  }
  return steps
}

test('killed at any step of a first start, the next one has a key, and keeps it', async () => {
  const steps = await killEverywhere(
    async () => {},
    (files, wrap) => open(files, wrap),
    async (path, wrap) => {
      const key = await open(storageIn(path), wrap)
      expect(key.current).toHaveLength(32)
      expect((await open(storageIn(path), wrap)).current).toEqual(key.current)
    },
  )
  expect(steps).toBe(6)
})

test('killed at any step of wrapping a key anew, the next start has the same key', async () => {
  let key: Buffer | null = null
  const steps = await killEverywhere(
    async (path, wrap) => {
      key = (await open(storageIn(path), wrap)).current
      Object.assign(wrap, { mask: 8, before: 7 })
    },
    (files, wrap) => open(files, wrap),
    async (path, wrap) => {
      expect((await open(storageIn(path), wrap)).current).toEqual(key)
      expect((await open(storageIn(path), wrap)).current).toEqual(key)
      // Whichever of its two keys the keychain has at the end.
      expect(readdirSync(path).filter((name) => !name.endsWith('.new'))).toContain('secret.key')
    },
  )
  expect(steps).toBe(9)
})

test('killed at any step of wrapping anew, a keychain that goes back to its old key still opens it', async () => {
  let key: Buffer | null = null
  await killEverywhere(
    async (path, wrap) => {
      key = (await open(storageIn(path), wrap)).current
      Object.assign(wrap, { mask: 8, before: 7 })
    },
    (files, wrap) => open(files, wrap),
    async (path, wrap) => {
      Object.assign(wrap, { mask: 7, before: null })
      expect((await open(storageIn(path), wrap)).current).toEqual(key)
    },
  )
})

test('killed at any step of forgetting, the old key is still in a file, and the next start never mixes the two', async () => {
  let key = ''
  const steps = await killEverywhere(
    async (path, wrap) => {
      key = (await open(storageIn(path), wrap)).current?.toString('hex') ?? ''
      // A wrapping of before lies beside it as well.
      Object.assign(wrap, { mask: 8, before: 7 })
      await open(storageIn(path), wrap)
    },
    async (files, wrap) => {
      wrap.refusal = 'foreign'
      const locked = await open(files, wrap)
      wrap.refusal = null
      // Only what forgetting does: nobody has asked again before.
      await locked.forget()
    },
    async (path, wrap) => {
      Object.assign(wrap, { refusal: null, mask: 8, before: 7 })
      const keys = await keysIn(path, wrap)
      expect([...keys.values()]).toContain(key)
      const inUse = keys.get('secret.key')
      expect(inUse).toHaveLength(64)
      // Beside the new key's file one of the old key would be taken for its former wrapping.
      if (inUse !== key) expect(keys.has('secret.key.previous')).toBe(false)
      const opened = await open(storageIn(path), wrap)
      expect(opened.current?.toString('hex')).toBe(inUse)
      expect((await open(storageIn(path), wrap)).current).toEqual(opened.current)
    },
  )
  expect(steps).toBe(12)
})
