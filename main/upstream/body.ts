import { GatewayError } from '../base/errors.ts'
import { type Ticking, ticker } from '../base/ticker.ts'

export interface BodyReader {
  onChunk(chunk: Buffer): void
  onEnd(): void
  onError(error: GatewayError): void
}

/** The far end of a body: a connection, or a source within this process. */
export interface BodySource {
  pause(): void
  resume(): void
  abort(reason: Error): void
}

/** Sees a body's bytes as they come from the upstream. */
export interface BodyWatcher {
  onChunk(chunk: Buffer): void
  /** The last it hears; `isCut`: the body broke off, or its reader had enough. */
  onEnd(isCut: boolean): void
}

/** Behind an answer that is complete, so many bytes and milliseconds are waited for until the body ends. */
const REST_BYTES = 64 * 1024
const REST_TIME = 2_000

/** An upstream's answer body: pushed to one reader, with backpressure, held until there is one. */
export class UpstreamBody {
  readonly #source: BodySource
  #reader: BodyReader | null = null
  readonly #watcher: BodyWatcher | null
  #held: Buffer[] = []
  #isPaused = false
  #ending: GatewayError | 'end' | null = null
  #isDone = false
  /** The stream's first event is still to come: the limit for the first byte goes on. Set by who reads. */
  isAwaited = false
  /** Paused briefly so that other calls get their turn; not a slow client. */
  isOwnRest = false
  /** `performance.now()` at which the body is given up though its upstream may yet send. */
  giveUpAt = Infinity

  /** The reader asked for a pause: silence is then not the upstream's. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  constructor(source: BodySource, watcher: BodyWatcher | null = null) {
    this.#source = source
    this.#watcher = watcher
  }

  /** Called by the connection with each piece. */
  take(chunk: Buffer): void {
    if (this.#isDone) return
    this.#watcher?.onChunk(chunk)
    if (this.#reader && !this.#isPaused) this.#reader.onChunk(chunk)
    else {
      this.#held.push(chunk)
      // No reader for long, or a slow one: what has come is kept, the rest waits in the socket.
      this.#source.pause()
    }
  }

  /** Called by the connection when the body is over, well or badly. */
  finish(ending: GatewayError | 'end'): void {
    if (this.#ending === null) {
      this.#ending = ending
      this.#watcher?.onEnd(ending !== 'end')
    }
    this.#drain()
  }

  read(reader: BodyReader): void {
    this.#reader = reader
    this.#isPaused = false
    this.#drain()
    if (!this.#isDone) this.#source.resume()
  }

  /** Takes the reader off again; what comes is held for the next one. */
  unread(): void {
    this.#reader = null
  }

  /** Bytes that came and were not read yet. */
  get held(): readonly Buffer[] {
    return this.#held
  }

  /** Puts bytes back in front of what is still to come. */
  unshift(chunks: readonly Buffer[]): void {
    this.#held.unshift(...chunks)
  }

  pause(): void {
    this.#isPaused = true
    this.#source.pause()
  }

  resume(): void {
    if (!this.#isPaused || this.#isDone) return
    this.#isPaused = false
    this.#drain()
    if (!this.#isPaused && !this.#isDone) this.#source.resume()
  }

  /** All that matters has come: the body has to end soon. */
  expectEnd(): void {
    this.giveUpAt = performance.now() + REST_TIME
  }

  /** Reads the rest off, so that the connection can serve another call; where there is much, it is closed. */
  discardRest(): void {
    let left = REST_BYTES
    this.expectEnd()
    this.read({
      onChunk: (chunk) => {
        left -= chunk.length
        if (left < 0) this.abort()
      },
      onEnd() {},
      onError() {},
    })
  }

  /** Ends the call at the upstream; the reader hears nothing more. */
  abort(): void {
    this.#held = []
    if (this.#isDone) return
    this.#isDone = true
    if (this.#ending === null) this.#watcher?.onEnd(true)
    this.#source.abort(new GatewayError('client_gone', { message: 'The call was cancelled.' }))
  }

  #drain(): void {
    while (this.#reader && !this.#isPaused && !this.#isDone && this.#held.length > 0) {
      this.#reader.onChunk(this.#held.shift() as Buffer)
    }
    if (!this.#reader || this.#isPaused || this.#isDone) return
    if (this.#held.length > 0 || this.#ending === null) return
    this.#isDone = true
    if (this.#ending === 'end') this.#reader.onEnd()
    else this.#reader.onError(this.#ending)
  }
}

/** A body that is there already. */
export function bodyOf(bytes: Buffer): UpstreamBody {
  const body = new UpstreamBody({ pause() {}, resume() {}, abort() {} })
  body.take(bytes)
  body.finish('end')
  return body
}

/** The whole body; cut off, and rejected with it, as soon as `refuse` has something against a piece. */
export function gather(
  body: UpstreamBody,
  refuse: (chunk: Buffer) => Error | null,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    body.read({
      onChunk(chunk) {
        const refusal = refuse(chunk)
        if (refusal === null) {
          chunks.push(chunk)
          return
        }
        body.abort()
        chunks.length = 0
        reject(refusal)
      },
      onEnd: () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
      onError: reject,
    })
  })
}

const tooLong = (limit: number): GatewayError =>
  new GatewayError('upstream_invalid', {
    message: `The upstream's answer is longer than ${Math.floor(limit / 1024 / 1024)} MiB.`,
    reason: { code: 'upstream_answer_long', mebibytes: Math.floor(limit / 1024 / 1024) },
  })

/** The whole body, each piece shown to `watch` as it comes; `upstream_invalid` when it is longer than `limit` bytes. */
export function readAll(
  body: UpstreamBody,
  limit: number,
  watch: { push(chunk: Buffer): void } | null = null,
): Promise<Buffer> {
  let size = 0
  return gather(body, (chunk) => {
    size += chunk.length
    if (size > limit) return tooLong(limit)
    watch?.push(chunk)
    return null
  })
}

/** Milliseconds for what a refusal says; its status is there already. */
const BEGINNING_TIME = 10_000

/**
 * The body's first bytes, `limit` of them at most, and no more than come within 10 seconds; what follows is not
 * read. Also of a body that breaks off, since its beginning says what there is to say.
 */
export function readBeginning(body: UpstreamBody, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const until = performance.now() + BEGINNING_TIME
    const finish = () => {
      ticker.remove(waiting)
      resolve(Buffer.concat(chunks).subarray(0, limit))
    }
    const cut = () => {
      body.abort()
      finish()
    }
    const waiting: Ticking = { slot: -1, tick: (now) => now >= until && cut() }
    ticker.add(waiting)
    body.read({
      onChunk(chunk) {
        chunks.push(chunk)
        size += chunk.length
        if (size >= limit) cut()
      },
      onEnd: finish,
      onError(error) {
        if (error.code !== 'client_gone') return finish()
        ticker.remove(waiting)
        reject(error)
      },
    })
  })
}
