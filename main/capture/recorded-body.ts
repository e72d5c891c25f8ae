import type { CapturedBody, JoinedChunks } from './capture.ts'

/** The call that a body belongs to. */
export interface BodyOwner {
  /** `performance.now()` of the call's arrival. */
  readonly since: number
  /** Bytes kept of one body. */
  readonly largestBody: number
  /** May so many bytes more be kept? Older captures make room for them. */
  take(bytes: number): boolean
}

/**
 * Milliseconds since the call's arrival, to the microsecond: the digits behind it say nothing, and are most of what
 * there would be to write.
 */
export const elapsed = ({ since }: Pick<BodyOwner, 'since'>): number =>
  Math.round((performance.now() - since) * 1000) / 1000

/** Pieces below this, in bytes, are copied behind one another. */
const SMALL = 1024
/** Bytes of the memory that they are copied to; the next is twice as large, up to the largest. */
const FIRST_SLAB = 2048
const LARGEST_SLAB = 8 * 1024

/**
 * Lists begin as these and become a list of one: most bodies have one chunk, and the first `push` to an empty list
 * takes room for seventeen.
 */
const NO_CHUNKS: Buffer[] = []
const NO_NUMBERS: number[] = []

/**
 * A body while it crosses a border. Its chunks are kept by reference: they're there anyway, and nobody writes into
 * them. Small ones of a stream are copied: each would cost the collector more alive than its bytes do. Past the cap,
 * or when there's no memory left, only the size is counted.
 */
export class RecordedBody implements CapturedBody {
  readonly #owner: BodyOwner
  /** Chunks, and filled slabs, each of which holds several. */
  #stores: Buffer[] = NO_CHUNKS
  /** Bytes of each chunk. */
  #lengths: number[] = NO_NUMBERS
  /** The slab that is being filled: the last of the stores. */
  #slab: Buffer | null = null
  #filled = 0
  #isFull = false
  #kept = 0
  /** The last chunk that came. */
  #last: Buffer | null = null
  /** The last kept chunk's memory: neighbours often share it, and are then counted once. */
  #memoryOfLast: ArrayBufferLike | null = null
  /** Another border's body that began with the very same chunks, which are kept there alone. */
  #same: RecordedBody | null = null
  #sameChunks = 0
  times: number[] = NO_NUMBERS
  size = 0

  constructor(owner: BodyOwner) {
    this.#owner = owner
  }

  /** The kept bytes as they came. */
  get chunks(): Buffer[] {
    if (this.#same) return this.#same.chunks.slice(0, this.#sameChunks)
    let place = 0
    let at = 0
    return this.#lengths.map((length) => {
      if (at + length > (this.#stores[place] as Buffer).length) {
        place += 1
        at = 0
      }
      at += length
      return (this.#stores[place] as Buffer).subarray(at - length, at)
    })
  }

  get joined(): JoinedChunks | undefined {
    if (!this.#same) return { pieces: this.#pieces(), lengths: this.#lengths }
    return this.#sameChunks === this.#same.#lengths.length ? this.#same.joined : undefined
  }

  #pieces(): readonly Buffer[] {
    return this.#slab
      ? [...this.#stores.slice(0, -1), this.#slab.subarray(0, this.#filled)]
      : this.#stores
  }

  /** Does it begin in this chunk's memory? */
  beginsIn(chunk: Buffer): boolean {
    return this.#stores[0]?.buffer === chunk.buffer
  }

  /** A chunk that crosses the border now. `before`: the body of the border that most such chunks crossed before. */
  push(chunk: Buffer, before?: RecordedBody): void {
    if (chunk.length === 0) return
    this.#last = chunk
    const isKept = this.#isSame(chunk, before)
      ? this.#keepSame(chunk, before)
      : this.#keepOwn(chunk, before)
    if (!isKept) return
    const at = elapsed(this.#owner)
    if (this.times === NO_NUMBERS) this.times = [at]
    else this.times.push(at)
  }

  #isSame(chunk: Buffer, before: RecordedBody | undefined): before is RecordedBody {
    if (this.#lengths.length > 0 || this.#isFull) return false
    if (!before || before.#last !== chunk) return false
    const isNext = before.#lengths.length === this.#sameChunks + 1
    return isNext && !before.#isFull && (this.#same ?? before) === before
  }

  #keepSame(chunk: Buffer, before: RecordedBody): boolean {
    this.#same = before
    this.#sameChunks++
    this.size += chunk.length
    return true
  }

  #keepOwn(chunk: Buffer, before: RecordedBody | undefined): boolean {
    this.#leaveSame()
    const isCopied = chunk.length < SMALL && this.#lengths.length > 0
    return isCopied
      ? this.#copy(chunk)
      : this.#keep(chunk, before !== undefined && before.#memoryOfLast === chunk.buffer)
  }

  /** The bodies differ from here on: the bytes so far stay where they are. */
  #leaveSame(): void {
    if (!this.#same) return
    const chunks = this.chunks
    this.#stores = chunks
    this.#lengths = chunks.map(({ length }) => length)
    this.#kept = this.#lengths.reduce((sum, length) => sum + length, 0)
    this.#same = null
  }

  /** A body that is there as a whole. */
  add(pieces: Buffer | readonly Buffer[], isShared = false): void {
    if (Buffer.isBuffer(pieces)) this.#keep(pieces, isShared)
    else for (const piece of pieces) this.#keep(piece, isShared)
  }

  #keep(chunk: Buffer, isShared: boolean): boolean {
    const isCounted = isShared || chunk.buffer === this.#memoryOfLast
    const length = this.#roomFor(chunk, isCounted ? 0 : chunk.buffer.byteLength)
    if (length === 0) return false
    this.#memoryOfLast = chunk.buffer
    this.#closeSlab()
    const kept = length < chunk.length ? chunk.subarray(0, length) : chunk
    if (this.#lengths === NO_NUMBERS) {
      this.#stores = [kept]
      this.#lengths = [length]
    } else {
      this.#stores.push(kept)
      this.#lengths.push(length)
    }
    return true
  }

  #copy(chunk: Buffer): boolean {
    const isFilled = this.#filled + chunk.length > (this.#slab?.length ?? 0)
    const slabSize = Math.min(LARGEST_SLAB, (this.#slab?.length ?? FIRST_SLAB / 2) * 2)
    const length = this.#roomFor(chunk, isFilled ? slabSize : 0)
    if (length === 0) return false
    if (isFilled) {
      this.#closeSlab()
      this.#slab = Buffer.allocUnsafeSlow(slabSize)
      this.#stores.push(this.#slab)
    }
    this.#slab?.set(length < chunk.length ? chunk.subarray(0, length) : chunk, this.#filled)
    this.#filled += length
    this.#lengths.push(length)
    return true
  }

  /** Cuts the slab to its bytes, so that what comes next is not looked for in it. */
  #closeSlab(): void {
    if (this.#slab) this.#stores[this.#stores.length - 1] = this.#slab.subarray(0, this.#filled)
    this.#slab = null
    this.#filled = 0
  }

  /** Bytes of the chunk that may be kept, for so many bytes of memory. */
  #roomFor(chunk: Buffer, cost: number): number {
    const { length } = chunk
    this.size += length
    if (this.#isFull || length === 0) return 0
    const left = this.#owner.largestBody - this.#kept
    if (left <= 0 || (cost > 0 && !this.#owner.take(cost))) {
      this.#isFull = true
      return 0
    }
    const kept = Math.min(length, left)
    this.#kept += kept
    return kept
  }
}
