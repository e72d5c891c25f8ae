import { setImmediate as nextTurn } from 'node:timers/promises'
import { SlotList } from '../base/order/slot-list.ts'
import type { SettingsStore } from '../store/state/settings.ts'
import { bodiesOfCapture } from './bodies-of-capture.ts'
import { type ArrivedRequest, CallCapture, type CaptureHost } from './call-capture.ts'
import type { Capture } from './capture.ts'
import { CaptureArena } from './capture-arena.ts'
import type { CaptureDisk } from './capture-disk.ts'
import { containsText } from './contains-text.ts'
import { decodeCapture, encodeCapture } from './encode-capture.ts'
import { FloodLimit } from './flood-limit.ts'
import { redactCapture } from './redact-capture.ts'
import { mayChange, RestingCaptures } from './resting-captures.ts'
import { textForms } from './text-forms.ts'

/** Reads captures; nothing in them tells a secret. */
interface CaptureReader {
  /** Null where it's gone: the process started anew, newer ones took its place, or it was deleted. */
  find(id: string): Capture | null
  /** Those of these ids that have a capture. */
  has(ids: readonly string[]): Set<string>
}

const MEBIBYTE = 1024 * 1024
/** Bytes of all captures in memory. */
const MEMORY = 32 * MEBIBYTE
/** Bytes of the packed ones, while the others fit in the rest. */
const PACKED = 24 * MEBIBYTE
const MINUTE = 60_000
/** Milliseconds after which captures that are over are packed at last. One that failed may still get its refusal. */
const REST = 100
/** Bytes from which on a capture is packed at once: to live on costs it more than to be packed alone. */
const HEAVY = 64 * 1024
/** Bytes from which on a capture counts as several. */
const LARGE = MEBIBYTE
/** Bytes of a capture whose search other calls are let go on after. */
const SLICE = 64 * 1024
/** Calls that a search finds: more than a person looks through. */
const MOST_FOUND = 1000

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
  /** Under way, or over and not packed yet. */
  readonly #loose = new SlotList<CallCapture>()
  /** Over and not packed yet. */
  readonly #resting = new RestingCaptures()
  readonly #limit = new FloodLimit()
  #timer: NodeJS.Timeout | null = null
  /** Those of calls that are over, packed. */
  readonly #arena = new CaptureArena()
  readonly #host: CaptureHost
  /** Bytes of captures that aren't packed. */
  #looseBytes = 0
  #burstUntil = 0
  /** On the monotonic clock. */
  #burstRunsOut = 0

  constructor(settings: Pick<SettingsStore, 'current'>, disk: CaptureDisk) {
    this.#settings = settings
    this.#disk = disk
    this.#host = {
      take: (bytes) => this.#take(bytes),
      over: (capture) => this.#keep(capture),
      get largestBody() {
        return settings.current.CaptureBodyMegabytes * MEBIBYTE
      },
    }
  }

  /** Whether and how calls are captured now. */
  get level(): CaptureLevel {
    if (this.#burstUntil > 0) {
      // The system clock may be set back, and the monotonic one stand still while the machine sleeps.
      if (Date.now() < this.#burstUntil && performance.now() < this.#burstRunsOut) return 'all'
      this.#burstUntil = 0
    }
    return this.#settings.current.CaptureLevel
  }

  /** Begins to capture a call; null while that's off. */
  begin(arrived: ArrivedRequest): CallCapture | null {
    if (this.level === 'off') return null
    const capture = new CallCapture(arrived, this.#host)
    this.#looseBytes += capture.held
    this.#loose.add(capture)
    return capture
  }

  #keep(capture: CallCapture): void {
    const { level } = this
    if (level === 'all' || (level === 'failures' && capture.isFailed))
      this.#disk.write(capture.id, () => readable(capture), capture.held)
    capture.heldAtRest = capture.held
    if (mayChange(capture)) this.#rest(capture)
    // Of a flood's calls, those that won't be packed don't wait for it either: twice as many calls alive made each of
    // the collector's rounds half as long again.
    else if (!this.#limit.hasRoomBeside(this.#resting.counted)) this.#letGo(capture)
    else if (capture.heldAtRest >= HEAVY) this.#pack(capture)
    else this.#rest(capture)
  }

  #rest(capture: CallCapture): void {
    for (const one of this.#resting.add(capture)) this.#pack(one)
    this.#timer ??= setTimeout(() => this.#settle(), REST).unref()
  }

  /** Packs what was there at the round before. */
  #settle(): void {
    for (const one of this.#resting.takeRested()) this.#pack(one)
    this.#timer = this.#resting.size > 0 ? setTimeout(() => this.#settle(), REST).unref() : null
  }

  /** Keeps it packed, unless too many were in this second. Failed calls don't count: they cost no other its capture. */
  #pack(capture: CallCapture): void {
    this.#letGo(capture)
    if (!capture.isFailed) {
      if (this.#limit.isReached) return
      this.#limit.take(Math.max(1, capture.heldAtRest / LARGE))
    }
    const limit = Math.min(PACKED, MEMORY - this.#looseBytes)
    this.#arena.add(capture.id, encodeCapture(capture), limit)
  }

  #dropOldest(): boolean {
    const oldest = this.#resting.takeOldest()
    if (oldest) this.#letGo(oldest)
    return oldest !== null
  }

  #letGo(capture: CallCapture): void {
    capture.seal()
    this.#loose.remove(capture)
    // Counted now: a refusal is written, and a session's last message sent, when the call is over.
    this.#looseBytes -= capture.held
  }

  /** Makes room for so many bytes; false when there's none to be had. */
  #take(bytes: number): boolean {
    if (bytes > MEMORY) return false
    while (this.#looseBytes + bytes + this.#arena.size > MEMORY)
      if (!this.#arena.drop() && !this.#dropOldest()) return false
    this.#looseBytes += bytes
    return true
  }

  find(id: string): Capture | null {
    const capture = this.#inMemory(id)
    return capture ? readable(capture) : this.#disk.find(id)
  }

  #inMemory(id: string): Omit<Capture, 'source'> | null {
    let loose: CallCapture | null = null
    this.#loose.each((one) => {
      if (one.id === id) loose = one
    })
    if (loose) return loose
    const packed = this.#arena.find(id)
    return packed && decodeCapture(Buffer.from(packed), 'memory')
  }

  /** Ids of the latest captures on disk, newest first. */
  newestOnDisk(most: number): string[] {
    return this.#disk.newest(most)
  }

  has(ids: readonly string[]): Set<string> {
    const loose = new Set(this.#looseIds())
    const found = new Set(ids.filter((id) => loose.has(id) || this.#arena.has(id)))
    const others = ids.filter((id) => !found.has(id))
    if (others.length > 0) for (const id of this.#disk.has(others)) found.add(id)
    return found
  }

  /** Ids of calls under way in whose bodies, as far as they have come, the text stands; the newest first. */
  searchUnderWay(text: string): string[] {
    const forms = textForms(text)
    return this.#looseIds().filter((id) => {
      const capture = this.#inMemory(id)
      return capture !== null && containsText(bodiesOfCapture(capture), forms)
    })
  }

  /**
   * Ids of the newest 1000 calls in whose bodies the text stands, case aside; the newest first. Throws when nobody waits
   * any more.
   */
  async search(text: string, signal?: AbortSignal): Promise<string[]> {
    const forms = textForms(text)
    const found: string[] = []
    let searched = 0
    for (const id of this.#ids()) {
      const capture = this.#inMemory(id)
      if (!capture) continue
      if (containsText(bodiesOfCapture(capture), forms)) found.push(id)
      if (found.length >= MOST_FOUND) return found
      searched += sizeOf(capture)
      // Bodies may be large: calls go on between them.
      if (searched > SLICE) await nextTurn()
      signal?.throwIfAborted()
      searched %= SLICE
    }
    const most = MOST_FOUND - found.length
    return [...found, ...(await this.#disk.search(forms, new Set(found), most, signal))]
  }

  /** Ids of all captures in memory, newest first. */
  #ids(): string[] {
    return [...this.#looseIds(), ...this.#arena.ids()]
  }

  #looseIds(): string[] {
    const loose: CallCapture[] = []
    this.#loose.each((one) => void loose.push(one))
    return loose.sort((one, other) => other.receivedAt - one.receivedAt).map(({ id }) => id)
  }

  status(): CaptureStatus {
    const { level } = this
    const cap = this.#settings.current.CaptureMegabytes * MEBIBYTE
    return {
      level: this.#settings.current.CaptureLevel,
      burstUntil: level === 'all' && this.#burstUntil > 0 ? this.#burstUntil : null,
      memory: {
        count: this.#ids().length,
        bytes: this.#looseBytes + this.#arena.used,
        cap: MEMORY,
      },
      disk: { ...this.#disk.size(), cap },
      problem: this.#disk.problem,
    }
  }

  /** Captures everything, on disk too, for so many minutes; 0 ends that. */
  burst(minutes: number): void {
    this.#burstUntil = minutes > 0 ? Date.now() + minutes * MINUTE : 0
    this.#burstRunsOut = performance.now() + minutes * MINUTE
  }

  /** Removes all captures, in memory and on disk; gives how many there were. */
  clear(): number {
    const over = new Set([...this.#resting.ids, ...this.#arena.ids()])
    this.#dropAll()
    return over.size + this.#disk.clear(over)
  }

  /** All that are over. */
  #dropAll(): void {
    while (this.#dropOldest());
    this.#arena.clear()
  }

  /** Drops what is older or more than the options allow. */
  prune(): void {
    this.#disk.prune()
  }

  close(): void {
    this.#disk.close()
    this.#dropAll()
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

/** Bytes of its bodies. */
const sizeOf = ({ client, exchanges }: Omit<Capture, 'source'>): number =>
  [client, ...exchanges].reduce(
    (sum, { request, answer }) => sum + request.body.size + (answer?.body.size ?? 0),
    0,
  )
