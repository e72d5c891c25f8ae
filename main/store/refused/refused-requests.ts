import type { Log } from '../../base/log/log.ts'
import { storageReason } from '../ledger/sqlite-failure.ts'
import type { Settings } from '../state/settings-schema.ts'
import { RefusalRate } from './refusal-rate.ts'
import { RefusedFile } from './refused-file.ts'
import { boundedRow, type RefusedRequest, type StoredRefusal } from './refused-request.ts'

/** Rows that are kept, in memory and on disk alike. */
const MOST_ROWS = 5000
const DAY = 86_400_000
const HOUR = 3_600_000
/** Milliseconds from the first row of a batch until it is written, and until a failed write is tried again. */
const WRITE_AFTER = 1000
const RETRY_AFTER = 30_000

export interface RefusedOptions {
  /** Absolute path of the SQLite file. */
  path: string
  settings: { readonly current: Pick<Settings, 'RefusedDays'> }
  log: Log
}

export interface RefusalQuery {
  /** Only rows with a smaller id. */
  before?: number
  limit: number
  matches?(row: StoredRefusal): boolean
}

/**
 * The newest requests that were refused before they became calls. They are read from memory; the file gives them
 * back after a restart. A file that can't be written costs that, and nothing else.
 */
export class RefusedRequests {
  readonly #options: RefusedOptions
  /** By request id, the oldest first. */
  readonly #rows = new Map<string, StoredRefusal>()
  readonly #rate = new RefusalRate()
  readonly #unwritten = new Set<StoredRefusal>()
  readonly #listeners = new Set<(userId: number) => void>()
  readonly #pruning: NodeJS.Timeout
  #file: RefusedFile | null = null
  #lastId = 0
  #timer: NodeJS.Timeout | null = null
  #hasFailed = false
  #isRead = false
  #isClosed = false

  constructor(options: RefusedOptions) {
    this.#options = options
    this.#pruning = setInterval(() => this.#prune(), HOUR).unref()
    this.#flush()
    this.#prune()
  }

  /** Adds what `describe` gives; in a flood the request is only counted, on the last row before it. */
  add(ip: string, describe: () => RefusedRequest): void {
    const instead = this.#rate.rowInstead(ip, Date.now())
    let row = instead
    if (row) {
      row.more++
      this.#unwritten.add(row)
    } else {
      row = { ...boundedRow(describe()), id: ++this.#lastId, more: 0 }
      this.#rate.add(row)
      this.#rows.set(row.requestId, row)
      this.#unwritten.add(row)
      if (this.#rows.size > MOST_ROWS) this.#removeOldest()
    }
    this.#writeIn(WRITE_AFTER)
    for (const listener of this.#listeners) listener(row.userId)
  }

  /** The newest first. */
  list({ before = Infinity, limit, matches = () => true }: RefusalQuery): StoredRefusal[] {
    this.#prune()
    const found: StoredRefusal[] = []
    for (const row of [...this.#rows.values()].reverse()) {
      if (found.length >= limit) break
      if (row.id < before && matches(row)) found.push(row)
    }
    return found
  }

  get(requestId: string): StoredRefusal | null {
    return this.#rows.get(requestId) ?? null
  }

  /** Calls the listener after each change, with the request's user (0 = nobody's); returns what ends that. */
  onAdded(listener: (userId: number) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Writes what is left. */
  close(): void {
    clearInterval(this.#pruning)
    if (this.#timer) clearTimeout(this.#timer)
    this.#flush()
    this.#isClosed = true
    this.#closeFile()
  }

  #removeOldest(): void {
    for (const [requestId, row] of this.#rows) {
      this.#rows.delete(requestId)
      this.#unwritten.delete(row)
      return
    }
  }

  #prune(): void {
    const oldest = Date.now() - this.#options.settings.current.RefusedDays * DAY
    const before = this.#rows.size
    for (const row of this.#rows.values()) {
      if (row.time >= oldest) break
      this.#removeOldest()
    }
    if (this.#rows.size < before) this.#writeIn(WRITE_AFTER)
  }

  #writeIn(delay: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#flush()
    }, delay).unref()
  }

  /** Opens the file first where that is still to be done. */
  #flush(): void {
    if (this.#isClosed) return
    try {
      this.#file ??= this.#openFile()
      const [oldest] = this.#rows.values()
      this.#file.write(this.#unwritten, oldest?.id ?? this.#lastId + 1)
      this.#unwritten.clear()
      if (this.#hasFailed) this.#options.log.warn('refused requests are written again')
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#reportFailure(error)
      this.#hasFailed = true
      this.#closeFile()
      this.#writeIn(RETRY_AFTER)
    }
  }

  #openFile(): RefusedFile {
    const file = RefusedFile.open(this.#options.path)
    if (!this.#isRead) this.#takeIn(file.read(MOST_ROWS))
    this.#isRead = true
    // After a failure nobody knows which rows the file has.
    for (const row of this.#rows.values()) this.#unwritten.add(row)
    return file
  }

  /** The rows of the process before stand before those that came while they could not be read. */
  #takeIn(stored: readonly StoredRefusal[]): void {
    const own = [...this.#rows.values()]
    const lastStored = stored.at(-1)?.id ?? 0
    for (const row of own) row.id += lastStored
    this.#lastId += lastStored
    this.#rows.clear()
    for (const row of [...stored, ...own]) this.#rows.set(row.requestId, row)
    while (this.#rows.size > MOST_ROWS) this.#removeOldest()
  }

  #reportFailure(error: unknown): void {
    const { log, path } = this.#options
    const reason = storageReason(error)
    log.warn({ path, reason }, 'refused requests cannot be written; they are kept in memory')
  }

  #closeFile(): void {
    const file = this.#file
    this.#file = null
    try {
      file?.close()
    } catch {
      // Its rows are read, or written again, after the next open.
    }
  }
}
