import type { CapturedBody } from './capture.ts'

/** Memory that all captures share. */
export interface CaptureMemory {
  /** May so many bytes more be kept? Older captures make room for them. */
  take(bytes: number): boolean
  /** Counts so many bytes more, or less, of what is kept already. */
  adjust(bytes: number): void
  /** Of one body, in bytes. */
  readonly largestBody: number
}

/** Chunks of this many bytes on average are copied together: so many small objects cost the collector more. */
const SMALL = 4096
const SLAB = 256 * 1024

/** Memory into which small bodies of calls that are over are copied, one behind the other. */
export class Slabs {
  #slab: Buffer = Buffer.alloc(0)
  #used = 0

  copy(chunks: readonly Buffer[], size: number): Buffer {
    if (this.#used + size > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(Math.max(SLAB, size))
      this.#used = 0
    }
    const start = this.#used
    for (const chunk of chunks) this.#used += chunk.copy(this.#slab, this.#used)
    return this.#slab.subarray(start, this.#used)
  }
}

/**
 * A body while it crosses a border. Its chunks are kept by reference: they're there anyway, and nobody writes into
 * them. Past the cap, or when there's no memory left, only the size is counted.
 */
export class RecordedBody implements CapturedBody {
  readonly #memory: CaptureMemory
  readonly #since: number
  #chunks: readonly Buffer[] = []
  /** Lengths of the chunks, where they stand in one buffer. */
  #lengths: readonly number[] | null = null
  #isFull = false
  #kept = 0
  /** The last chunk's memory: neighbours often share it, and are then counted once. */
  #store: ArrayBufferLike | null = null
  times: number[] = []
  size = 0
  /** Bytes of memory that are counted for it. */
  held = 0

  /** `since`: `performance.now()` of the call's arrival. */
  constructor(memory: CaptureMemory, since: number) {
    this.#memory = memory
    this.#since = since
  }

  get chunks(): readonly Buffer[] {
    const lengths = this.#lengths
    if (!lengths) return this.#chunks
    const [whole = Buffer.alloc(0)] = this.#chunks
    let at = 0
    return lengths.map((length) => {
      at += length
      return whole.subarray(at - length, at)
    })
  }

  /** Is this chunk's memory counted here? */
  holds(chunk: Buffer): boolean {
    return chunk.buffer === this.#store
  }

  /** A chunk that crosses the border now. `isShared`: its memory is counted elsewhere. */
  push(chunk: Buffer, isShared = false): void {
    if (this.#keep(chunk, isShared)) this.times.push(performance.now() - this.#since)
  }

  /** A body that is there as a whole. */
  add(pieces: Buffer | readonly Buffer[], isShared = false): void {
    if (Buffer.isBuffer(pieces)) this.#keep(pieces, isShared)
    else for (const piece of pieces) this.#keep(piece, isShared)
  }

  #keep(chunk: Buffer, isShared: boolean): boolean {
    const { length } = chunk
    this.size += length
    if (this.#isFull || length === 0) return false
    const left = this.#memory.largestBody - this.#kept
    const cost = isShared || chunk.buffer === this.#store ? 0 : chunk.buffer.byteLength
    if (left <= 0 || !this.#memory.take(cost)) {
      this.#isFull = true
      return false
    }
    this.#unpack()
    this.held += cost
    this.#store = chunk.buffer
    this.#kept += Math.min(length, left)
    ;(this.#chunks as Buffer[]).push(length > left ? chunk.subarray(0, left) : chunk)
    return true
  }

  /** Bytes may come when the call is over: of its refusal. */
  #unpack(): void {
    if (!this.#lengths) return
    this.#chunks = [...this.chunks]
    this.#lengths = null
  }

  /** Copies small chunks together; `other` is a body that may hold the very same ones, packed already. */
  pack(slabs: Slabs, other: RecordedBody | null = null): void {
    const count = this.#chunks.length
    if (this.#lengths || count === 0 || this.#kept > count * SMALL) return
    this.#lengths = this.#chunks.map(({ length }) => length)
    const isSame = other !== null && this.#isLike(other)
    this.#chunks = isSame ? other.#chunks : [slabs.copy(this.#chunks, this.#kept)]
    const held = isSame ? 0 : this.#kept
    // A chunk may have been a small part of the memory that was counted for it.
    this.#memory.adjust(held - this.held)
    this.held = held
    this.#store = null
  }

  #isLike(other: RecordedBody): boolean {
    const mine = this.#lengths ?? []
    const others = other.#lengths ?? []
    if (mine.length !== others.length || !mine.every((length, at) => length === others[at]))
      return false
    const [whole] = other.#chunks
    let at = 0
    return this.#chunks.every((chunk) => {
      at += chunk.length
      return whole?.compare(chunk, 0, chunk.length, at - chunk.length, at) === 0
    })
  }
}
