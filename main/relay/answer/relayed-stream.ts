import { GatewayError } from '../../base/errors.ts'
import { redactBytes } from '../../base/log/redact.ts'
import { type Ticking, ticker } from '../../base/ticker.ts'
import type { Codec } from '../../convert/codec.ts'
import { upstreamError } from '../../convert/errors/upstream-error.ts'
import type { StreamScanner, VendorError } from '../../convert/events/stream-scanner.ts'
import type { UpstreamBody } from '../../upstream/body.ts'
import type { AnswerSink, AnswerStream } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import { nameChannel } from '../failure/name-channel.ts'
import { hiddenStatus } from '../failure/report-failure.ts'
import { notePartialUsage } from '../usage/partial-usage.ts'
import { noteWholeUsage } from '../usage/whole-usage.ts'
import type { StreamStart } from './first-event.ts'
import { patienceOf, type StreamServices } from './label-answer.ts'
import { afterOpenEvent, streamErrorEvent } from './stream-error-event.ts'

/** Bytes after which other calls have their turn: to convert them takes some milliseconds. */
const TURN = 128 * 1024
const NOTHING = Buffer.alloc(0)
const NO_START = { chunks: [], bytes: NOTHING, whole: null }

/** A stream that is to go to a client. */
interface StreamParts {
  call: Call
  record: CallRecord
  /** The client's. */
  codec: Codec
  start: StreamStart
  /** Has scanned the start. */
  scanner: StreamScanner
  asArray: boolean
  services: StreamServices
}

const asUpstreamFailure = (error: unknown): GatewayError =>
  error instanceof GatewayError
    ? error
    : new GatewayError('internal', {
        message: 'The gateway failed on this stream.',
        reason: { code: 'gateway_failed_on_call' },
        cause: error,
      })

const failureOf = (error: VendorError, status: number): GatewayError =>
  upstreamError({ ...error, status })

/**
 * An upstream's stream on its way to the client. Its last event is held back until the
 * call is booked; a stream that stops short ends with an error event in the client's format, never as if
 * it were whole.
 */
export class RelayedStream implements AnswerStream, Ticking {
  readonly #body: UpstreamBody
  readonly #scanner: StreamScanner
  readonly #codec: Codec
  readonly #call: Call
  /** Gemini's stream without `alt=sse`: one JSON array. */
  readonly #asArray: boolean
  readonly #record: CallRecord
  readonly #keepAliveAfter: number
  /** Empty once it is given out. */
  #start: Pick<StreamStart, 'chunks' | 'bytes' | 'whole'>
  #sink: AnswerSink | null = null
  #isReading = false
  #lastWrite = 0
  #isBlocked = false
  #isSettling = false
  #isOver = false
  /** Others go on first; a client's connection that takes all at once is no reason to go on before. */
  #isResting = false
  /** Bytes taken since others were last let go on. */
  #taken = 0
  slot = -1

  constructor({ call, record, codec, start, scanner, asArray, services }: StreamParts) {
    this.#body = start.body
    this.#start = start
    this.#scanner = scanner
    this.#codec = codec
    this.#call = call
    this.#asArray = asArray
    this.#record = record
    this.#keepAliveAfter = patienceOf(services)
    record.interruptStream = (error) => this.#stopShort(error)
    record.usageSoFar = () => scanner.usage()
  }

  pipeTo(sink: AnswerSink): void {
    this.#sink = sink
    // The wait for the first event counts as silence: the client has heard nothing yet.
    this.#lastWrite = this.#call.receivedAt
    sink.onDrain(() => {
      this.#isBlocked = false
      this.#goOn()
    })
    ticker.add(this)
    this.#giveStart()
  }

  /** Gives out what the scanner has made of the first chunks already. */
  #giveStart(): void {
    const { chunks, bytes, whole } = this.#start
    this.#start = NO_START
    for (const { length } of chunks) this.#taken += length
    if (this.#taken > 0) {
      this.#noteFirstByte()
      this.#noteFirstToken()
    }
    if (whole) {
      this.#conclude(bytes, null)
      return
    }
    if (this.#taken >= TURN) this.#letOthersGoOn()
    if (!this.#scanner.isBehind) this.#give(bytes, false)
    this.#goOn()
  }

  #read(): void {
    this.#isReading = true
    this.#body.read({
      onChunk: (chunk) => this.#take(chunk),
      onEnd: () => this.#finish(),
      // Breaking behind an answer's end takes nothing away; Google's has no event after the last words.
      onError: (failure) => {
        const error = nameChannel(failure, this.#record.channel)
        if (error.code === 'upstream_cut' && !this.#scanner.isUnmarked) this.#finish(error)
        else this.#stopShort(error)
      },
    })
  }

  cancel(): void {
    if (this.#isOver) return
    this.#close()
    this.#body.abort()
    // A stream whose last event is already on its way was served in full.
    if (this.#scanner.isTerminated) return
    this.#notePartialUsage()
    this.#record.failAsLeft()
    void this.#record.settle()
  }

  /** Keeps the client's connection alive while the upstream thinks; its own silence is limited elsewhere. */
  tick(now: number): void {
    // Between the items of a JSON array only white space is harmless.
    const keepAlive = this.#asArray ? '\n' : this.#codec.keepAlive
    if (keepAlive === null || this.#scanner.isBinary) return
    if (this.#isBlocked || this.#isSettling) return
    if (now - this.#lastWrite < this.#keepAliveAfter || !this.#scanner.isAtBoundary) return
    this.#write(Buffer.from(keepAlive))
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) {
      this.#body.abort()
      return
    }
    this.#noteFirstByte()
    const wasTerminated = this.#scanner.isTerminated
    let bytes: Buffer
    try {
      bytes = this.#scanner.push(chunk)
    } catch (error) {
      // A stream that cannot be converted; what passes through is never refused.
      this.#stopShort(asUpstreamFailure(error))
      return
    }
    this.#noteFirstToken()
    if (this.#scanner.hasBegun) this.#body.isAwaited = false
    this.#taken += chunk.length
    if (this.#taken >= TURN || this.#scanner.isBehind) this.#letOthersGoOn()
    this.#give(bytes, wasTerminated)
  }

  #noteFirstByte(): void {
    this.#record.firstByteAfter ??= performance.now() - this.#call.receivedAt
  }

  #noteFirstToken(): void {
    if (this.#record.firstTokenAfter !== null || this.#scanner.hasContent === false) return
    this.#record.firstTokenAfter = performance.now() - this.#call.receivedAt
  }

  #give(bytes: Buffer, wasTerminated: boolean): void {
    if (this.#scanner.error && this.#scanner.hidesError) this.#tellError(bytes, this.#scanner.error)
    else if (this.#scanner.isOver) this.#end(bytes)
    else if (!wasTerminated && this.#scanner.isTerminated) this.#settleBefore(bytes)
    else if (bytes.length > 0) this.#write(bytes)
  }

  /**
   * Megabytes that came at once, from one read of a socket or held until now, are not taken in one turn of
   * the event loop.
   */
  #letOthersGoOn(): void {
    this.#taken = 0
    this.#isResting = true
    this.#body.isOwnRest = true
    this.#body.pause()
    setImmediate(() => {
      this.#isResting = false
      this.#body.isOwnRest = false
      this.#goOn()
    })
  }

  get #isHeld(): boolean {
    return this.#isBlocked || this.#isSettling || this.#isResting || this.#isOver
  }

  #goOn(): void {
    if (!this.#isHeld && this.#scanner.isBehind) this.#take(NOTHING)
    if (this.#isHeld) return
    if (this.#isReading) this.#body.resume()
    else this.#read()
  }

  /** Books the call, then lets its last event go. */
  #settleBefore(last: Buffer): void {
    this.#isSettling = true
    this.#body.pause()
    noteWholeUsage(this.#scanner, this.#call, this.#record)
    void this.#record.settle().then(() => {
      this.#isSettling = false
      if (this.#isOver) return
      if (last.length > 0) this.#write(last)
      // An upstream that leaves it at that must not keep its client waiting.
      this.#body.expectEnd()
      this.#goOn()
    })
  }

  #write(bytes: Buffer): void {
    this.#lastWrite = performance.now()
    if (this.#sink?.write(bytes)) return
    this.#isBlocked = true
    this.#body.pause()
  }

  /** The upstream's body is over; `broken` is why, where it did not end by itself. */
  #finish(broken: GatewayError | null = null): void {
    if (this.#isOver) return
    let rest: Buffer
    try {
      rest = this.#scanner.flush()
    } catch (error) {
      this.#stopShort(broken ?? asUpstreamFailure(error))
      return
    }
    this.#conclude(rest, broken)
  }

  /** The scanner has given its last bytes. */
  #conclude(rest: Buffer, broken: GatewayError | null): void {
    if (this.#scanner.error && this.#scanner.hidesError) {
      this.#tellError(rest, this.#scanner.error)
      return
    }
    if (this.#scanner.error === null && !this.#scanner.isWhole()) {
      this.#stopShort(
        broken ??
          new GatewayError('upstream_cut', {
            message: 'The upstream ended the stream before the answer was complete.',
            reason: { code: 'upstream_cut_short' },
          }),
      )
      return
    }
    this.#end(rest)
  }

  /** Ends the stream with the vendor's error, behind these bytes, in the client's format. */
  #tellError(bytes: Buffer, error: VendorError): void {
    if (bytes.length > 0) this.#write(bytes)
    this.#stopShort(failureOf(error, hiddenStatus(error, this.#call.format)))
  }

  /** Books the call and ends the client's stream with these bytes, whatever the upstream has still to send. */
  #end(rest: Buffer): void {
    const { error } = this.#scanner
    if (error) {
      // The vendor's own error event goes to the client.
      this.#notePartialUsage()
      this.#record.failure = { message: error.message, code: error.code ?? 'upstream_error' }
      this.#record.onCut?.(failureOf(error, error.status ?? 502))
    } else noteWholeUsage(this.#scanner, this.#call, this.#record)
    this.#isSettling = true
    this.#body.pause()
    void this.#record.settle().then(() => {
      if (this.#isOver) return
      this.#close()
      // Some vendors quote the key that they refuse.
      if (rest.length > 0) this.#sink?.write(error ? redactBytes(rest) : rest)
      if (error) this.#closeError(failureOf(error, error.status ?? 502))
      this.#sink?.end()
      // Mostly its end is all that is to come, and the connection can serve another call.
      if (error) this.#body.abort()
      else this.#body.discardRest()
    })
  }

  /** Behind the vendor's own error event: what the client's format has besides. */
  #closeError(error: GatewayError): void {
    const closing = this.#scanner.closeError?.(error)
    if (closing) this.#sink?.write(afterOpenEvent(closing, !this.#scanner.isAtBoundary))
  }

  /** Ends the stream with an error event. */
  #stopShort(error: GatewayError): void {
    if (this.#isOver) return
    // The upstream call may be ended before the sink is told: nobody is left to read an error.
    if (error.code === 'client_gone') {
      this.cancel()
      return
    }
    this.#close()
    this.#body.abort()
    if (this.#scanner.isTerminated) {
      // All that matters had come; a connection that breaks afterwards changes nothing.
      void this.#record.settle().then(() => this.#sink?.end())
      return
    }
    this.#notePartialUsage()
    this.#record.onCut?.(error)
    this.#record.fail(error)
    void this.#record.settle().then(() => {
      if (this.#scanner.isBinary) {
        this.#sink?.fail()
        return
      }
      const [scanner, codec, asArray] = [this.#scanner, this.#codec, this.#asArray]
      const ended = { scanner, codec, asArray, callId: this.#call.id }
      this.#sink?.write(streamErrorEvent(error, ended))
      this.#sink?.end()
    })
  }

  #notePartialUsage(): void {
    notePartialUsage(this.#scanner, this.#call, this.#record)
  }

  #close(): void {
    this.#isOver = true
    this.#record.interruptStream = null
    ticker.remove(this)
  }
}
