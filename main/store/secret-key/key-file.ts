import { StartError } from '../folder/start-error.ts'
import type { KeyStorage } from './key-storage.ts'
import type { WrappedKey } from './key-wrap.ts'

/** Content of a data key's file. */
export type KeyFile = { key: Buffer } | { wrapped: WrappedKey }

export const KEY_BYTES = 32
export const KEY_FILE = 'secret.key'
const DRAFT_FILE = `${KEY_FILE}.new`
const PREVIOUS_FILE = `${KEY_FILE}.previous`
/** The key itself, in base64. */
const PLAIN = 'plain:'
/** `keychain:<key store>:<base64>`. A Switchyard that does not know the form refuses it and leaves it alone. */
const WRAPPED = /^keychain:([\w-]+):([\w+/=]+)$/
/** The form of before, which does not name the key store. */
const WRAPPED_BEFORE = 'wrapped:'

const keyFileText = (file: KeyFile): string =>
  'key' in file
    ? `${PLAIN}${file.key.toString('base64')}\n`
    : `keychain:${file.wrapped.by ?? 'unknown'}:${file.wrapped.data.toString('base64')}\n`

/** The file in use; null = there is none. Throws StartError where it holds no key, and leaves it as it is. */
export function readKeyFile(storage: KeyStorage): KeyFile | null {
  const text = storage.read(KEY_FILE)
  if (text === null) return null
  const file = parse(text.trim())
  if (file) return file
  throw new StartError(
    `${storage.path(KEY_FILE)} does not hold a key. Put a copy of it back, or move it away (channel keys and tokens must then be entered anew). The file was not changed.`,
  )
}

/** The same key in its wrapping of before; null where there is none, or half of it. */
export const readPreviousFile = (storage: KeyStorage): KeyFile | null =>
  parse(storage.read(PREVIOUS_FILE)?.trim() ?? '')

/** Makes the file the one in use. Half a key would be a lost key, so it is written under another name first. */
export function writeKeyFile(storage: KeyStorage, file: KeyFile): void {
  writeDraft(storage, file)
  storage.rename(DRAFT_FILE, KEY_FILE)
}

/** The same for a key that is wrapped anew: the old wrapping stays beside it until the next start has opened the new one. */
export function renewKeyFile(storage: KeyStorage, file: KeyFile): void {
  writeDraft(storage, file)
  const before = storage.read(KEY_FILE)
  if (before !== null) storage.write(PREVIOUS_FILE, before)
  storage.rename(DRAFT_FILE, KEY_FILE)
}

export const removePreviousFile = (storage: KeyStorage): void => storage.remove(PREVIOUS_FILE)

/**
 * Makes the file of another key the one in use; the old one stays beside it under the name that is returned, which is
 * that of its former wrapping where nothing else was left; null = there was neither.
 */
export function replaceKeyFile(storage: KeyStorage, file: KeyFile, now: number): string | null {
  writeDraft(storage, file)
  const aside = `${KEY_FILE}.forgotten-${now}`
  const before = storage.read(KEY_FILE)
  if (before !== null) storage.write(aside, before)
  // It wraps the old key. Beside the new file it would be taken for the new key's.
  const former = storage.read(PREVIOUS_FILE) === null ? null : `${aside}-previous`
  if (former !== null) storage.rename(PREVIOUS_FILE, former)
  storage.rename(DRAFT_FILE, KEY_FILE)
  return before === null ? former : aside
}

function writeDraft(storage: KeyStorage, file: KeyFile): void {
  const text = keyFileText(file)
  storage.write(DRAFT_FILE, text)
  if (storage.read(DRAFT_FILE) === text) return
  throw new StartError(
    `${storage.path(DRAFT_FILE)} does not hold what was written to it. Check the disk, then start again.`,
  )
}

function parse(text: string): KeyFile | null {
  if (text.startsWith(PLAIN)) {
    const key = Buffer.from(text.slice(PLAIN.length), 'base64')
    return key.length === KEY_BYTES ? { key } : null
  }
  const [, by, base64] = WRAPPED.exec(text) ?? []
  if (by && base64) return { wrapped: { by, data: Buffer.from(base64, 'base64') } }
  if (!text.startsWith(WRAPPED_BEFORE)) return null
  const data = Buffer.from(text.slice(WRAPPED_BEFORE.length), 'base64')
  return data.length > 0 ? { wrapped: { by: null, data } } : null
}
