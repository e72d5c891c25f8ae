import type { StreamDecoder } from '../../convert/conversion.ts'
import type { VendorError } from '../../convert/events/stream-scanner.ts'
import type { StreamPart } from '../../convert/stream/stream-part.ts'
import { EventStream, type ServerSentEvent } from '../../upstream/event-stream.ts'
import { unreadable } from '../failure/unreadable.ts'

/** Characters of an event that can be none but the answer's. */
const LONG_EVENT = 1024 * 1024

/** Looks at how a stream begins that will be converted, without converting anything yet. */
export class DecodedBeginning {
  readonly #events = new EventStream()
  readonly #decoder: StreamDecoder
  hasBegun = false
  error: VendorError | null = null

  constructor(decoder: StreamDecoder) {
    this.#decoder = decoder
  }

  /** Throws `upstream_invalid` for a first event that cannot be read; what comes behind it is not looked at. */
  push(chunk: Buffer): void {
    this.#look(this.#events.push(chunk))
  }

  /** The body has ended; its last event may lack the blank line. */
  end(): void {
    this.#look(this.#events.end())
  }

  #look(events: readonly ServerSentEvent[]): void {
    for (const event of events) {
      // No error is as long, and to read it twice would hold up other calls.
      if (event.data.length >= LONG_EVENT) {
        this.hasBegun = true
        return
      }
      const [first] = this.#decode(event)
      if (!first) continue
      if (first.type === 'error') this.error = first
      this.hasBegun = true
      return
    }
  }

  #decode(event: ServerSentEvent): StreamPart[] {
    try {
      return this.#decoder.push(event)
    } catch (error) {
      throw unreadable(error)
    }
  }
}
