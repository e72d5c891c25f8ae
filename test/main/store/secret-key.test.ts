import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openFolder } from '../../../main/store/folder.ts'
import { type KeyWrap, loadSecretKey } from '../../../main/store/secret-key.ts'
import { StartError } from '../../../main/store/start-error.ts'
import { tempFolder } from './temp-folder.ts'

function folderOf() {
  const folder = openFolder(tempFolder())
  onTestFinished(() => folder.release())
  return folder
}

/** A key store that knows one mask, as an operating system knows one user's key. */
const keyStore = (mask: number): KeyWrap => ({
  wrap: (key) => Buffer.from([mask, ...key.map((byte) => byte ^ mask)]),
  unwrap(data) {
    if (data[0] !== mask) throw new Error('not mine')
    return Buffer.from(data.subarray(1).map((byte) => byte ^ mask))
  },
})

test('the key is drawn once, kept for its owner only, and the same at the next start', () => {
  const folder = folderOf()
  const key = loadSecretKey(folder, {})
  expect(key).toHaveLength(32)
  expect(statSync(folder.file('secret.key')).mode & 0o777).toBe(0o600)
  expect(loadSecretKey(folder, {}).equals(key)).toBe(true)
  expect(loadSecretKey(folder, {}, keyStore(5)).equals(key)).toBe(true)
  expect(loadSecretKey(folderOf(), {}).equals(key)).toBe(false)
})

test('the environment gives the key as base64 or hex, and a wrong one is refused', () => {
  const folder = folderOf()
  const key = randomBytes(32)
  for (const text of [
    key.toString('hex'),
    key.toString('base64'),
    ` ${key.toString('base64url')} `,
  ]) {
    expect(loadSecretKey(folder, { SWITCHYARD_SECRET_KEY: text }).equals(key)).toBe(true)
  }
  for (const text of ['short', key.toString('hex').slice(2), 'correct horse battery staple']) {
    expect(() => loadSecretKey(folder, { SWITCHYARD_SECRET_KEY: text })).toThrow(StartError)
  }
  expect(readdirSync(folder.path)).not.toContain('secret.key')
})

test('a key store wraps the key; without it the file is refused and kept', () => {
  const folder = folderOf()
  const key = loadSecretKey(folder, {}, keyStore(7))
  const text = readFileSync(folder.file('secret.key'), 'utf8')
  expect(text).not.toContain(key.toString('base64'))
  expect(loadSecretKey(folder, {}, keyStore(7)).equals(key)).toBe(true)
  expect(() => loadSecretKey(folder, {})).toThrow(/desktop application/)
  expect(readFileSync(folder.file('secret.key'), 'utf8')).toBe(text)
})

test('a key store that lost its key gives a new key and sets the old file aside', () => {
  const folder = folderOf()
  const key = loadSecretKey(folder, {}, keyStore(7))
  expect(loadSecretKey(folder, {}, keyStore(8)).equals(key)).toBe(false)
  expect(readdirSync(folder.path).join()).toContain('secret.key.unreadable-')
})

test('a damaged key file is refused and left as it is', () => {
  const folder = folderOf()
  writeFileSync(folder.file('secret.key'), 'plain:AAAA')
  expect(() => loadSecretKey(folder, {})).toThrow(/does not hold a key/)
  expect(readFileSync(folder.file('secret.key'), 'utf8')).toBe('plain:AAAA')
})
