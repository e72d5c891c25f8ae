import { unixSeconds } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import { estimateTokens } from '../base/estimate-tokens.ts'
import { bodyFormat } from '../convert/body-format.ts'
import { clientConversionOf, conversionOf } from '../convert/codecs.ts'
import { collectStream } from '../convert/collect-stream.ts'
import type { AnswerTarget, ClientConversion, Conversion } from '../convert/conversion.ts'
import { estimateInput } from '../convert/estimate-input.ts'
import { parseExact, stringifyExact } from '../convert/exact-json.ts'
import type {
  ExchangeRequest,
  ExchangeResponse,
  Part,
  Usage,
  WireFormat,
} from '../convert/exchange.ts'
import { type FittedTools, fitTools } from '../convert/fit-tools.ts'
import { asObject } from '../convert/json-value.ts'
import { Loss } from '../convert/loss.ts'
import { modelRules } from '../convert/model-rules.ts'
import { withMaker, withReadableStates } from '../convert/returning-states.ts'
import { spreadResponse } from '../convert/spread-response.ts'
import type { StreamPart } from '../convert/stream-part.ts'
import { EventStream } from '../upstream/event-stream.ts'
import { type Call, ownerOf, type RelayParts } from './call.ts'
import { ConvertingScanner } from './converting-scanner.ts'
import { rulesOf } from './rules-of.ts'
import { hiddenStatus } from './vendor-refusal.ts'

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
}

const decoded = new WeakMap<Call, ExchangeRequest>()

/** A body of the Responses format at Chat's endpoint, with what it says there of the answer's stream. */
function decodeAtChat(
  conversion: ClientConversion,
  { stream_options: options, ...body }: Record<string, unknown>,
  call: Call,
): ExchangeRequest {
  const wantsStreamUsage = asObject(options)?.include_usage === true
  return { ...conversion.decodeRequest(body, call.headers), wantsStreamUsage }
}

/** The client's request, decoded once however many channels are tried. */
export function decodedRequest(call: Call): ExchangeRequest {
  let request = decoded.get(call)
  if (!request) {
    const format = bodyFormat(call.format, call.body)
    const conversion = clientConversionOf(format)
    const body = parseExact(call.body.bytes.toString('utf8')) as Record<string, unknown>
    const isCount = call.verb === 'count-tokens'
    const asked = isCount ? (conversion.count?.unwrapRequest(body) ?? body) : body
    request = {
      ...(format === call.format
        ? conversion.decodeRequest(asked, call.headers)
        : decodeAtChat(conversion, asked, call)),
      model: call.model,
      stream: call.stream,
    }
    decoded.set(call, request)
  }
  return request
}

/** Puts what the gateway remembers in its place where a Responses call names it by id. */
function withHistory(
  request: ExchangeRequest,
  to: Destination,
  call: Call,
  parts: RelayParts,
): ExchangeRequest {
  if (request.origin !== 'responses') return request
  const resumed = parts.responses.resume(ownerOf(call), request)
  const { previousResponseId } = resumed
  // An id that is not known here may be the vendor's own, where the vendor is the same.
  if (previousResponseId === undefined || to.format === 'responses') return resumed
  throw new GatewayError('invalid_request', {
    message: `previous_response_id: Previous response with id '${previousResponseId}' not found. It was made elsewhere, or has been forgotten: send the whole conversation as input.`,
    field: 'previous_response_id',
    vendorCode: 'previous_response_not_found',
  })
}

/** A call whose upstream speaks another wire format than its client: the way there and the way back. */
export class Translation {
  readonly format: WireFormat
  readonly loss: Loss
  /** The upstream's body. */
  readonly body: Record<string, unknown>
  readonly #call: Call
  /** The model's name at the upstream. */
  readonly #model: string
  readonly #parts: RelayParts
  /** As sent: history in front, reasoning restored, before tools were fitted. */
  readonly #request: ExchangeRequest
  readonly #fitted: FittedTools
  readonly #client: ClientConversion
  readonly #upstream: Conversion

  /** Throws `invalid_request` for what the upstream's format cannot hold. */
  constructor(call: Call, to: Destination, parts: RelayParts) {
    this.#call = call
    this.#parts = parts
    this.#client = clientConversionOf(call.format)
    this.#upstream = conversionOf(to.format)
    this.format = to.format
    this.#model = to.model
    const asked = decodedRequest(call)
    // Not always the endpoint's format.
    const askedFormat = bodyFormat(call.format, call.body)
    const asker = clientConversionOf(askedFormat)
    this.loss = new Loss(asker.fieldNames)
    const rules = modelRules(to.format, to.model, {
      ...(to.streamOptions ? {} : { streamUsage: false }),
      ...rulesOf(to.settings, to.model),
    })
    const request = { ...withHistory(asked, to, call, parts), stream: to.stream }
    if (to.format !== askedFormat) asker.refuseForeign?.(request, this.loss)
    const restored = parts.reasoning.restore(ownerOf(call), request)
    this.#request = withReadableStates(restored, to.format, to.model, this.loss)
    this.#fitted = fitTools(this.#request, to.format, rules, this.loss)
    const target = { model: to.model, rules, loss: this.loss }
    this.body = this.#upstream.encodeRequest(this.#fitted.request, target)
  }

  /** Input tokens, counted here. */
  get estimatedInput(): number {
    return estimateInput(this.#request)
  }

  /** An upstream's whole answer as the neutral exchange; throws `upstream_invalid` for what is none. */
  decodeWhole(bytes: Buffer): ExchangeResponse {
    const body = parseExact(bytes.toString('utf8'))
    return this.#restored(this.#upstream.decodeResponse(body))
  }

  /** A stream that has ended, gathered into one answer; throws `upstream_cut` for one that is not whole. */
  decodeEvents(bytes: Buffer): ExchangeResponse {
    const events = new EventStream()
    const decoder = this.createDecoder()
    const collected = collectStream()
    let isWhole = false
    const take = (parts: readonly StreamPart[]) => {
      for (const part of parts) {
        collected.push(part)
        isWhole ||= part.type === 'response-end'
      }
    }
    for (const event of [...events.push(bytes), ...events.end()])
      if (!isWhole) take(decoder.push(event))
    if (!isWhole) take(decoder.end())
    if (isWhole) return this.#restored(collected.response())
    throw new GatewayError('upstream_cut', {
      message: 'The upstream ended the stream before the answer was complete.',
    })
  }

  /** What an answer has used whose vendor does not tell. */
  estimateUsage({ choices }: ExchangeResponse): Usage {
    let output = 0
    for (const part of choices.flatMap(({ parts }) => parts)) {
      if (part.type === 'text' || part.type === 'refusal') output += estimateTokens(part.text)
      else if (part.type === 'reasoning') output += estimateTokens(part.sections.join(''))
      else if (part.type === 'call') output += estimateTokens(part.arguments)
    }
    return { input: this.estimatedInput, cachedInput: 0, cacheWrite: 0, output, reasoning: 0 }
  }

  /** The answer's bytes for the client: one body, or all of a stream's events at once. */
  encode(response: ExchangeResponse): Buffer {
    const target = this.#target(this.#call.stream || response.usage === null)
    if (!this.#call.stream) {
      const body = this.#client.encodeResponse(response, target)
      this.#remember(response.choices[0]?.parts ?? [], body.id)
      return Buffer.from(stringifyExact(body))
    }
    const encoder = this.#client.createEncoder(target)
    const keep = this.#keeper()
    let text = ''
    for (const part of spreadResponse(response)) {
      keep(part)
      text += encoder.push(part)
    }
    return Buffer.from(text)
  }

  /** Reads the upstream's events, and no more: to see how a stream begins. */
  createDecoder(): ReturnType<Conversion['createDecoder']> {
    return this.#upstream.createDecoder()
  }

  createScanner(): ConvertingScanner {
    return new ConvertingScanner({
      decoder: this.createDecoder(),
      restore: this.#restorer(),
      encoder: this.#client.createEncoder(this.#target()),
      onPart: this.#keeper(),
    })
  }

  /** What the client is to see of each part of a stream. */
  #restorer(): (part: StreamPart) => StreamPart[] {
    const restore = this.#fitted.restoreStream()
    return (part) => {
      if (part.type !== 'error' || part.status === null)
        return restore(withMaker(part, this.#model))
      return [{ ...part, status: hiddenStatus(part.status, this.#call.format) }]
    }
  }

  /** An answer with the client's names of tools, and with whose state it holds. */
  #restored(response: ExchangeResponse): ExchangeResponse {
    const choices = response.choices.map((choice) => ({
      ...choice,
      parts: choice.parts.map((part) => withMaker(part, this.#model)),
    }))
    return this.#fitted.restoreResponse({ ...response, choices })
  }

  /** `counts`: the input's tokens are to be told where the vendor does not tell them (in time). */
  #target(counts = true): AnswerTarget {
    const { id, model, asArray } = this.#call
    return {
      id,
      model,
      request: { ...decodedRequest(this.#call), model },
      estimatedInput: counts ? this.estimatedInput : 0,
      created: unixSeconds(),
      ...(asArray ? { asArray } : {}),
    }
  }

  /** Watches a stream's parts and keeps, at its end, what a later turn will need of them. */
  #keeper(): (part: StreamPart) => void {
    const collected = collectStream()
    const keepsText = this.#keepsAnswer
    // A stream's length must not show in memory: only what is needed again is gathered.
    const needed = (part: StreamPart) =>
      keepsText || !(part.type.startsWith('text') || part.type.startsWith('refusal'))
    return (part) => {
      if (part.type === 'error') return
      if (needed(part)) collected.push(part)
      if (part.type !== 'response-end') return
      this.#remember(
        collected.response().choices[0]?.parts ?? [],
        this.#client.answerId?.(this.#call.id),
      )
    }
  }

  /** Will the client go on from this answer by its id alone? */
  get #keepsAnswer(): boolean {
    return this.#call.format === 'responses' && this.#request.store !== false
  }

  #remember(answer: readonly Part[], id: unknown): void {
    const owner = ownerOf(this.#call)
    this.#parts.reasoning.remember(owner, answer)
    if (this.#keepsAnswer && typeof id === 'string') {
      this.#parts.responses.remember(owner, id, this.#request.turns, answer)
    }
  }
}
