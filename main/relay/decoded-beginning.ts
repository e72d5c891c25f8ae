import type { StreamDecoder } from '../convert/conversion.ts'
import type { VendorError } from '../convert/stream-scanner.ts'
import { EventStream } from '../upstream/event-stream.ts'

/** Looks at how a stream begins that will be converted, without converting anything yet. */
export class DecodedBeginning {
  readonly #events = new EventStream()
  readonly #decoder: StreamDecoder
  hasBegun = false
  error: VendorError | null = null

  constructor(decoder: StreamDecoder) {
    this.#decoder = decoder
  }

  push(chunk: Buffer): void {
    for (const event of this.#events.push(chunk)) {
      for (const part of this.#decoder.push(event)) {
        if (part.type === 'error' && !this.hasBegun) this.error = part
        this.hasBegun = true
      }
    }
  }
}
