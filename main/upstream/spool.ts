import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '../base/errors.ts'

/** All is kept in blocks of this many bytes, in memory and in the file. */
const BLOCK = 64 * 1024
/** So many blocks stay in memory: 4 MiB. */
const IN_MEMORY = 64
/** So many full blocks may wait for the disk before who writes is asked to wait: 1 MiB. */
const WAITING = 16

interface SpoolFile {
  handle: FileHandle
  /** Where it still stands in its folder; null where it could be taken out of it at once. */
  path: string | null
}

function notKept(cause: unknown): GatewayError {
  const { code } = cause as NodeJS.ErrnoException
  return new GatewayError('storage_failed', {
    message: `The upload could not be kept in a temporary file${code ? ` (${code})` : ''}. See that the disk has room, then send it again.`,
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

/**
 * Bytes that one side writes while others read them, each from the place it likes and as often as it
 * likes. The first 4 MiB stay in memory, the rest is in a temporary file of mode 0600.
 */
export class Spool {
  readonly #folder: string
  /** By number; null when the block is in the file alone. The last one is being filled. */
  #blocks: (Buffer | null)[] = []
  #size = 0
  #saved = IN_MEMORY
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

  /** Adds bytes, which are copied. Where a promise comes back, the next ones are to wait for it. */
  append(chunk: Buffer): Promise<void> | undefined {
    if (this.#ending) return undefined
    for (let taken = 0; taken < chunk.length; ) {
      const place = this.#size % BLOCK
      if (place === 0) this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK))
      const block = this.#blocks.at(-1) as Buffer
      const copied = chunk.copy(block, place, taken)
      taken += copied
      this.#size += copied
    }
    this.#wake()
    if (this.#unsaved() > 0) this.#saving ??= this.#save()
    return this.#unsaved() > WAITING ? this.#untilSaved() : undefined
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

  /** All bytes from the first one on, also those that are still to come. Throws what `fail` was given. */
  async *read(): AsyncGenerator<Buffer, void, undefined> {
    for (let at = 0; ; ) {
      if (this.#ending instanceof GatewayError) throw this.#ending
      if (at < this.#size) {
        const piece = await this.#piece(at)
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
    this.#blocks = []
    const file = this.#file
    this.#file = null
    await file?.handle.close()
    if (file?.path) await rm(file.path, { force: true })
  }

  /** What is kept from there on, to the end of its block at most. */
  async #piece(at: number): Promise<Buffer> {
    const number = Math.floor(at / BLOCK)
    const end = Math.min(this.#size, (number + 1) * BLOCK)
    const block = this.#blocks[number]
    if (block) return block.subarray(at % BLOCK, (at % BLOCK) + end - at)
    const buffer = Buffer.allocUnsafeSlow(end - at)
    try {
      const { bytesRead } = (await this.#file?.handle.read(
        buffer,
        0,
        buffer.length,
        at - IN_MEMORY * BLOCK,
      )) ?? { bytesRead: 0 }
      if (bytesRead > 0) return buffer.subarray(0, bytesRead)
    } catch (cause) {
      this.fail(notKept(cause))
    }
    // Closed meanwhile, or cut from outside.
    throw this.#ending instanceof GatewayError ? this.#ending : notKept(new Error('too short'))
  }

  /** Full blocks beyond those that stay in memory. */
  #unsaved(): number {
    return Math.floor(this.#size / BLOCK) - this.#saved
  }

  async #save(): Promise<void> {
    try {
      this.#file ??= await openNameless(this.#folder)
      while (this.#unsaved() > 0 && !this.#isClosed) {
        const from = this.#saved
        const blocks = this.#blocks.slice(from, from + this.#unsaved()) as Buffer[]
        for (let written = 0; written < blocks.length * BLOCK; ) {
          const rest = blocks.slice(Math.floor(written / BLOCK))
          rest[0] = (rest[0] as Buffer).subarray(written % BLOCK)
          const place = (from - IN_MEMORY) * BLOCK + written
          written += (await this.#file.handle.writev(rest, place)).bytesWritten
        }
        this.#blocks.fill(null, from, from + blocks.length)
        this.#saved += blocks.length
      }
    } catch (cause) {
      this.fail(notKept(cause))
    } finally {
      this.#saving = null
      this.#wake()
    }
  }

  async #untilSaved(): Promise<void> {
    while (this.#unsaved() > WAITING && !this.#ending) await this.#change()
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
