import type { VendorError } from '../../convert/events/stream-scanner.ts'
import type { StreamPart } from '../../convert/stream/stream-part.ts'
import type { ConvertingScanner } from './converting-scanner.ts'

const NOTHING = Buffer.alloc(0)

/** How a stream begins that is converted: its first event is decoded, and given out with what follows it. */
export class ConvertedStart {
  readonly #scanner: ConvertingScanner
  hasBegun = false
  error: VendorError | null = null

  constructor(scanner: ConvertingScanner) {
    this.#scanner = scanner
  }

  /** Throws `upstream_invalid` for a first event that cannot be read; what comes behind it is not looked at. */
  push(chunk: Buffer): Buffer {
    return this.#look(this.#scanner.begin(chunk))
  }

  /** The body has ended; its last event may lack the blank line. */
  flush(): Buffer {
    return this.#look(this.#scanner.begin(null))
  }

  #look(first: StreamPart | 'unread' | null): Buffer {
    if (first === null) return NOTHING
    if (first !== 'unread' && first.type === 'error') this.error = first
    this.hasBegun = true
    return NOTHING
  }
}
