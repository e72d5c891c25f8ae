import { GatewayError } from '../../base/errors.ts'
import { estimateTokens } from '../../base/estimate-tokens.ts'
import type { StreamDecoder, StreamEncoder } from '../../convert/conversion.ts'
import { countsNothing } from '../../convert/estimate/counts-nothing.ts'
import type { StreamScanner, VendorError } from '../../convert/events/stream-scanner.ts'
import type { Usage } from '../../convert/exchange.ts'
import { cutPart, isLongDelta } from '../../convert/stream/cut-part.ts'
import type { StreamPart } from '../../convert/stream/stream-part.ts'
import { EventStream, type ServerSentEvent } from '../../upstream/event-stream.ts'
import { unreadable } from '../failure/unreadable.ts'

/** The two ends of a stream that changes its wire format, and what happens to its parts between them. */
export interface StreamConversion {
  decoder: StreamDecoder
  /** A part as the client sees it. */
  restore(part: StreamPart): StreamPart[]
  encoder: StreamEncoder
  /** Input tokens, counted by the gateway: asked for where the vendor tells no usage. */
  estimateInput(): number
  /** Called with each part as the client sees it. */
  onPart(part: StreamPart): void
}

const NOTHING = Buffer.alloc(0)
/** Characters of the output that are kept to estimate the tokens of a stream that was cut. */
const SAMPLE = 8 * 1024
/** Parts that wait which are given out at once. */
const PIECES = 4
/** Characters of an event that is read in a turn of its own: to put together and to parse 20 MiB takes 25 ms each. */
const LONG_EVENT = 1024 * 1024

/**
 * An upstream's stream in one wire format, given out in another. To the relay it looks like a stream that
 * passes through: what it gives out always ends between two events.
 */
export class ConvertingScanner implements StreamScanner {
  readonly #events = new EventStream()
  readonly #conversion: StreamConversion
  #usage: Usage | null = null
  /** The vendor's own zeros, which hold where the answer turns out to have no words. */
  #zeros: Usage | null = null
  isEstimated = false
  #sample = ''
  #length = 0
  #isEnded = false
  #hasBegun = false
  #error: VendorError | null = null
  /** Converted, and not given out yet. */
  #text = ''
  /** Decoded of the first event, and not converted yet. */
  #first: readonly StreamPart[] = []
  /** Events that are still to be read: a long one, and what came behind it. */
  #unread: ServerSentEvent[] = []
  /** Parts that are still to be converted: behind a long one, which is given out in pieces. */
  #waiting: StreamPart[] = []

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

  get hasContent(): boolean {
    return this.#length > 0
  }

  get error(): VendorError | null {
    return this.#error
  }

  isWhole(): boolean {
    return this.#isEnded
  }

  usage(): Usage | null {
    return this.#usage ?? (this.hasContent ? null : this.#zeros)
  }

  estimateOutput(): number {
    if (this.#sample === '') return 0
    return Math.ceil(estimateTokens(this.#sample) * (this.#length / this.#sample.length))
  }

  get isBehind(): boolean {
    return this.#waiting.length > 0 || this.#unread.length > 0 || this.#first.length > 0
  }

  /**
   * Reads as far as the first part, which goes out with the next `push`; null where there is none yet, `unread` for a
   * long event, which is none but an answer's. `chunk` null: the body has ended.
   */
  begin(chunk: Buffer | null): StreamPart | 'unread' | null {
    const events = chunk ? this.#events.push(chunk) : this.#events.end()
    for (const [index, event] of events.entries()) {
      const isLong = event.data.length >= LONG_EVENT
      if (!isLong) this.#first = this.#decode(event)
      const [first] = this.#first
      if (!isLong && !first) continue
      this.#unread = events.slice(isLong ? index : index + 1)
      return first ?? 'unread'
    }
    return null
  }

  push(chunk: Buffer): Buffer {
    const most = this.#waiting.length > 0 ? PIECES : 0
    const held = this.#unread
    this.#unread = []
    this.#passFirst()
    for (const [index, event] of held.entries()) this.#takeOrHold(event, index > 0)
    for (const event of this.#events.push(chunk)) this.#takeOrHold(event, true)
    this.#giveWaiting(most)
    return this.#out()
  }

  /** If the stream was cut, the remainder goes out together with the error. */
  flush(): Buffer {
    this.#passFirst()
    for (const event of this.#unread.splice(0)) this.#take(event)
    for (const event of this.#events.end()) this.#takeLast(event)
    this.#giveWaiting()
    if (!this.isOver) this.#pass(this.#conversion.decoder.end())
    this.#giveWaiting()
    return this.isOver ? this.#out() : NOTHING
  }

  /** The client's error event, as the stream's last thing, behind what was converted before it. */
  encodeError(error: GatewayError): string {
    const { message, status, vendorCode, field } = error
    const code = vendorCode ?? error.code
    this.#giveWaiting()
    const param = field === undefined ? {} : { param: field }
    const event = this.#conversion.encoder.push({ type: 'error', message, status, code, ...param })
    return this.#out().toString() + event
  }

  get isOver(): boolean {
    return this.#isEnded || this.#error !== null
  }

  #out(): Buffer {
    const text = this.#text
    this.#text = ''
    return text === '' ? NOTHING : Buffer.from(text)
  }

  /** `mayHold`: it is not its turn yet, where it is a long one. */
  #takeOrHold(event: ServerSentEvent, mayHold: boolean): void {
    const waits = this.#unread.length > 0 || (mayHold && event.data.length >= LONG_EVENT)
    if (waits) this.#unread.push(event)
    else this.#take(event)
  }

  #passFirst(): void {
    const first = this.#first
    this.#first = []
    if (first.length > 0) this.#passReadable(first)
  }

  #take(event: ServerSentEvent): void {
    if (!this.isOver) this.#passReadable(this.#decode(event))
  }

  #decode(event: ServerSentEvent): readonly StreamPart[] {
    try {
      return this.#conversion.decoder.push(event)
    } catch (error) {
      throw unreadable(error)
    }
  }

  #passReadable(parts: readonly StreamPart[]): void {
    try {
      this.#pass(parts)
    } catch (error) {
      throw unreadable(error)
    }
  }

  /** The event that the body ended in may be half of one: then the stream was cut, and says no more. */
  #takeLast(event: ServerSentEvent): void {
    try {
      this.#take(event)
    } catch (error) {
      if (!(error instanceof GatewayError && error.cause instanceof SyntaxError)) throw error
    }
  }

  #pass(parts: readonly StreamPart[]): void {
    for (const decoded of parts) {
      for (const part of this.#conversion.restore(decoded)) this.#giveOrHold(part)
    }
  }

  #giveOrHold(part: StreamPart): void {
    if (isLongDelta(part)) this.#waiting.push(...cutPart(part))
    else if (this.#waiting.length > 0) this.#waiting.push(part)
    else this.#give(part)
  }

  /** Some of what waits, or all of it. */
  #giveWaiting(most = Infinity): void {
    if (this.#waiting.length === 0 || most === 0) return
    try {
      for (const part of this.#waiting.splice(0, most)) this.#give(part)
    } catch (error) {
      throw unreadable(error)
    }
  }

  /** A client gets the usage that is booked, also where the vendor told none. */
  #missingUsage(): Usage {
    if (this.#zeros && !this.hasContent) return this.#zeros
    this.isEstimated = true
    const input = this.#conversion.estimateInput()
    return { input, cachedInput: 0, cacheWrite: 0, output: this.estimateOutput(), reasoning: 0 }
  }

  #give(part: StreamPart): void {
    if (part.type === 'usage' && countsNothing(part.usage)) {
      this.#zeros = part.usage
      return
    }
    if (part.type === 'response-end' && this.#usage === null) {
      this.#tell({ type: 'usage', usage: this.#missingUsage() })
    }
    this.#tell(part)
  }

  #tell(part: StreamPart): void {
    this.#hasBegun = true
    if (part.type === 'usage') this.#usage = part.usage
    else if (part.type === 'error') {
      const { type: _, ...error } = part
      this.#error = error
    } else if ('text' in part) {
      this.#length += part.text.length
      if (this.#sample.length < SAMPLE) this.#sample += part.text.slice(0, SAMPLE)
    }
    this.#conversion.onPart(part)
    this.#text += this.#conversion.encoder.push(part)
    if (part.type === 'response-end') this.#isEnded = true
  }
}
