import { GatewayError } from '../../base/errors.ts'
import { bodyFormat } from '../../convert/check/body-format.ts'
import { withinStack } from '../../convert/check/too-deep.ts'
import { clientConversionOf, conversionOf, traitsOf } from '../../convert/codecs.ts'
import type { ClientConversion, PlacedMark } from '../../convert/conversion.ts'
import { estimateInput } from '../../convert/estimate/estimate-input.ts'
import type { ExchangeRequest, WireFormat } from '../../convert/exchange.ts'
import { withoutForeignContent } from '../../convert/foreign/foreign-content.ts'
import { parseExact } from '../../convert/json/exact-json.ts'
import { readingJson } from '../../convert/json/invalid-json.ts'
import { asObject } from '../../convert/json/json-value.ts'
import { Loss } from '../../convert/loss.ts'
import {
  type AddressedMedia,
  addressedMedia,
  type MediaFiles,
} from '../../convert/media/addressed-media.ts'
import { type ModelRules, modelRules } from '../../convert/model/model-rules.ts'
import { withReadableStates } from '../../convert/reasoning/returning-states.ts'
import { callIdsOf } from '../../convert/tools/distinct-ids.ts'
import { type AnswerTools, type FittedTools, fitTools } from '../../convert/tools/fit-tools.ts'
import { type Call, ownerOf } from '../call/call.ts'
import type { ReasoningMemory } from '../memory/reasoning-memory.ts'
import type { ResponseMemory } from '../memory/response-memory.ts'

/**
 * The rules that a channel's owner sets for its models, in `settings.model_rules`: an object from a model's
 * name, or `*` for all of them, to the rules that differ from the built-in ones.
 */
export function rulesOf(
  settings: Readonly<Record<string, unknown>>,
  model: string,
): Partial<ModelRules> {
  const rules = asObject(settings.model_rules)
  if (!rules) return {}
  return { ...asObject(rules['*']), ...asObject(rules[model]) }
}

/** Where a call is to go, in another wire format than it came in. */
export interface Destination {
  format: WireFormat
  /** The model's name at the upstream. */
  model: string
  /** Is the upstream asked for a stream, whatever the client asked? */
  stream: boolean
  settings: Readonly<Record<string, unknown>>
  /** May a streamed Chat call carry `stream_options` there? */
  streamOptions: boolean
  /** Does the vendor keep requests unless it is told not to? */
  storesUnasked?: boolean
  /** May files be fetched that the client names by URL and the upstream takes as data only? */
  fetchFiles: boolean
  /** May the vendor be asked to cache what the request marks? */
  caches: boolean
}

/** The part of a call that its translation needs. */
export type AskedCall = Pick<Call, 'format' | 'verb' | 'model' | 'stream' | 'headers' | 'body'>

/** The gateway's memory of the caller's earlier calls. */
export interface CallMemory {
  /** The request with what it only names of them. */
  resume(request: ExchangeRequest): ExchangeRequest
  /** The request with the thoughts that its client did not send back. */
  restore(request: ExchangeRequest): ExchangeRequest
}

/** The gateway's memory of its callers' earlier calls. */
export interface Memories {
  responses: Pick<ResponseMemory, 'resume'>
  reasoning: Pick<ReasoningMemory, 'restore'>
}

/** The memory of this call's owner. */
export function memoryOf(call: Call, { responses, reasoning }: Memories): CallMemory {
  const owner = ownerOf(call)
  return {
    resume: (request) => responses.resume(owner, request),
    restore: (request) => reasoning.restore(owner, request),
  }
}

/** A translated request, as far as its answer's way back has to know it. */
export interface TranslatedRequest {
  readonly loss: Loss
  /** As the client asked. */
  readonly asked: ExchangeRequest
  /** As sent: history in front, reasoning restored, before tools were fitted. */
  readonly sent: Pick<ExchangeRequest, 'store' | 'turns'>
  readonly tools: AnswerTools
  /** Ids of all tool calls in the conversation, as the client knows them. */
  readonly callIds: readonly string[]
  /** Input tokens, counted here. */
  readonly estimatedInput: number
}

const decoded = new WeakMap<AskedCall, ExchangeRequest>()
/** By its body, which the targets of a route share under different models. */
const decodedBodies = new WeakMap<AskedCall['body'], ExchangeRequest>()

/** A body of the Responses format at Chat's endpoint, with what it says there of the answer's stream. */
function decodeAtChat(
  conversion: ClientConversion,
  { stream_options: options, ...body }: Record<string, unknown>,
  call: AskedCall,
): ExchangeRequest {
  const wantsStreamUsage = asObject(options)?.include_usage === true
  return { ...conversion.decodeRequest(body, call.headers), wantsStreamUsage }
}

function decode(call: AskedCall): ExchangeRequest {
  const format = bodyFormat(call.format, call.body)
  const conversion = clientConversionOf(format)
  const text = call.body.bytes.toString('utf8')
  const body = readingJson(() => parseExact(text) as Record<string, unknown>)
  const isCount = call.verb === 'count-tokens'
  const asked = isCount ? (conversion.count?.unwrapRequest(body) ?? body) : body
  return format === call.format
    ? conversion.decodeRequest(asked, call.headers)
    : decodeAtChat(conversion, asked, call)
}

/** The client's request, decoded once however many channels are tried. */
export function decodedRequest(call: AskedCall): ExchangeRequest {
  let request = decoded.get(call)
  if (!request) {
    const { body, model, stream } = call
    const read = decodedBodies.get(body) ?? withinStack('request_too_deep', () => decode(call))
    decodedBodies.set(body, read)
    request = { ...read, model, stream }
    decoded.set(call, request)
  }
  return request
}

/** Puts what the gateway remembers in its place where a Responses call names it by id. */
function withHistory(
  request: ExchangeRequest,
  to: Destination,
  memory: CallMemory,
): ExchangeRequest {
  if (!traitsOf(request.origin).keepsAnswers) return request
  const resumed = memory.resume(request)
  const { previousResponseId } = resumed
  // An id that is not known here may be the vendor's own, where the vendor is the same.
  if (previousResponseId === undefined || to.format === request.origin) return resumed
  throw new GatewayError('invalid_request', {
    message: `previous_response_id: Previous response with id '${previousResponseId}' not found. It was made elsewhere, or has been forgotten: send the whole conversation as input.`,
    reason: { code: 'previous_response_gone', id: String(previousResponseId) },
    field: 'previous_response_id',
    vendorCode: 'previous_response_not_found',
  })
}

/** The request in the upstream's wire format. Throws `invalid_request` for what that cannot hold. */
export const translateRequest = (
  call: AskedCall,
  to: Destination,
  memory: CallMemory,
): RequestTranslation =>
  withinStack('request_too_deep', () => new RequestTranslation(call, to, memory))

/** A client's request on its way to an upstream of another wire format. */
export class RequestTranslation implements TranslatedRequest {
  readonly loss: Loss
  readonly asked: ExchangeRequest
  readonly sent: ExchangeRequest
  /** Files to fetch and give to `takeFiles` before there is a body. */
  readonly missing: readonly AddressedMedia[]
  readonly #to: Destination
  readonly #rules: ModelRules
  readonly #fitted: FittedTools
  /** Where the request's cache marks stand in the body; empty where none is to be cached. */
  #marks: PlacedMark[] = []
  #body: Record<string, unknown> = {}
  #estimatedInput: number | null = null

  /** For `translateRequest`. */
  constructor(call: AskedCall, to: Destination, memory: CallMemory) {
    this.#to = to
    this.asked = decodedRequest(call)
    // Not always the endpoint's format.
    const askedFormat = bodyFormat(call.format, call.body)
    const asker = clientConversionOf(askedFormat)
    const upstream = conversionOf(to.format)
    this.loss = new Loss(asker.fieldNames)
    this.#rules = modelRules(to.format, to.model, {
      ...(to.streamOptions ? {} : { streamUsage: false }),
      ...rulesOf(to.settings, to.model),
    })
    const request = { ...withHistory(this.asked, to, memory), stream: to.stream }
    if (to.format !== askedFormat) asker.refuseForeign?.(request, this.loss)
    const restored = memory.restore(withoutForeignContent(request, to.format, this.loss))
    this.sent = withReadableStates(restored, to.format, to.model, this.loss)
    this.#fitted = fitTools(this.sent, upstream, this.#rules, this.loss)
    this.missing = to.fetchFiles ? addressedMedia(this.sent, asker, upstream, this.#rules) : []
    if (this.missing.length === 0) this.#body = this.#encode(this.#fitted.request)
  }

  /** The upstream's body. */
  get body(): Record<string, unknown> {
    return this.#body
  }

  get marks(): readonly PlacedMark[] {
    return this.#marks
  }

  get tools(): AnswerTools {
    return this.#fitted.tools
  }

  get callIds(): string[] {
    return callIdsOf(this.sent.turns)
  }

  get estimatedInput(): number {
    this.#estimatedInput ??= estimateInput(this.sent)
    return this.#estimatedInput
  }

  /** Makes the body with the files that were missing; what is remembered of the call keeps their addresses. */
  takeFiles(files: MediaFiles): void {
    this.#body = this.#encode(files.placedIn(this.#fitted.request))
  }

  #encode(request: ExchangeRequest): Record<string, unknown> {
    const { format, model, caches, storesUnasked = false } = this.#to
    const target = { model, rules: this.#rules, loss: this.loss, storesUnasked }
    if (!caches) return conversionOf(format).encodeRequest(request, target)
    this.#marks = []
    return conversionOf(format).encodeRequest(request, { ...target, cacheMarks: this.#marks })
  }
}
