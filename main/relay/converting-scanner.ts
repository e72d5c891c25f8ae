import { GatewayError } from '../base/errors.ts'
import { estimateTokens } from '../base/estimate-tokens.ts'
import type { StreamDecoder, StreamEncoder } from '../convert/conversion.ts'
import type { Usage } from '../convert/exchange.ts'
import type { StreamPart } from '../convert/stream-part.ts'
import type { StreamScanner, VendorError } from '../convert/stream-scanner.ts'
import { EventStream } from '../upstream/event-stream.ts'

/** The two ends of a stream that changes its wire format, and what happens to its parts between them. */
export interface StreamConversion {
  decoder: StreamDecoder
  /** What the client is to see of a part. */
  restore(part: StreamPart): StreamPart[]
  encoder: StreamEncoder
  /** Told of each part as the client sees it. */
  onPart(part: StreamPart): void
}

const NOTHING = Buffer.alloc(0)
/** Characters of the output that are kept to estimate the tokens of a stream that was cut. */
const SAMPLE = 8 * 1024

/**
 * An upstream's stream in one wire format, given out in another. To the relay it looks like a stream that
 * passes through: what it gives out always ends between two events.
 */
export class ConvertingScanner implements StreamScanner {
  readonly #events = new EventStream()
  readonly #conversion: StreamConversion
  #usage: Usage | null = null
  #sample = ''
  #length = 0
  #isEnded = false
  #hasBegun = false
  #error: VendorError | null = null

  readonly isAtBoundary = true

  constructor(conversion: StreamConversion) {
    this.#conversion = conversion
  }

  get isTerminated(): boolean {
    return this.#isEnded
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  get error(): VendorError | null {
    return this.#error
  }

  isWhole(): boolean {
    return this.#isEnded
  }

  usage(): Usage | null {
    return this.#usage
  }

  estimateOutput(): number {
    if (this.#sample === '') return 0
    return Math.ceil(estimateTokens(this.#sample) * (this.#length / this.#sample.length))
  }

  push(chunk: Buffer): Buffer {
    let text = ''
    for (const event of this.#events.push(chunk)) text += this.#take(event)
    return text === '' ? NOTHING : Buffer.from(text)
  }

  flush(): Buffer {
    let text = ''
    for (const event of this.#events.end()) text += this.#take(event)
    if (!this.#isOver) text += this.#pass(this.#conversion.decoder.end())
    return text === '' ? NOTHING : Buffer.from(text)
  }

  /** The client's error event, as the stream's last thing. */
  encodeError(error: GatewayError): string {
    const { message, status, vendorCode } = error
    const code = vendorCode ?? error.code
    return this.#conversion.encoder.push({ type: 'error', message, status, code })
  }

  get #isOver(): boolean {
    return this.#isEnded || this.#error !== null
  }

  #take(event: { event: string | null; data: string }): string {
    if (this.#isOver) return ''
    try {
      return this.#pass(this.#conversion.decoder.push(event))
    } catch (error) {
      if (error instanceof GatewayError) throw error
      throw new GatewayError('upstream_invalid', {
        message: `The upstream sent an event that cannot be read: ${(error as Error).message}`,
        cause: error,
      })
    }
  }

  #pass(parts: readonly StreamPart[]): string {
    let text = ''
    for (const given of parts) {
      for (const part of this.#conversion.restore(given)) text += this.#give(part)
    }
    return text
  }

  #give(part: StreamPart): string {
    this.#hasBegun = true
    if (part.type === 'usage') this.#usage = part.usage
    else if (part.type === 'error') {
      this.#error = { message: part.message, status: part.status, code: part.code }
    } else if ('text' in part) {
      this.#length += part.text.length
      if (this.#sample.length < SAMPLE) this.#sample += part.text.slice(0, SAMPLE)
    }
    this.#conversion.onPart(part)
    const text = this.#conversion.encoder.push(part)
    if (part.type === 'response-end') this.#isEnded = true
    return text
  }
}
