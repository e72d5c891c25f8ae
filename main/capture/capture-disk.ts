import { existsSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Log } from '../base/log/log.ts'
import { CaptureFile, type StoredCapture } from '../store/captures/capture-file.ts'
import { storageReason } from '../store/ledger/sqlite-failure.ts'
import type { SecretBox } from '../store/secret-key/secret-box.ts'
import type { SettingsStore } from '../store/state/settings.ts'
import type { Capture } from './capture.ts'
import { containsText } from './contains-text.ts'
import { decodeCapture, encodeCapture } from './encode-capture.ts'

const pack = promisify(deflateRaw)

/** Speed before size: bodies are text, which gets much smaller anyhow. */
const FAST = { level: 1 }

const stored = ({ id, receivedAt, userId }: Capture, bytes: Buffer): StoredCapture => ({
  ...{ id, receivedAt, userId, bytes },
})

const MEBIBYTE = 1024 * 1024
const DAY = 86_400_000
/** Milliseconds in which captures gather for one transaction. */
const GATHER = 20
/** Bytes of captures that may wait for the disk; further ones aren't written. */
const MOST_WAITING = 64 * MEBIBYTE

interface Waiting {
  capture: () => Capture
  /** In memory. */
  bytes: number
}

/** Milliseconds of a search through sealed captures, which have to be opened one by one. */
const SEARCH_TIME = 5000
const SEARCHED_AT_ONCE = 20

/** Captures on their way to the disk and back. It never throws into a call: a full disk stops capturing alone. */
export class CaptureDisk {
  readonly #path: string
  readonly #box: Pick<SecretBox, 'sealBytes' | 'openBytes'>
  /** Null as long as there is none: as long as nothing is to be kept, nothing is on the disk. */
  #file: CaptureFile | null = null
  readonly #settings: Pick<SettingsStore, 'current'>
  readonly #log: Log
  #waiting: Waiting[] = []
  /** Being written. */
  #batch: readonly Waiting[] = []
  #waitingBytes = 0
  #timer: NodeJS.Timeout | null = null
  #isClosed = false
  /** Why nothing can be written at present; null when all is well. */
  problem: string | null = null

  constructor(
    path: string,
    box: Pick<SecretBox, 'sealBytes' | 'openBytes'>,
    settings: Pick<SettingsStore, 'current'>,
    log: Log,
  ) {
    this.#path = path
    this.#box = box
    this.#settings = settings
    this.#log = log
    if (existsSync(path)) this.#attempt(() => this.#open())
  }

  #open(): CaptureFile {
    this.#file ??= new CaptureFile(this.#path, this.#box, (error) =>
      this.#log.warn({ error }, 'captures.db is damaged; it is now captures.db.damaged'),
    )
    return this.#file
  }

  /** Notes why it can't be done, and logs that once. */
  #attempt(work: () => void): void {
    try {
      work()
      if (this.problem !== null) this.#log.info('captures can be written again')
      this.problem = null
    } catch (error) {
      if (this.problem === null) this.#log.warn({ error }, 'captures cannot be written')
      this.problem = storageReason(error)
    }
  }

  /** `capture` is asked for when it is written; it keeps `bytes` bytes in memory until then. */
  write(capture: () => Capture, bytes: number): void {
    if (this.#isClosed || this.#waitingBytes + bytes > MOST_WAITING) return
    this.#waiting.push({ capture, bytes })
    this.#waitingBytes += bytes
    this.#timer ??= setTimeout(() => void this.#flush(), GATHER)
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting
    this.#batch = batch
    this.#waiting = []
    const packed: StoredCapture[] = []
    try {
      for (const one of batch) {
        const capture = one.capture()
        packed.push(stored(capture, await pack(Buffer.concat(encodeCapture(capture)), FAST)))
      }
    } catch (error) {
      this.#log.error({ err: error }, 'a capture cannot be encoded')
    }
    if (this.#isClosed) return
    this.#attempt(() => {
      this.#open().write(packed)
      this.#prune()
    })
    this.#batch = []
    for (const { bytes } of batch) this.#waitingBytes -= bytes
    this.#timer = this.#waiting.length > 0 ? setTimeout(() => void this.#flush(), GATHER) : null
  }

  find(id: string): Capture | null {
    try {
      const bytes = this.#file?.find(id)
      return bytes ? decodeCapture(inflateRawSync(bytes), 'disk') : null
    } catch (error) {
      this.#log.warn({ error, request: id }, 'a capture cannot be read')
      return null
    }
  }

  /** As `Captures.search`, of those that aren't among `known`, for as long as a person waits. */
  async search(text: string, known: ReadonlySet<string>): Promise<string[]> {
    const until = performance.now() + SEARCH_TIME
    const found: string[] = []
    let before = Number.MAX_SAFE_INTEGER
    while (performance.now() < until) {
      const some = this.#file?.idsBefore(before, SEARCHED_AT_ONCE) ?? []
      const last = some.at(-1)
      if (!last) break
      before = last.number
      for (const { id } of some) {
        if (known.has(id)) continue
        const capture = this.find(id)
        if (capture && containsText(capture, text)) found.push(id)
      }
      await nextTurn()
    }
    return found
  }

  has(ids: readonly string[]): string[] {
    try {
      return this.#file?.has(ids) ?? []
    } catch {
      return []
    }
  }

  size(): { count: number; bytes: number } {
    return this.#file?.size() ?? { count: 0, bytes: 0 }
  }

  /** Drops what is older or more than the options allow. */
  prune(): void {
    this.#attempt(() => this.#prune())
  }

  #prune(): void {
    const { CaptureDays, CaptureMegabytes } = this.#settings.current
    const before = CaptureDays > 0 ? Date.now() - CaptureDays * DAY : 0
    this.#file?.prune(before, CaptureMegabytes * MEBIBYTE)
  }

  /** Deletes the file whole; gives how many captures were in it beside these. */
  clear(besides: ReadonlySet<string>): number {
    for (const { bytes } of this.#waiting) this.#waitingBytes -= bytes
    this.#waiting = []
    const count = this.size().count - this.has([...besides]).length
    this.#file?.delete()
    this.#file = null
    return count
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    const rest = [...this.#batch, ...this.#waiting].map(({ capture }) => capture())
    this.#waiting = []
    if (rest.length > 0) {
      this.#attempt(() =>
        this.#open().write(
          rest.map((capture) =>
            stored(capture, deflateRawSync(Buffer.concat(encodeCapture(capture)), FAST)),
          ),
        ),
      )
    }
    this.#file?.close()
  }
}
