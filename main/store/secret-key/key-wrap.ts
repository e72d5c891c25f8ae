/**
 * Why a key store does not give the key. `waiting`: it has not answered yet, as while it asks the user.
 * `unavailable`: there is none here, or not the one that wrapped the key. `denied`: it neither seals nor opens
 * anything. `foreign`: it works, but cannot open this key.
 */
export type LockReason = 'waiting' | 'unavailable' | 'denied' | 'foreign'

/** A data key as a key store has sealed it. */
export interface WrappedKey {
  /** Names the key store, as `gnome_libsecret`; null in files of before, which do not say. */
  by: string | null
  data: Buffer
}

/** Result of unwrapping a key. `isOutdated`: wrap it again, its protection has changed. */
export type Unwrapped =
  | { key: Buffer; isOutdated: boolean }
  | { reason: Exclude<LockReason, 'waiting'>; cause?: unknown }

/** Protects the data key by the operating system's key store (Electron's safeStorage). */
export interface KeyWrap {
  /** Null where nothing here protects a key better than a file that only its owner can read. */
  wrap(key: Buffer): Promise<WrappedKey | null>
  unwrap(wrapped: WrappedKey): Promise<Unwrapped>
}
