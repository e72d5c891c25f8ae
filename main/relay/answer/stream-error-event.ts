import type { GatewayError } from '../../base/errors.ts'
import type { Codec } from '../../convert/codec.ts'
import type { StreamScanner } from '../../convert/events/stream-scanner.ts'

/** The stream that an error ends. */
interface EndedStream {
  scanner: StreamScanner
  /** The client's. */
  codec: Codec
  callId: string
  asArray: boolean
}

/** An event that was cut, be it within a line, is closed first, or the next one would be lost inside it. */
export const afterOpenEvent = (event: string, isOpen: boolean): Buffer =>
  Buffer.from(isOpen ? `\n\n${event}` : event)

/** The error event that ends a stream, in the client's format. */
export function streamErrorEvent(error: GatewayError, stream: EndedStream): Buffer {
  const { scanner, codec, callId, asArray } = stream
  const item = scanner.hasBegun ? 'next-item' : 'first-item'
  const event =
    scanner.encodeError?.(error) ?? codec.encodeStreamError(error, callId, asArray ? item : 'event')
  return afterOpenEvent(event, !asArray && !scanner.isAtBoundary)
}
