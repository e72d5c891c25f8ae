import type { LockReason } from './key-wrap.ts'

/** Why the data key is not there at present. */
export interface KeyLock {
  reason: LockReason
  /** The key store that wrapped it; null where the file does not say. */
  by: string | null
  /** Unix seconds. */
  since: number
}

/** The 32 bytes under which secrets are sealed, once they are there. */
export interface SecretKey {
  /** Null while it is locked; another object when it is another key. */
  readonly current: Buffer | null
  readonly lock: KeyLock | null
  /** Place of the key; null while it is locked. */
  readonly protection: 'environment' | 'file' | 'keychain' | null
  /** Asks the key store again; resolves when it has answered, or does not for a while. */
  tryAgain(): Promise<void>
  /**
   * Draws another key in place of one that is locked, whose file stays beside it under the name that is
   * returned (null = there was none). What was sealed cannot be opened any more. Throws `conflict` unless locked.
   */
  forget(): Promise<string | null>
  /** Calls the listener when the key or the reason of its lock has changed; returns what ends that. */
  onChange(listener: () => void): () => void
  /** Asks the key store no more by itself. */
  stop(): void
}
