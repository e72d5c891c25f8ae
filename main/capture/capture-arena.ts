/** Bytes of a piece of memory; a record that is larger gets one of its own. */
const SEGMENT = 1024 * 1024

interface Segment {
  bytes: Buffer
  used: number
  /** Where each record begins and ends, by its id. */
  places: Map<string, readonly [start: number, end: number]>
}

/**
 * Records one behind the other in a few large pieces of memory, which are used over and over, the oldest first: ten
 * thousand small objects, or bodies left where they were read, would cost the collector more than the calls themselves.
 */
export class CaptureArena {
  /** Oldest first. */
  #segments: Segment[] = []
  /** Bytes of memory, used or not. */
  size = 0

  /** Bytes of its records. */
  get used(): number {
    return this.#segments.reduce((sum, { used }) => sum + used, 0)
  }

  /** Adds a record, and drops the oldest so that at most `limit` bytes are taken; one that is larger isn't kept. */
  add(id: string, pieces: readonly Buffer[], limit: number): void {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    let last = this.#segments.at(-1)
    if (!last || last.used + length > last.bytes.length) {
      const bytes = this.#room(Math.max(SEGMENT, length), limit)
      if (!bytes) return
      last = { bytes, used: 0, places: new Map() }
      this.#segments.push(last)
      this.size += bytes.length
    }
    const start = last.used
    for (const piece of pieces) last.used += piece.copy(last.bytes, last.used)
    last.places.set(id, [start, last.used])
  }

  /** So many bytes of memory, a dropped segment's if it fits; null where the limit is below that. */
  #room(length: number, limit: number): Buffer | null {
    if (length > limit) return null
    let free: Buffer | null = null
    while (this.size + length > limit) free = this.#dropOldest()
    return free?.length === length ? free : Buffer.allocUnsafeSlow(length)
  }

  #dropOldest(): Buffer | null {
    const oldest = this.#segments.shift()
    this.size -= oldest?.bytes.length ?? 0
    return oldest?.bytes ?? null
  }

  /** Drops the oldest records; false where there's none. */
  drop(): boolean {
    return this.#dropOldest() !== null
  }

  has(id: string): boolean {
    return this.#segments.some(({ places }) => places.has(id))
  }

  /** The record's bytes, which are others' as soon as something is added. */
  find(id: string): Buffer | null {
    for (const { bytes, places } of this.#segments) {
      const place = places.get(id)
      if (place) return bytes.subarray(...place)
    }
    return null
  }

  /** Newest first. */
  ids(): string[] {
    return this.#segments.flatMap(({ places }) => [...places.keys()]).reverse()
  }

  clear(): void {
    this.#segments = []
    this.size = 0
  }
}
