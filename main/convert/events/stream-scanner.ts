import type { GatewayError } from '../../base/errors.ts'
import type { Usage } from '../exchange.ts'

/** An error that the vendor sent inside a stream or a 200 answer. */
export interface VendorError {
  /** The vendor's own sentence. */
  message: string
  /** HTTP status that fits, where the vendor said one. */
  status: number | null
  /** The vendor's own code or type, for the log. */
  code: string | null
  /** The field of the request that it is about, in the vendor's words. */
  param?: string
}

/** Watches a stream's bytes on their way to the client without parsing what is of no interest. */
export interface StreamScanner {
  /** Takes the upstream's next bytes; gives those that may go to the client now (may be empty). */
  push(chunk: Buffer): Buffer
  /** It has more to give out, which it does not do at once: to push nothing brings the next of it. */
  readonly isBehind?: boolean
  /** Bytes still held when the upstream's body has ended. */
  flush(): Buffer
  /** Nothing more will be given out, whatever comes; absent where the body's own end is the end. */
  readonly isOver?: boolean
  /** The output is bytes, mostly audio: nothing may be inserted, and a cut shows as a cut connection. */
  readonly isBinary?: boolean
  /** Only the end of the upstream's body marks its end: one that breaks is never whole. */
  readonly isUnmarked?: boolean
  /** The vendor's terminal event has been seen. */
  readonly isTerminated: boolean
  /** The bytes given out so far end between two events, so something may be put in. */
  readonly isAtBoundary: boolean
  /** At least one event with data has been seen. */
  readonly hasBegun: boolean
  /** Text, reasoning or a tool's arguments have gone by; absent where any bytes are content. */
  readonly hasContent?: boolean
  /** The body, which has ended, is whole: terminated, or as good as that for this format. */
  isWhole(): boolean
  /** An error event that the vendor sent. */
  readonly error: VendorError | null
  /** The error event is withheld: the client still has to get it, in its own format. */
  readonly hidesError?: boolean
  /** Usage as the vendor reported it up to now, or null; at a whole stream's end it may be estimated. */
  usage(): Usage | null
  /** `usage` is the gateway's estimate, as the client got it. */
  readonly isEstimated?: boolean
  /** The client's error event, where the stream so far decides its form. */
  encodeError?(error: GatewayError): string
  /** The end of the client's stream after the vendor's own error event; may be empty. */
  closeError?(error: GatewayError): string
  /** Tokens of output that went by, estimated from the bytes; for a stream that was cut. */
  estimateOutput(): number
}
