import type { GatewayError } from '../base/errors.ts'
import type { CallFormat } from './call-format.ts'
import type { KeyGuard } from './check/guarded-keys.ts'
import type { ClientConversion } from './conversion.ts'
import type { StreamScanner } from './events/stream-scanner.ts'
import type { Usage } from './exchange.ts'
import type { JsonFields } from './json/json-fields.ts'
import type { JsonObject } from './json/json-value.ts'

/** How the client wants its stream: as events, or (Gemini without `alt=sse`) as one JSON array. */
export interface StreamOptions {
  /** Keep the chunk that only carries usage from a client that did not ask for it. */
  withholdUsage: boolean
  /** Name to put where the upstream's model name stands; null leaves the answer as it is. */
  showModel: string | null
  /** The body is one JSON array instead of an event stream. */
  asArray: boolean
  /** The request, where the answer's completeness depends on it. */
  request?: JsonFields
}

/** Where a stream's error stands: an event, or an item of a JSON array, which it then closes. */
export type ErrorPlace = 'event' | 'first-item' | 'next-item'

/** Required fields of an endpoint's form. */
export interface FormRule {
  /** JSON is taken as well. */
  readonly orJson: boolean
  /** One of these fields must be a file. */
  readonly files: readonly string[]
  /** Throws `invalid_request` naming the field, when all text fields are known. */
  check(fields: Readonly<Record<string, readonly string[]>>): void
}

/** Most tokens of each answer, 0 where the request sets no limit, and the number of answers. */
export interface AnswerLimits {
  tokens: number
  answers: number
}

/** One wire format, as the relay sees it. Pure: nothing here reads or writes anything. */
export interface Codec {
  readonly format: CallFormat
  /** Looks whether every parser reads a request alike in what the gateway decides by. */
  readonly guard: KeyGuard
  /** Throws `invalid_request` naming the field where the body breaks the service's own rules. */
  checkRequest(body: JsonFields, headers: Readonly<JsonObject>): void
  /** As `checkRequest`, for the format's token-counting call; absent where the format has none. */
  checkCount?(body: JsonFields, headers: Readonly<JsonObject>): void
  /** The whole answer's usage, or null where the vendor gave none. */
  readUsage(answer: JsonFields): Usage | null
  /**
   * Fields to set in a request, so that every vendor of the format takes what it says; empty where all do as it
   * is.
   */
  fitRequest?(body: JsonFields): JsonObject
  /**
   * A request without what only the client's own vendor reads, every other byte as it was; null where there is no
   * such thing in it.
   */
  withoutClientNote?(body: JsonFields): readonly Buffer[] | null
  /**
   * A whole answer made to what was asked, where a vendor overlooked it; null where there is nothing to
   * change.
   */
  fitAnswer?(answer: Buffer, request: JsonFields): Buffer | null
  /** Usage by the request itself, where the vendor reports none: characters to be spoken. */
  requestUsage?(body: JsonFields): Usage | null
  /** Fields one of which every right answer has, token counts included. Empty where an answer need not be JSON. */
  readonly answerKeys: readonly string[]
  /** Name of the field that carries the model's name in a whole answer. */
  readonly modelField: string
  /**
   * Fields to set in a request where the upstream knows the model by another name; absent where that is
   * `model` alone.
   */
  renameModel?(body: JsonFields, model: string): JsonObject
  createScanner(options: StreamOptions): StreamScanner
  /** The gateway's own failure as a body of this format. */
  encodeError(error: GatewayError, requestId: string): JsonObject
  /** The gateway's own failure as the last thing of a stream of events that has begun. */
  encodeStreamError(error: GatewayError, requestId: string, place: ErrorPlace): string
  /**
   * The way from and to other formats; a whole `Conversion` where calls are converted to this format too.
   * Absent where the call is no conversation.
   */
  readonly conversion?: ClientConversion
  /** Path that takes its calls; failures on paths under it are answered in this format. Absent where `http` has its own rule. */
  readonly path?: string
  /** Header that names the call to the format's SDKs; `x-request-id` where absent. */
  readonly idHeader?: string
  /** Headers that tell clients of rate limits; OpenAI's where absent, null where clients know none. */
  readonly rateHeaders?: 'anthropic' | null
  /** Status of an overloaded vendor; 503 where absent. */
  readonly overloadedStatus?: number
  /** Its clients can also read an error that stands in a list of one. */
  readonly readsErrorLists?: true
  /** Headers that its service wants of every request. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** Headers that a body made here wants for what stands in it. */
  bodyHeaders?(body: Buffer): Readonly<Record<string, string>>
  /**
   * Throws where a body names another model than its path; present where the path names model and stream, not the
   * body.
   */
  checkPathModel?(body: JsonFields, model: string): void
  /** Has a field for how wordy the answer may be. */
  readonly takesVerbosity?: true
  /** The request marks what of it is to be cached, which lasts five minutes or an hour. */
  readonly cacheMarks?: true
  /** Later calls may refer to an answer by its id. */
  readonly keepsAnswers?: true
  /** Streams tell their usage only where `stream_options` asks for it. */
  readonly streamUsageOption?: true
  /** Field that names a prompt which the vendor keeps, made in a call of its own. */
  readonly cacheField?: string
  /** Names the conversation that a request belongs to; OpenAI's fields are read where absent. */
  conversationName?(body: JsonFields): string | undefined
  /** Limits of the answers that a request asks for; OpenAI's fields are read where absent. */
  answerLimits?(body: JsonFields): AnswerLimits
  /** Does the request want nothing but sound? */
  wantsSpeech?(body: JsonFields): boolean
  /** Takes a form (multipart/form-data) instead of JSON, or beside it. */
  readonly form?: FormRule
  /** Bytes sent while the upstream is silent; null where nothing harmless exists. */
  readonly keepAlive: string | null
}
