import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '../../base/errors.ts'

/**
 * So many bytes stay in memory. They outlive a young generation's collections, so that those of calls that
 * are over stay for long: few of them, and the file's pages are in memory anyway.
 */
const IN_MEMORY = 256 * 1024
/** Beyond that, bytes wait until there are so many for the disk. */
const TO_SAVE = 256 * 1024
/** When so many wait for the disk, who writes is asked to wait too. */
const WAITING = 1024 * 1024
/** A piece for a reader, and a block that small pieces are gathered in. */
const BLOCK = 64 * 1024

/**
 * So many buffers take turns when one reader reads the file: new ones would be garbage as large as the file,
 * which is collected only when there is much of it.
 */
const TURNS = 16

/** Bytes that are in memory. */
interface Segment {
  /** Where its first byte stands among all. */
  start: number
  /** May be longer than what has been filled. */
  bytes: Buffer
  length: number
}

interface SpoolFile {
  handle: FileHandle
  /** Where it still stands in its folder; null where it could be taken out of it at once. */
  path: string | null
}

function notKept(cause: unknown): GatewayError {
  const { code } = cause as NodeJS.ErrnoException
  return new GatewayError('storage_failed', {
    message: `The upload could not be kept in a temporary file${code ? ` (${code})` : ''}. Free some disk space, then send it again.`,
    reason: { code: 'upload_unkept', system: code ?? '–' },
    cause,
  })
}

/** A file that nobody else reads, and that is gone with its last handle, so that a crash leaves none. */
async function openNameless(folder: string): Promise<SpoolFile> {
  const path = join(folder, `switchyard-upload-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  // Windows may keep the name of an open file: it is then removed when the file is closed.
  const isGone = await unlink(path).then(
    () => true,
    () => false,
  )
  return { handle, path: isGone ? null : path }
}

/** The pieces without their first bytes. */
function withoutFirst(pieces: readonly Buffer[], bytes: number): Buffer[] {
  let left = bytes
  return pieces.flatMap((piece) => {
    const cut = Math.min(left, piece.length)
    left -= cut
    return cut === piece.length ? [] : [piece.subarray(cut)]
  })
}

/** The segment that contains the byte `at`; segments are in order. */
function segmentAt(segments: readonly Segment[], at: number): Segment | undefined {
  let low = 0
  let high = segments.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((segments[middle] as Segment).start <= at) low = middle
    else high = middle - 1
  }
  return segments[low]
}

/** Not worth a copy: as a socket gives them, filling most of the memory that it keeps. */
const isLarge = ({ length, buffer }: Buffer) =>
  length >= BLOCK / 4 && length <= 2 * BLOCK && buffer.byteLength <= 2 * length

/**
 * Bytes that one side writes while others read them, each at its own pace and as often as it likes. The
 * first 256 KiB stay in memory, the rest is in a temporary file of mode 0600.
 */
export class Spool {
  readonly #folder: string
  /** Pieces kept in memory. */
  #kept: Segment[] = []
  /** Pieces on their way to the disk. */
  #unsaved: Segment[] = []
  /** The last segment, where there is still room in it. */
  #open: Segment | null = null
  #size = 0
  /** Where the file's bytes begin and end among all. */
  #fileStart = Number.POSITIVE_INFINITY
  #fileEnd = Number.POSITIVE_INFINITY
  #saving: Promise<void> | null = null
  #file: SpoolFile | null = null
  #ending: GatewayError | 'end' | null = null
  #isClosed = false
  #waiting: (() => void)[] = []

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size
  }

  /** Adds bytes, which must not change any more. Where a promise comes back, the next are to wait for it. */
  append(chunk: Buffer): Promise<void> | undefined {
    if (this.#ending) return undefined
    if (isLarge(chunk)) {
      this.#open = null
      this.#add({ start: this.#size, bytes: chunk, length: chunk.length })
      this.#size += chunk.length
    } else this.#gather(chunk)
    this.#wake()
    if (this.#isSlow(TO_SAVE)) this.#saving ??= this.#save()
    return this.#isSlow(WAITING) ? this.#untilSaved() : undefined
  }

  /** Nothing more comes. */
  end(): void {
    this.#ending ??= 'end'
    this.#wake()
  }

  /** Nothing more comes, for a reason that all who read are told at once. The first reason stays. */
  fail(error: GatewayError): void {
    if (this.#ending === null || this.#ending === 'end') this.#ending = error
    this.#wake()
  }

  /**
   * All bytes from the first one on, also those that are still to come. Throws what `fail` was given. A piece
   * stays as it is until 15 more have been asked for; a reader that keeps it longer copies it.
   */
  async *read(): AsyncGenerator<Buffer, void, undefined> {
    const buffers: Buffer[] = []
    for (let at = 0; ; ) {
      if (this.#ending instanceof GatewayError) throw this.#ending
      if (at < this.#size) {
        const piece = this.#inMemory(at) ?? (await this.#fromFile(at, buffers))
        at += piece.length
        yield piece
      } else if (this.#ending === 'end') return
      else await this.#change()
    }
  }

  /** Ends all reading and lets go of what was kept. Safe to call twice. */
  async close(): Promise<void> {
    this.fail(new GatewayError('client_gone', { message: 'The upload was given up.' }))
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#saving
    this.#kept = []
    this.#unsaved = []
    this.#open = null
    const file = this.#file
    this.#file = null
    await file?.handle.close()
    if (file?.path) await rm(file.path, { force: true })
  }

  /** Small pieces are copied together: each alone would keep the whole buffer that it is a part of. */
  #gather(chunk: Buffer): void {
    for (let taken = 0; taken < chunk.length; ) {
      let segment = this.#open
      if (!segment || segment.length === BLOCK) {
        segment = { start: this.#size, bytes: Buffer.allocUnsafeSlow(BLOCK), length: 0 }
        this.#open = segment
        this.#add(segment)
      }
      const copied = chunk.copy(segment.bytes, segment.length, taken)
      segment.length += copied
      taken += copied
      this.#size += copied
    }
  }

  #add(segment: Segment): void {
    if (segment.start < IN_MEMORY) {
      this.#kept.push(segment)
      return
    }
    if (this.#fileStart > segment.start) {
      this.#fileStart = segment.start
      this.#fileEnd = segment.start
    }
    this.#unsaved.push(segment)
  }

  /** More than so many bytes wait for the disk. */
  #isSlow(most: number): boolean {
    return this.#size - this.#fileEnd > most
  }

  /** A piece from there on, of bytes that are not in the file. */
  #inMemory(at: number): Buffer | null {
    if (at >= this.#fileStart && at < this.#fileEnd) return null
    const segment = segmentAt(at < this.#fileStart ? this.#kept : this.#unsaved, at)
    if (!segment) return null
    const from = at - segment.start
    return segment.bytes.subarray(from, Math.min(segment.length, from + BLOCK))
  }

  async #fromFile(at: number, buffers: Buffer[]): Promise<Buffer> {
    const isNew = buffers.length < TURNS
    const buffer = (isNew ? undefined : buffers.shift()) ?? Buffer.allocUnsafeSlow(BLOCK)
    buffers.push(buffer)
    const length = Math.min(BLOCK, this.#fileEnd - at)
    try {
      const found = await this.#file?.handle.read(buffer, 0, length, at - this.#fileStart)
      if (found && found.bytesRead > 0) return buffer.subarray(0, found.bytesRead)
    } catch (cause) {
      this.fail(notKept(cause))
    }
    // Closed meanwhile, or cut from outside.
    throw this.#ending instanceof GatewayError ? this.#ending : notKept(new Error('cut'))
  }

  async #save(): Promise<void> {
    try {
      this.#file ??= await openNameless(this.#folder)
      while (this.#isSlow(TO_SAVE) && !this.#isClosed) {
        // Bytes that come during this write go into a segment of their own.
        this.#open = null
        const { length } = this.#unsaved
        let rest = this.#unsaved.map((segment) => segment.bytes.subarray(0, segment.length))
        let end = this.#fileEnd
        while (rest.length > 0) {
          const { bytesWritten } = await this.#file.handle.writev(rest, end - this.#fileStart)
          end += bytesWritten
          rest = withoutFirst(rest, bytesWritten)
        }
        this.#unsaved = this.#unsaved.slice(length)
        this.#fileEnd = end
        this.#wake()
      }
    } catch (cause) {
      this.fail(notKept(cause))
    } finally {
      this.#saving = null
      this.#wake()
    }
  }

  async #untilSaved(): Promise<void> {
    while (this.#isSlow(WAITING) && !this.#ending) await this.#change()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
