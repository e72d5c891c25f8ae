import { GatewayError } from '../base/errors.ts'

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

/** An upstream's answer body: pushed to one reader, with backpressure, held until there is one. */
export class UpstreamBody {
  readonly #source: BodySource
  #reader: BodyReader | null = null
  #held: Buffer[] = []
  #isPaused = false
  #ending: GatewayError | 'end' | null = null
  #isDone = false

  /** The reader asked for a pause: silence is then not the upstream's. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  constructor(source: BodySource) {
    this.#source = source
  }

  /** Called by the connection with each piece. */
  take(chunk: Buffer): void {
    if (this.#isDone) return
    if (this.#reader && !this.#isPaused) this.#reader.onChunk(chunk)
    else {
      this.#held.push(chunk)
      // No reader for long, or a slow one: what has come is kept, the rest waits in the socket.
      this.#source.pause()
    }
  }

  /** Called by the connection when the body is over, well or badly. */
  finish(ending: GatewayError | 'end'): void {
    if (this.#ending === null) this.#ending = ending
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

  /** Ends the call at the upstream; the reader hears nothing more. */
  abort(): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#held = []
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

/** The whole body; `upstream_invalid` when it is longer than `limit` bytes. */
export function readAll(body: UpstreamBody, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    body.read({
      onChunk(chunk) {
        size += chunk.length
        if (size > limit) {
          body.abort()
          reject(
            new GatewayError('upstream_invalid', {
              message: `The upstream's answer is longer than ${Math.floor(limit / 1024 / 1024)} MiB.`,
            }),
          )
        } else chunks.push(chunk)
      },
      onEnd: () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
      onError: reject,
    })
  })
}
