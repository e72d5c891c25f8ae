import type { Log } from '../../base/log/log.ts'
import { StartError } from '../folder/start-error.ts'
import { KEY_BYTES } from './key-file.ts'
import { KeyHolder } from './key-holder.ts'
import type { KeyStorage } from './key-storage.ts'
import type { KeyWrap } from './key-wrap.ts'
import type { SecretKey } from './secret-key.ts'

export interface SecretKeyOptions {
  storage: KeyStorage
  env: NodeJS.ProcessEnv
  /** Left out where there is no key store to ask, as headless. */
  wrap?: KeyWrap | undefined
  log: Log
  /** Milliseconds for which an answer of the key store is waited for. It may be asking the user meanwhile. */
  patience?: number
}

const PATIENCE = 5_000

/**
 * The data key: SWITCHYARD_SECRET_KEY (base64, or 64 hex digits), else the one in the folder's 0600 file
 * `secret.key`, drawn at the first start and wrapped by the key store where there is one. A key that the key
 * store does not give is locked, and its file stays as it is. Throws StartError for a wrapped key without `wrap`.
 */
export async function openSecretKey(options: SecretKeyOptions): Promise<SecretKey> {
  const { env, patience = PATIENCE, ...rest } = options
  const holder = new KeyHolder({ ...rest, patience })
  const fromEnvironment = env.SWITCHYARD_SECRET_KEY?.trim()
  if (fromEnvironment) holder.open(parseGiven(fromEnvironment), 'environment')
  else await holder.start()
  return holder
}

function parseGiven(text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length === KEY_BYTES) return key
  throw new StartError(
    'SWITCHYARD_SECRET_KEY must be 32 bytes, as base64 or as 64 hex digits. Make one with: openssl rand -base64 32',
  )
}
