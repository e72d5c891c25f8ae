import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { DataFolder } from './folder.ts'
import { StartError } from './start-error.ts'

/** Protects the data key by the operating system's key store (Electron's safeStorage). */
export interface KeyWrap {
  wrap(key: Buffer): Buffer
  /** Throws when the key store has not the key that wrapped it. */
  unwrap(data: Buffer): Buffer
}

const KEY_BYTES = 32
const PLAIN = 'plain:'
const WRAPPED = 'wrapped:'

/**
 * The 32 bytes under which secrets are sealed: SWITCHYARD_SECRET_KEY (base64, or 64 hex digits), else
 * those in the folder's 0600 file `secret.key`, drawn at the first start and wrapped when `wrap` is
 * given. Where the key store has forgotten its key, the file is set aside and a new key is drawn: what
 * was sealed then opens as null.
 */
export function loadSecretKey(folder: DataFolder, env: NodeJS.ProcessEnv, wrap?: KeyWrap): Buffer {
  const given = env.SWITCHYARD_SECRET_KEY?.trim()
  if (given) return parseGiven(given)

  const path = folder.file('secret.key')
  const text = readKeyFile(path)
  if (text === null) return drawKey(path, wrap)

  if (text.startsWith(PLAIN)) {
    const key = Buffer.from(text.slice(PLAIN.length), 'base64')
    if (key.length === KEY_BYTES) return key
  }
  if (text.startsWith(WRAPPED)) {
    if (!wrap) {
      throw new StartError(
        `${path} is protected by this computer's key store, which only the desktop application can ask. Start the desktop application, set SWITCHYARD_SECRET_KEY, or move the file away (channel keys and tokens must then be entered anew).`,
      )
    }
    const key = tryUnwrap(wrap, Buffer.from(text.slice(WRAPPED.length), 'base64'))
    if (key) return key
    renameSync(path, folder.file(`secret.key.unreadable-${Date.now()}`))
    return drawKey(path, wrap)
  }
  throw new StartError(
    `${path} does not hold a key. Put a copy of it back, or move it away (channel keys and tokens must then be entered anew). The file was not changed.`,
  )
}

function parseGiven(text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length === KEY_BYTES) return key
  throw new StartError(
    'SWITCHYARD_SECRET_KEY must be 32 bytes, as base64 or as 64 hex digits. Make one with: openssl rand -base64 32',
  )
}

function tryUnwrap(wrap: KeyWrap, data: Buffer): Buffer | null {
  try {
    const key = wrap.unwrap(data)
    return key.length === KEY_BYTES ? key : null
  } catch {
    return null
  }
}

function drawKey(path: string, wrap?: KeyWrap): Buffer {
  const key = randomBytes(KEY_BYTES)
  const text = wrap ? WRAPPED + wrap.wrap(key).toString('base64') : PLAIN + key.toString('base64')
  // Written under another name first: half a key would be a lost key.
  const draft = `${path}.new`
  try {
    writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true })
    renameSync(draft, path)
  } catch (error) {
    throw unusable(path, 'written', error)
  }
  return key
}

function readKeyFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw unusable(path, 'read', error)
  }
}

function unusable(path: string, what: 'read' | 'written', error: unknown): StartError {
  const { code, message } = error as NodeJS.ErrnoException
  return new StartError(
    `${path} cannot be ${what} (${code ?? message}). Make it a file that this user can read and write, then start again.`,
    { cause: error },
  )
}
