import type { StreamScanner } from '../../convert/events/stream-scanner.ts'
import type { Usage } from '../../convert/exchange.ts'

const NOTHING = Buffer.alloc(0)

/** Bytes that go to the client as they come: sound, mostly. */
export class BytesScanner implements StreamScanner {
  readonly #usage: Usage | null
  readonly isBinary = true
  readonly isUnmarked = true
  readonly isAtBoundary = true
  readonly isTerminated = false
  readonly error = null
  hasBegun = false

  /** `usage`: what the request itself tells, since bytes tell nothing. */
  constructor(usage: Usage | null) {
    this.#usage = usage
  }

  push(chunk: Buffer): Buffer {
    this.hasBegun = true
    return chunk
  }

  flush(): Buffer {
    return NOTHING
  }

  isWhole(): boolean {
    return this.hasBegun
  }

  usage(): Usage | null {
    return this.#usage
  }

  estimateOutput(): number {
    return 0
  }
}
