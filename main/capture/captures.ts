import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SettingsStore } from '../store/state/settings.ts'
import { type ArrivedRequest, CallCapture } from './call-capture.ts'
import type { Capture } from './capture.ts'
import type { CaptureDisk } from './capture-disk.ts'
import type { CaptureReader } from './capture-reader.ts'
import { containsText } from './contains-text.ts'
import { type CaptureMemory, Slabs } from './recorded-body.ts'
import { redactCapture } from './redact-capture.ts'

const MEBIBYTE = 1024 * 1024
/** Of all captures in memory, in bytes. */
const MEMORY = 32 * MEBIBYTE
/** Captures in memory: more small objects would cost each round of the collector. */
const MOST_CAPTURES = 1000
const MINUTE = 60_000
/** Calls that are over and may still get a last word, such as their refusal. */
const FRESH = 16
/** Bytes of a capture whose search other calls are let go on after. */
const SLICE = 64 * 1024

export type CaptureLevel = 'off' | 'memory' | 'failures' | 'all'

/** How captures stand, for the console. */
export interface CaptureStatus {
  level: CaptureLevel
  /** Milliseconds since 1970 until which everything is captured; null while that's off. */
  burstUntil: number | null
  memory: { count: number; bytes: number; cap: number }
  disk: { count: number; bytes: number; cap: number }
  /** Why nothing can be written at present. */
  problem: string | null
}

/** The latest captures in memory, and those that the owner wants kept on disk. */
export class Captures implements CaptureReader {
  readonly #settings: Pick<SettingsStore, 'current'>
  readonly #disk: CaptureDisk
  /** Oldest first; a call that is under way is in it too. */
  readonly #kept = new Map<string, CallCapture>()
  /** Ids of those that are over, in that order. */
  readonly #over = new Set<string>()
  readonly #memory: CaptureMemory
  /** Those that are over, and not packed yet. */
  readonly #fresh = new Set<CallCapture>()
  readonly #slabs = new Slabs()
  #bytes = 0
  #burstUntil = 0

  constructor(settings: Pick<SettingsStore, 'current'>, disk: CaptureDisk) {
    this.#settings = settings
    this.#disk = disk
    this.#memory = {
      take: (bytes) => this.#take(bytes),
      adjust: (bytes) => {
        this.#bytes += bytes
      },
      get largestBody() {
        return settings.current.CaptureBodyMegabytes * MEBIBYTE
      },
    }
  }

  /** Whether and how calls are captured now. */
  get level(): CaptureLevel {
    if (this.#burstUntil > 0) {
      if (Date.now() < this.#burstUntil) return 'all'
      this.#burstUntil = 0
    }
    return this.#settings.current.CaptureLevel
  }

  /** Begins to capture a call; null while that's off. */
  begin(arrived: ArrivedRequest): CallCapture | null {
    if (this.level === 'off') return null
    const capture = new CallCapture(arrived, this.#memory, (over) => this.#keep(over))
    this.#kept.set(capture.id, capture)
    if (this.#kept.size > MOST_CAPTURES) this.#evict()
    return capture
  }

  #keep(capture: CallCapture): void {
    if (this.#kept.get(capture.id) === capture) this.#addOver(capture)
    else this.#bytes -= capture.held
    const { level } = this
    if (level === 'all' || (level === 'failures' && capture.isFailed))
      this.#disk.write(() => readable(capture), capture.held)
  }

  #addOver(capture: CallCapture): void {
    this.#over.add(capture.id)
    this.#fresh.add(capture)
    if (this.#fresh.size <= FRESH) return
    const [next] = this.#fresh
    if (!next) return
    this.#fresh.delete(next)
    next.pack(this.#slabs)
  }

  /** Makes room for so many bytes; false when there's none to be had. */
  #take(bytes: number): boolean {
    if (bytes > MEMORY) return false
    while (this.#bytes + bytes > MEMORY) if (!this.#evict()) return false
    this.#bytes += bytes
    return true
  }

  /** Drops the oldest that is over. */
  #evict(): boolean {
    const [id] = this.#over
    if (id === undefined) return false
    this.#drop(id)
    return true
  }

  #drop(id: string): void {
    // Counted now, since a refusal is written, and a session's last message sent, when the call is over.
    const capture = this.#kept.get(id)
    if (capture) {
      this.#bytes -= capture.held
      this.#fresh.delete(capture)
    }
    this.#over.delete(id)
    this.#kept.delete(id)
  }

  find(id: string): Capture | null {
    const inMemory = this.#kept.get(id)
    return inMemory ? readable(inMemory) : this.#disk.find(id)
  }

  has(ids: readonly string[]): Set<string> {
    const found = new Set(ids.filter((id) => this.#kept.has(id)))
    const others = ids.filter((id) => !found.has(id))
    if (others.length > 0) for (const id of this.#disk.has(others)) found.add(id)
    return found
  }

  /** Ids of calls in whose bodies the text stands, case aside; the newest first. */
  async search(text: string): Promise<string[]> {
    const found: string[] = []
    for (const capture of [...this.#kept.values()].reverse()) {
      if (containsText(capture, text)) found.push(capture.id)
      // Bodies may be large: calls go on between them.
      if (capture.held > SLICE) await nextTurn()
    }
    return [...found, ...(await this.#disk.search(text, new Set(found)))]
  }

  status(): CaptureStatus {
    const { level } = this
    const cap = this.#settings.current.CaptureMegabytes * MEBIBYTE
    return {
      level: this.#settings.current.CaptureLevel,
      burstUntil: level === 'all' && this.#burstUntil > 0 ? this.#burstUntil : null,
      memory: { count: this.#kept.size, bytes: this.#bytes, cap: MEMORY },
      disk: { ...this.#disk.size(), cap },
      problem: this.#disk.problem,
    }
  }

  /** Captures everything, on disk too, for so many minutes; 0 ends that. */
  burst(minutes: number): void {
    this.#burstUntil = minutes > 0 ? Date.now() + minutes * MINUTE : 0
  }

  /** Removes all captures, in memory and on disk; gives how many there were. */
  clear(): number {
    const inMemory = new Set(this.#over)
    for (const id of inMemory) this.#drop(id)
    const onDisk = this.#disk.clear(inMemory)
    return inMemory.size + onDisk
  }

  /** Drops what is older or more than the options allow. */
  prune(): void {
    this.#disk.prune()
  }

  close(): void {
    this.#disk.close()
    for (const id of [...this.#over]) this.#drop(id)
  }
}

/** The capture as it stands now, for those who may look at it. */
function readable(capture: Omit<Capture, 'source'>): Capture {
  const { id, receivedAt, userId, tokenId, format, model, client, exchanges, frames } = capture
  return redactCapture({
    ...{ id, receivedAt, userId, tokenId, format, model, client, exchanges },
    ...(frames ? { frames } : {}),
    source: 'memory',
  })
}
