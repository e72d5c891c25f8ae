import type { StreamScanner, VendorError } from '../../convert/events/stream-scanner.ts'
import type { Usage } from '../../convert/exchange.ts'
import type { BridgeStream } from '../../convert/other/bridge.ts'
import { EventStream } from '../../upstream/event-stream.ts'

const NOTHING = Buffer.alloc(0)

/** A stream of a call that is no conversation, given out in the client's format. */
export class BridgeScanner implements StreamScanner {
  readonly #stream: BridgeStream
  /** Null where the upstream sends plain bytes. */
  readonly #events: EventStream | null
  #isEnded = false

  readonly isAtBoundary = true
  readonly hidesError = true
  /** The end of the body is the end. */
  readonly isTerminated = false

  constructor(stream: BridgeStream, readsEvents: boolean) {
    this.#stream = stream
    this.#events = readsEvents ? new EventStream() : null
  }

  /** The client gets bytes, among which no error can be told. */
  get isBinary(): boolean {
    return !/event-stream|json/.test(this.#stream.contentType)
  }

  /** Bytes, whatever the client is sent for them. */
  get isUnmarked(): boolean {
    return this.#events === null
  }

  get hasBegun(): boolean {
    return this.#stream.hasBegun
  }

  get error(): VendorError | null {
    return this.#stream.error
  }

  push(chunk: Buffer): Buffer {
    if (!this.#events) return this.#stream.onBytes(chunk)
    return Buffer.concat(this.#events.push(chunk).map((event) => this.#stream.onEvent(event)))
  }

  /** Throws `upstream_cut` where the answer is not whole. */
  flush(): Buffer {
    const last = (this.#events?.end() ?? []).map((event) => this.#stream.onEvent(event))
    const end = this.error ? NOTHING : this.#stream.end()
    this.#isEnded = true
    return Buffer.concat([...last, end])
  }

  isWhole(): boolean {
    return this.#isEnded
  }

  usage(): Usage | null {
    return this.#stream.usage
  }

  /** The output of such calls is not counted by its text. */
  estimateOutput(): number {
    return 0
  }
}
