import { randomBytes } from 'node:crypto'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Log } from '../../base/log/log.ts'
import { StartError } from '../folder/start-error.ts'
import {
  KEY_BYTES,
  KEY_FILE,
  type KeyFile,
  readKeyFile,
  readPreviousFile,
  removePreviousFile,
  renewKeyFile,
  replaceKeyFile,
  writeKeyFile,
} from './key-file.ts'
import type { KeyStorage } from './key-storage.ts'
import type { KeyWrap, LockReason, Unwrapped, WrappedKey } from './key-wrap.ts'
import type { KeyLock, SecretKey } from './secret-key.ts'

interface HolderOptions {
  storage: KeyStorage
  wrap?: KeyWrap | undefined
  log: Log
  /** Milliseconds. */
  patience: number
}

/** Milliseconds until a key store that was not there is asked again; each time twice as long. */
const FIRST_PAUSE = 15_000
const LONGEST_PAUSE = 600_000

/** Holds the data key, or the reason why it is not there. */
export class KeyHolder implements SecretKey {
  readonly #storage: KeyStorage
  readonly #wrap: KeyWrap | undefined
  readonly #log: Log
  readonly #patience: number
  readonly #listeners = new Set<() => void>()
  #current: Buffer | null = null
  #protection: SecretKey['protection'] = null
  #lock: KeyLock | null = null
  #asking = 0
  #pause = FIRST_PAUSE
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor({ storage, wrap, log, patience }: HolderOptions) {
    this.#storage = storage
    this.#wrap = wrap
    this.#log = log
    this.#patience = patience
  }

  get current(): Buffer | null {
    return this.#current
  }

  get protection(): SecretKey['protection'] {
    return this.#protection
  }

  get lock(): KeyLock | null {
    return this.#lock
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** Throws StartError where the file is no use, or only a key store that is not here could open it. */
  async start(): Promise<void> {
    if ((await this.#within(this.#ask())) === 'late') this.#setLock('waiting', this.#wrappedBy())
  }

  open(key: Buffer, protection: NonNullable<SecretKey['protection']>): void {
    const wasLocked = this.#lock !== null
    this.#current = key
    this.#protection = protection
    this.#lock = null
    clearTimeout(this.#timer)
    if (wasLocked) this.#log.info({ protection }, 'the stored keys are unlocked')
    this.#tell()
  }

  async tryAgain(): Promise<void> {
    if (this.#current || this.#isStopped) return
    await this.#within(this.#ask())
  }

  async forget(): Promise<string | null> {
    this.#requireLocked()
    const key = randomBytes(KEY_BYTES)
    const sealed = await this.#within(this.#seal(key))
    // The key store may have answered meanwhile: then nothing has to be forgotten.
    this.#requireLocked()
    const wrapped = sealed === 'late' ? null : sealed
    const aside = replaceKeyFile(this.#storage, fileOf(key, wrapped), Date.now())
    this.#log.warn({ kept: aside }, 'the stored keys were forgotten, and a new key was made')
    this.#opened(key, wrapped)
    return aside
  }

  #requireLocked(): void {
    if (this.#lock) return
    throw new GatewayError('conflict', {
      message: 'The stored keys are not locked, so nothing was forgotten.',
      reason: { code: 'keys_not_locked' },
    })
  }

  /** `late` where the promise takes longer than anybody should wait. */
  #within<Value>(promise: Promise<Value>): Promise<Value | 'late'> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), this.#patience)
    })
    return Promise.race([promise, late]).finally(() => clearTimeout(timer))
  }

  /** Reads the file and has the key store open it. The first of several that ends well counts. */
  async #ask(): Promise<void> {
    this.#asking++
    try {
      const file = readKeyFile(this.#storage)
      if (file) await this.#openFile(file)
      else await this.#openWithoutFile()
    } catch (error) {
      // Its waiters have gone on meanwhile.
      if (!this.#lock && !this.#current) throw error
      this.#log.error({ err: error }, 'the file of the stored keys cannot be used')
    } finally {
      this.#asking--
    }
  }

  async #openFile(file: KeyFile): Promise<void> {
    if ('key' in file) {
      this.#opened(file.key, null)
      return
    }
    const unwrapped = await this.#unwrap(file.wrapped)
    if (this.#current) return
    if ('key' in unwrapped) {
      this.#opened(unwrapped.key, file.wrapped)
      if (unwrapped.isOutdated) await this.#renew(unwrapped.key)
      else this.#removePrevious()
    } else if (!(await this.#openPrevious())) {
      const { reason, cause: err } = unwrapped
      this.#log.warn(
        { err, reason, by: file.wrapped.by },
        'the keychain does not give the stored keys',
      )
      this.#setLock(reason, file.wrapped.by)
    }
  }

  /** Nothing but a file in its wrapping of before may be left. Else this is a first start. */
  async #openWithoutFile(): Promise<void> {
    if (await this.#openPrevious()) return
    const previous = readPreviousFile(this.#storage)
    if (previous && 'wrapped' in previous) {
      this.#setLock('unavailable', previous.wrapped.by)
      return
    }
    const key = randomBytes(KEY_BYTES)
    const wrapped = await this.#seal(key)
    // After the end another process may have drawn its key already.
    if (this.#current || this.#isStopped) return
    writeKeyFile(this.#storage, fileOf(key, wrapped))
    this.#opened(key, wrapped)
  }

  /** Does the key's wrapping of before still open, as where wrapping it anew has failed later? */
  async #openPrevious(): Promise<boolean> {
    const previous = readPreviousFile(this.#storage)
    if (!previous || !('wrapped' in previous)) return false
    const unwrapped = await this.#unwrap(previous.wrapped)
    if (this.#current || !('key' in unwrapped)) return this.#current !== null
    this.#log.warn('the stored keys were opened by the copy in their former wrapping')
    this.#opened(unwrapped.key, previous.wrapped)
    return true
  }

  #opened(key: Buffer, wrapped: WrappedKey | null): void {
    if (!wrapped && this.#wrap) {
      this.#log.warn(
        'no keychain protects the key of the stored secrets: it is kept in a plain file of mode 0600',
      )
    }
    this.open(key, wrapped ? 'keychain' : 'file')
  }

  async #unwrap(wrapped: WrappedKey): Promise<Unwrapped> {
    if (!this.#wrap) {
      throw new StartError(
        `${this.#storage.path(KEY_FILE)} is protected by this computer's keychain, which only the desktop application can ask. Start the desktop application, or set SWITCHYARD_SECRET_KEY to a key of your own: stored keys then stay sealed and must be entered again. The file was not changed.`,
      )
    }
    try {
      const unwrapped = await this.#wrap.unwrap(wrapped)
      const isKey = !('key' in unwrapped) || unwrapped.key.length === KEY_BYTES
      return isKey ? unwrapped : { reason: 'foreign' }
    } catch (cause) {
      return { reason: 'denied', cause }
    }
  }

  /** The key as the key store seals it, once that has opened it again; null where it cannot. */
  async #seal(key: Buffer): Promise<WrappedKey | null> {
    try {
      const wrapped = (await this.#wrap?.wrap(key)) ?? null
      if (!wrapped) return null
      const unwrapped = await this.#unwrap(wrapped)
      if ('key' in unwrapped && unwrapped.key.equals(key)) return wrapped
      this.#log.warn('the keychain does not open what it has just sealed')
    } catch (err) {
      this.#log.warn({ err }, 'the keychain seals nothing')
    }
    return null
  }

  /** Wraps the key anew, as the key store has asked to. What goes wrong leaves the file that was opened. */
  async #renew(key: Buffer): Promise<void> {
    const wrapped = await this.#seal(key)
    if (!wrapped || this.#isStopped) return
    try {
      renewKeyFile(this.#storage, { wrapped })
      this.#log.info({ by: wrapped.by }, 'the key of the stored secrets was wrapped anew')
    } catch (err) {
      this.#log.error(
        { err },
        'the key of the stored secrets could not be written in its new wrapping',
      )
    }
  }

  /** The file in use was opened just now, so that no other is needed. */
  #removePrevious(): void {
    try {
      removePreviousFile(this.#storage)
    } catch (err) {
      this.#log.warn({ err }, 'the former wrapping of the stored keys could not be removed')
    }
  }

  #wrappedBy(): string | null {
    const file = readKeyFile(this.#storage)
    return file && 'wrapped' in file ? file.wrapped.by : null
  }

  #setLock(reason: LockReason, by: string | null): void {
    if (this.#current) return
    const before = this.#lock
    this.#lock = { reason, by, since: before?.since ?? unixSeconds() }
    this.#schedule()
    if (before?.reason !== reason) this.#tell()
  }

  /** A key store may come later than we did. One that said no is asked again only when somebody wishes it. */
  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#lock?.reason !== 'unavailable' || this.#isStopped) return
    this.#timer = setTimeout(() => {
      if (this.#asking === 0) void this.tryAgain()
      else this.#schedule()
    }, this.#pause).unref()
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE)
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

const fileOf = (key: Buffer, wrapped: WrappedKey | null): KeyFile =>
  wrapped ? { wrapped } : { key }
