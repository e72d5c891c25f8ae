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
import { decodeCapture, encodeCapture, encodedBodies } from './encode-capture.ts'
import { indexRest } from './index-rest.ts'
import { TextIndex } from './text-index.ts'

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
  id: string
  capture: () => Capture
  /** In memory. */
  bytes: number
}

/** Milliseconds of a search: captures that may hold the text have to be opened one by one. */
const SEARCH_TIME = 5000
const SEARCHED_AT_ONCE = 64
/** Milliseconds of it after which calls are let go on. */
const SLICE = 5
/** Milliseconds after the start until captures that lack a filter get one. */
const REST = 1000

/** Captures on their way to the disk and back. It never throws into a call: a full disk stops capturing alone. */
export class CaptureDisk {
  readonly #path: string
  readonly #box: Pick<SecretBox, 'sealBytes' | 'openBytes'>
  /** Null as long as there is none: as long as nothing is to be kept, nothing is on the disk. */
  #file: CaptureFile | null = null
  readonly #settings: Pick<SettingsStore, 'current'>
  readonly #log: Log
  #waiting: Waiting[] = []
  /** Being packed and written; another array once they are deleted. */
  #batch: readonly Waiting[] = []
  #waitingBytes = 0
  #timer: NodeJS.Timeout | null = null
  #isClosed = false
  readonly #texts = new TextIndex()
  #restTimer: NodeJS.Timeout | null = null
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
    if (!existsSync(path)) return
    this.#attempt(() => this.#open())
    this.#restTimer = setTimeout(() => void this.#indexRest(), REST).unref()
  }

  /** Those of a process that ended before it could, or of a version that made none. */
  async #indexRest(): Promise<void> {
    const file = this.#file
    if (!file) return
    const isOpen = () => this.#file === file && !this.#isClosed
    try {
      await indexRest(file, this.#texts, isOpen, () => this.#box.sealBytes(Buffer.alloc(0)))
    } catch (error) {
      if (!isOpen()) return
      this.#log.debug({ error }, 'captures cannot be indexed yet')
      this.#restTimer = setTimeout(() => void this.#indexRest(), 60 * REST).unref()
    }
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
  write(id: string, capture: () => Capture, bytes: number): void {
    if (this.#isClosed || this.#waitingBytes + bytes > MOST_WAITING) return
    this.#waiting.push({ id, capture, bytes })
    this.#waitingBytes += bytes
    this.#timer ??= setTimeout(() => void this.#flush(), GATHER)
  }

  async #flush(): Promise<void> {
    this.#batch = this.#waiting
    this.#waiting = []
    while (this.#batch.length > 0) {
      const batch = this.#batch
      // As many as one filter is for.
      const some = batch.slice(0, this.#texts.room)
      const packed: StoredCapture[] = []
      for (const { capture } of some) {
        packed.push(...(await this.#pack(capture)))
        if (this.#batch !== batch) break
      }
      if (this.#isClosed) return
      // Deleted before they were written.
      if (this.#batch !== batch) break
      this.#attempt(() => {
        this.#write(packed)
        this.#prune()
      })
      this.#batch = batch.slice(some.length)
      for (const { bytes } of some) this.#waitingBytes -= bytes
    }
    this.#timer = this.#waiting.length > 0 ? setTimeout(() => void this.#flush(), GATHER) : null
  }

  /** None when it can't be encoded. */
  async #pack(capture: () => Capture): Promise<StoredCapture[]> {
    try {
      const told = capture()
      const bytes = Buffer.concat(encodeCapture(told))
      await this.#texts.add(encodedBodies(bytes))
      return [stored(told, await pack(bytes, FAST))]
    } catch (error) {
      this.#log.error({ err: error }, 'a capture cannot be encoded')
      return []
    }
  }

  #write(packed: readonly StoredCapture[]): void {
    const file = this.#open()
    const first = file.nextNumber
    file.write(packed)
    this.#texts.wrote(first, file)
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

  /** As `Captures.search`, of at most so many that aren't among `known`, for as long as a person waits. */
  async search(
    forms: readonly string[],
    known: ReadonlySet<string>,
    most: number,
    signal?: AbortSignal,
  ): Promise<string[]> {
    const file = this.#file
    const found: string[] = []
    if (!file) return found
    const until = performance.now() + SEARCH_TIME
    let pauseAt = performance.now() + SLICE
    for (const id of this.#candidates(file, forms)) {
      if (id !== null && !known.has(id) && this.#contains(id, forms)) found.push(id)
      if (found.length >= most) break
      if (performance.now() < pauseAt) continue
      await nextTurn()
      signal?.throwIfAborted()
      if (this.#file !== file || this.#isClosed || performance.now() > until) break
      pauseAt = performance.now() + SLICE
    }
    return found
  }

  /** Ids of captures that may hold the text, the newest first; null after a block that cannot. */
  *#candidates(file: CaptureFile, forms: readonly string[]): Generator<string | null> {
    for (const { first, last, mayHold } of this.#texts.blocks(file, forms)) {
      yield null
      let some = mayHold ? file.idsBetween(first, last, SEARCHED_AT_ONCE) : []
      while (some.length > 0) {
        for (const { id } of some) yield id
        some = file.idsBetween(first, (some.at(-1)?.number ?? first) - 1, SEARCHED_AT_ONCE)
      }
    }
  }

  #contains(id: string, forms: readonly string[]): boolean {
    try {
      const bytes = this.#file?.find(id)
      return bytes ? containsText(encodedBodies(inflateRawSync(bytes)), forms) : false
    } catch (error) {
      this.#log.warn({ error, request: id }, 'a capture cannot be read')
      return false
    }
  }

  has(ids: readonly string[]): string[] {
    try {
      return this.#file?.has(ids) ?? []
    } catch {
      return []
    }
  }

  /** Ids of the latest, newest first. */
  newest(most: number): string[] {
    const file = this.#file
    return file?.idsBetween(0, file.nextNumber, most).map(({ id }) => id) ?? []
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

  /** Deletes the file whole, and what is on its way there; gives how many captures these were beside some. */
  clear(besides: ReadonlySet<string>): number {
    const onTheWay = [...this.#batch, ...this.#waiting]
    for (const { bytes } of onTheWay) this.#waitingBytes -= bytes
    this.#batch = []
    this.#waiting = []
    const others = onTheWay.filter(({ id }) => !besides.has(id)).length
    const count = others + this.size().count - this.has([...besides]).length
    this.#file?.delete()
    this.#file = null
    this.#texts.clear()
    return count
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#restTimer) clearTimeout(this.#restTimer)
    const rest = [...this.#batch, ...this.#waiting].map(({ capture }) => capture())
    this.#waiting = []
    if (rest.length > 0) {
      this.#attempt(() =>
        this.#write(
          rest.map((capture) => {
            const bytes = Buffer.concat(encodeCapture(capture))
            this.#texts.addAtOnce(encodedBodies(bytes))
            return stored(capture, deflateRawSync(bytes, FAST))
          }),
        ),
      )
    }
    const file = this.#file
    if (!file) return
    this.#attempt(() => this.#texts.finish(file))
    file.close()
  }
}
