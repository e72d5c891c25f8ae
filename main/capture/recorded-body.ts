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

/**
 * A body while it crosses a border. Its chunks are kept by reference: they're there anyway, and nobody writes into
 * them. Past the cap, or when there's no memory left, only the size is counted.
 */
export class RecordedBody implements CapturedBody {
  readonly #memory: CaptureMemory
  readonly #since: number
  readonly chunks: Buffer[] = []
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
    this.held += cost
    this.#store = chunk.buffer
    this.#kept += Math.min(length, left)
    this.chunks.push(length > left ? chunk.subarray(0, left) : chunk)
    return true
  }
}
