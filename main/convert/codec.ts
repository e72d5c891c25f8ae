import type { GatewayError } from '../base/errors.ts'
import type { Conversion } from './conversion.ts'
import type { Usage, WireFormat } from './exchange.ts'
import type { JsonFields } from './json-fields.ts'
import type { StreamScanner } from './stream-scanner.ts'

export type JsonObject = Record<string, unknown>

/** How the client wants its stream: as events, or (Gemini without `alt=sse`) as one JSON array. */
export interface StreamOptions {
  /** Keep the chunk that only carries usage from a client that did not ask for it. */
  withholdUsage: boolean
  /** Name to put where the upstream's model name stands; null leaves the answer as it is. */
  showModel: string | null
  /** The body is one JSON array instead of an event stream. */
  asArray: boolean
}

/** Where a stream's error stands: an event, or an item of a JSON array, which it then closes. */
export type ErrorPlace = 'event' | 'first-item' | 'next-item'

/** What the relay has to know of one wire format. Pure: nothing here reads or writes anything. */
export interface Codec {
  readonly format: WireFormat
  /** Throws `invalid_request` naming the field where the body breaks the service's own rules. */
  checkRequest(body: JsonFields, headers: Readonly<Record<string, unknown>>): void
  /** As `checkRequest`, for the format's token-counting call. */
  checkCount(body: JsonFields, headers: Readonly<Record<string, unknown>>): void
  /** The whole answer's usage, or null where the vendor gave none. */
  readUsage(answer: JsonFields): Usage | null
  /** One of these stands in every right answer, token counts included. */
  readonly answerKeys: readonly string[]
  /** Name of the field that carries the model's name in a whole answer. */
  readonly modelField: string
  createScanner(options: StreamOptions): StreamScanner
  /** The gateway's own failure as a body of this format. */
  encodeError(error: GatewayError, requestId: string): JsonObject
  /** The gateway's own failure as the last thing of a stream that has begun. */
  encodeStreamError(error: GatewayError, requestId: string, place: ErrorPlace): string
  /** The way from and to other formats. */
  readonly conversion: Conversion
  /** What is sent while the upstream is silent; null where nothing harmless exists. */
  readonly keepAlive: string | null
}
