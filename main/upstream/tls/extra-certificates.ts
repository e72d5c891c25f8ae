import type { X509Certificate } from 'node:crypto'
import { type StatWatcher, unwatchFile, watchFile } from 'node:fs'
import type { Log } from '../../base/log/log.ts'
import type { Sentence } from '../../base/reason.ts'
import {
  expiredOf,
  isCertificatePath,
  readCertificates,
  WrongCertificates,
} from './read-certificates.ts'
import { trustAlso } from './trust.ts'

/** Milliseconds between two looks at a file of certificates. */
const LOOK_EVERY = 5_000

/**
 * The authorities that the owner trusts besides the usual ones: certificates or the path of a file, which is read
 * again when it changes; while that cannot be read, what it held before is trusted.
 */
export class ExtraCertificates {
  readonly #setting: () => string
  readonly #log: Log
  #seen = ''
  #certificates: readonly X509Certificate[] = []
  #wrong: Sentence | null = null
  #watched: { path: string; watcher: StatWatcher } | null = null
  readonly #onFile = () => this.#read()

  constructor(setting: () => string, log: Log) {
    this.#setting = setting
    this.#log = log
    this.follow()
  }

  /** Takes the option as it is now. */
  follow(): void {
    const setting = this.#setting().trim()
    if (setting === this.#seen) return
    this.#seen = setting
    this.#certificates = []
    this.#unwatch()
    if (isCertificatePath(setting)) {
      const watcher = watchFile(setting, { interval: LOOK_EVERY, persistent: false }, this.#onFile)
      this.#watched = { path: setting, watcher }
    }
    this.#read()
  }

  /** Their current problems, in sentences. */
  problems(): Sentence[] {
    const expired = expiredOf(this.#certificates)
    return [
      ...(this.#wrong === null ? [] : [this.#wrong]),
      ...(expired.length === 0
        ? []
        : [
            {
              message: `Expired certificates in ExtraCaCertificates: ${expired.join(', ')}. Replace them.`,
              reason: { code: 'certificates_expired', names: expired.join(', ') } as const,
            },
          ]),
    ]
  }

  /** Trusts them no longer. */
  stop(): void {
    this.#unwatch()
    trustAlso(this, [])
  }

  #read(): void {
    try {
      this.#certificates = readCertificates(this.#seen)
      this.#wrong = null
      trustAlso(
        this,
        this.#certificates.map((one) => one.toString()),
      )
    } catch (error) {
      if (this.#certificates.length === 0) trustAlso(this, [])
      if (!(error instanceof WrongCertificates)) throw error
      this.#wrong = { message: error.message, reason: error.reason }
    }
    for (const { message } of this.problems()) this.#log.warn(message)
  }

  #unwatch(): void {
    if (this.#watched) unwatchFile(this.#watched.path, this.#onFile)
    this.#watched = null
  }
}
