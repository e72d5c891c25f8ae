import type { CallFormat } from './call-format.ts'
import type { ExchangeRequest, MediaKind, MediaPart, RequestField, WireFormat } from './exchange.ts'
import type { ExchangeResponse } from './exchange-response.ts'
import type { AnswerPlaces } from './foreign/answer-places.ts'
import type { Loss } from './loss.ts'
import type { ModelRules } from './model/model-rules.ts'
import type { StreamPart } from './stream/stream-part.ts'

/** An encoder's view of the upstream that a request is for. */
export interface RequestTarget {
  /** The model's name at the upstream. */
  model: string
  /** Rules of that model. */
  rules: ModelRules
  /** Anything that does not fit is noted here, or refused. */
  loss: Loss
  /** The vendor keeps requests unless it is told not to. */
  storesUnasked?: boolean
  /** Where the cache marks of the request go to in the body; absent where nothing can be done with them. */
  cacheMarks?: PlacedMark[]
}

/** A cache mark of the client's request, and where what it stands on has its place in the upstream's body. */
export interface PlacedMark {
  /** The mark's own path in the client's body: `messages[2].content[0].cache_control`. */
  path: string
  /** As the vendor spells it: `5m`, `1h`; null for its default. */
  ttl: string | null
  /** Index of the turn, and of the part in it; -1 for what stands before all turns (tools, system prompt). */
  turn: number
  part: number
}

/** An encoder's view of the client that an answer is for. */
export interface AnswerTarget {
  /** The call's id, from which ids in the client's form are made. */
  id: string
  /** The model's name as the client asked for it. */
  model: string
  /** The client's request, for what an answer repeats of it. */
  request: ExchangeRequest
  /** Input tokens, counted by the gateway; what a stream begins with where the truth comes last. */
  estimatedInput: number
  /** Unix seconds. */
  created: number
  /** Gemini without `alt=sse`: the stream is one JSON array. */
  asArray?: boolean
}

/** One event of a stream: its name where it has one, and its data lines joined. */
export interface ServerEvent {
  event: string | null
  data: string
}

/** Reads one stream. Bad JSON throws SyntaxError; unknown events and fields are passed over. */
export interface StreamDecoder {
  push(event: ServerEvent): StreamPart[]
  /**
   * The body has ended. Gives what was still held; `response-end` as its last part when the answer is
   * whole, and no such part when the stream was cut.
   */
  end(): StreamPart[]
}

/** Writes one stream, in the text of the wire. */
export interface StreamEncoder {
  /** Empty when nothing is to be sent yet. */
  push(part: StreamPart): string
}

/** Characters and length of a tool's name. */
export interface ToolNameRule {
  fits: RegExp
  length: number
}

/** A format's call that counts the tokens of a request. */
export interface CountConversion {
  /** The request that a client wants counted, as if it were to be answered. */
  unwrapRequest(body: Record<string, unknown>): Record<string, unknown>
  /** The upstream's counting body, out of the one that it would answer. */
  wrapRequest(body: Record<string, unknown>, model: string): Record<string, unknown>
  /** Tokens; null for an answer that tells none. */
  decodeResponse(body: unknown): number | null
  encodeResponse(tokens: number): Record<string, unknown>
}

/**
 * A format's ways between its clients and the neutral exchange; all there is of one in which no upstream is
 * ever called by conversion. Pure: nothing here reads or writes.
 */
export interface ClientConversion {
  readonly format: CallFormat
  /** How this format spells a request's fields, for refusals and losses. */
  readonly fieldNames: Readonly<Partial<Record<RequestField, string>>>
  /**
   * A client's body. Headers are for what a format keeps there. Throws `invalid_request` naming the JSON
   * path of what cannot be understood; what is merely unknown goes into `native`.
   */
  decodeRequest(
    body: Record<string, unknown>,
    headers: Readonly<Record<string, unknown>>,
  ): ExchangeRequest
  encodeResponse(response: ExchangeResponse, target: AnswerTarget): Record<string, unknown>
  /** Absent where the format has no call that counts tokens. */
  readonly count?: CountConversion
  /** Throws `invalid_request` for what a request of this format asks and no other format can give. */
  readonly refuseForeign?: (request: ExchangeRequest, loss: Loss) => void
  /** Fields that this format has room for in an answer of another. */
  readonly answerPlaces: AnswerPlaces
  /** The id that an answer to the call of this id has; where clients refer to answers by id. */
  readonly answerId?: (callId: string) => string
  /** Path of a file's address inside its part: `source.url`. */
  readonly addressField: (part: MediaPart) => string
  /** Part of the request that an answer repeats; absent if answers repeat nothing. */
  readonly echoedRequest?: (asked: ExchangeRequest) => ExchangeRequest
  createEncoder(target: AnswerTarget): StreamEncoder
}

/** A wire format's two ways from and to the neutral exchange, for clients and for upstreams. */
export interface Conversion extends ClientConversion {
  readonly format: WireFormat
  /** The upstream's body. Throws `invalid_request` by `target.loss.refuse` for what would go wrong. */
  encodeRequest(request: ExchangeRequest, target: RequestTarget): Record<string, unknown>
  /** An upstream's whole answer; throws `upstream_invalid` for what is none. */
  decodeResponse(body: unknown): ExchangeResponse
  createDecoder(): StreamDecoder
  /** Kinds of files that its encoder takes as data. */
  readonly heldMedia: readonly MediaKind[]
  /** Does the upstream fetch a file from its address itself? */
  readonly takesAddress: (kind: MediaKind, url: string) => boolean
  /** Names that the vendor allows for tools; a model may take less. */
  readonly toolNames: ToolNameRule
}
