import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { clientConversionOf, conversionOf, traitsOf } from '../../convert/codecs.ts'
import type { AnswerTarget, ClientConversion, Conversion } from '../../convert/conversion.ts'
import { countsNothing } from '../../convert/estimate/counts-nothing.ts'
import { estimateOutput } from '../../convert/estimate/estimate-output.ts'
import type { ExchangeRequest, Part, Usage, WireFormat } from '../../convert/exchange.ts'
import type { ExchangeResponse } from '../../convert/exchange-response.ts'
import { ForeignAnswer } from '../../convert/foreign/foreign-answer.ts'
import { parseExact, stringifyExact } from '../../convert/json/exact-json.ts'
import { asArray } from '../../convert/json/json-value.ts'
import { withMaker } from '../../convert/reasoning/returning-states.ts'
import { collectStream } from '../../convert/stream/collect-stream.ts'
import { spreadResponse } from '../../convert/stream/spread-response.ts'
import type { StreamPart } from '../../convert/stream/stream-part.ts'
import { DistinctIds } from '../../convert/tools/distinct-ids.ts'
import type { RenamedTools } from '../../convert/tools/fit-tools.ts'
import { startOf } from '../../upstream/body-start.ts'
import { EventStream, type ServerSentEvent } from '../../upstream/event-stream.ts'
import { askedModel } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'
import { type CacheBooking, withCacheBooking } from '../explicit-cache/cache-booking.ts'
import { hiddenStatus } from '../failure/report-failure.ts'
import { ConvertingScanner } from './converting-scanner.ts'
import type { Destination, TranslatedRequest } from './translate-request.ts'

/** The part of a call that its answer's translation needs; it can be sent to another thread. */
export type AnsweredCall = Pick<
  Call,
  'id' | 'format' | 'model' | 'askedModel' | 'stream' | 'asArray'
>

/** The part of its translated request. */
export interface AnsweredRequest
  extends Pick<TranslatedRequest, 'asked' | 'tools' | 'callIds' | 'loss'> {
  readonly sent: Pick<ExchangeRequest, 'store'>
  readonly estimatedInput: number
}

function eventsOf(bytes: Buffer): ServerSentEvent[] {
  if (startOf(bytes) !== 'array') {
    const events = new EventStream()
    return [...events.push(bytes), ...events.end()]
  }
  const items = asArray(parseExact(bytes.toString('utf8').replace(/^\ufeff/, '')))
  return items.map((item) => ({ event: null, data: stringifyExact(item) }))
}

/** Did the vendor count what it used? Zeros are no count of an answer with words. */
const isTold = ({ usage, choices }: ExchangeResponse): boolean =>
  usage !== null &&
  !(countsNothing(usage) && estimateOutput(choices.flatMap(({ parts }) => parts)) > 0)

/** The way back of an answer into its client's wire format, on whatever thread. */
export abstract class AnswerTranslation {
  /** The upstream's. */
  readonly format: WireFormat
  /** The model's name at the upstream. */
  readonly model: string
  /** The cost of the cache that the call named, beside the vendor's report; null = nothing. */
  cacheBooking: CacheBooking | null = null
  readonly #call: AnsweredCall
  readonly #request: AnsweredRequest
  readonly #client: ClientConversion
  readonly #upstream: Conversion

  constructor(
    call: AnsweredCall,
    to: Pick<Destination, 'format' | 'model'>,
    request: AnsweredRequest,
  ) {
    this.#call = call
    this.#client = clientConversionOf(call.format)
    this.#upstream = conversionOf(to.format)
    this.format = to.format
    this.model = to.model
    this.#request = request
  }

  /** As the client asked. */
  get asked(): ExchangeRequest {
    return this.#request.asked
  }

  /** May the vendor keep the answer, as the client wishes? */
  get store(): boolean | undefined {
    return this.#request.sent.store
  }

  /** Ids of the conversation's tool calls, as the client knows them. */
  get callIds(): readonly string[] {
    return this.#request.callIds
  }

  /** How the request's tools were renamed. */
  get renamed(): RenamedTools | null {
    return this.#request.tools.renamed
  }

  /** Input tokens, counted here. */
  get estimatedInput(): number {
    return this.#request.estimatedInput
  }

  /** An upstream's whole answer as the neutral exchange; throws `upstream_invalid` for what is none. */
  decodeWhole(bytes: Buffer): ExchangeResponse {
    const body = parseExact(bytes.toString('utf8'))
    return this.#restored(this.#upstream.decodeResponse(body))
  }

  /**
   * A stream that has ended, as events or as one JSON array, gathered into one answer; throws `upstream_cut` for one
   * that is not whole.
   */
  decodeEvents(bytes: Buffer): ExchangeResponse {
    const decoder = this.#upstream.createDecoder()
    const collected = collectStream()
    let isWhole = false
    const take = (parts: readonly StreamPart[]) => {
      for (const part of parts) {
        collected.push(part)
        isWhole ||= part.type === 'response-end'
      }
    }
    for (const event of eventsOf(bytes)) if (!isWhole) take(decoder.push(event))
    if (!isWhole) take(decoder.end())
    if (isWhole) return this.#restored(collected.response())
    throw new GatewayError('upstream_cut', {
      message: 'The upstream ended the stream before the answer was complete.',
      reason: { code: 'upstream_cut_short' },
    })
  }

  /** The usage of an answer whose vendor does not tell it. */
  estimateUsage({ choices }: ExchangeResponse): Usage {
    const output = estimateOutput(choices.flatMap(({ parts }) => parts))
    const input = this.estimatedInput
    const usage = { input, cachedInput: 0, cacheWrite: 0, output, reasoning: 0 }
    return withCacheBooking(usage, this.cacheBooking)
  }

  /** The answer's bytes for the client: one body, or all of a stream's events at once. */
  encode(decoded: ExchangeResponse): Buffer {
    const response = decoded.usage ? decoded : { ...decoded, usage: this.estimateUsage(decoded) }
    if (!decoded.usage) this.noteEstimate()
    const target = this.#target(this.#call.stream)
    if (!this.#call.stream) {
      const body = this.#client.encodeResponse(response, target)
      this.remember(response.choices[0]?.parts ?? [], body.id)
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

  createScanner(): ConvertingScanner {
    return new ConvertingScanner({
      decoder: this.#upstream.createDecoder(),
      restore: this.#restorer(),
      encoder: this.#client.createEncoder(this.#target()),
      estimateInput: () => {
        this.noteEstimate()
        return this.estimatedInput
      },
      onPart: this.#keeper(),
    })
  }

  /** Each part of a stream as the client sees it. */
  #restorer(): (part: StreamPart) => StreamPart[] {
    const restore = this.#request.tools.restoreStream()
    const foreign = this.#foreign()
    const shown = (part: StreamPart): StreamPart[] => {
      const restored = restore(withMaker(part, this.model))
      const [only] = restored
      // By far the most are one part, and stay one.
      if (only && restored.length === 1) return foreign.part(only)
      return restored.flatMap((one) => foreign.part(one))
    }
    let ids: DistinctIds | null = null
    return (part) => {
      if (part.type === 'usage') {
        return shown({ ...part, usage: withCacheBooking(part.usage, this.cacheBooking) })
      }
      if (part.type === 'call-start') {
        ids ??= new DistinctIds(this.#request.callIds)
        return shown(ids.named(part))
      }
      if (part.type !== 'error' || part.status === null) return shown(part)
      return [{ ...part, status: hiddenStatus(part, this.#call.format) }]
    }
  }

  /** An answer with the client's names of tools, and with whose state it holds. */
  #restored(response: ExchangeResponse): ExchangeResponse {
    const ids = new DistinctIds(this.#request.callIds)
    const choices = response.choices.map((choice) => ({
      ...choice,
      parts: choice.parts.map((part) => ids.named(withMaker(part, this.model))),
    }))
    const told = isTold(response) ? response.usage : null
    const usage = told && withCacheBooking(told, this.cacheBooking)
    return this.#foreign().whole(
      this.#request.tools.restoreResponse({ ...response, choices, usage }),
    )
  }

  /** Notes what the client's format has no place for. */
  #foreign(): ForeignAnswer {
    return new ForeignAnswer(this.#client.format, this.#client.answerPlaces, this.#request.loss)
  }

  /** `counts`: the input's tokens are to be told where the vendor does not tell them (in time). */
  #target(counts = true): AnswerTarget {
    const { id, asArray } = this.#call
    const model = askedModel(this.#call)
    return {
      id,
      model,
      request: { ...this.#request.asked, model },
      estimatedInput: counts ? this.estimatedInput : 0,
      created: unixSeconds(),
      ...(asArray ? { asArray } : {}),
    }
  }

  /** Watches a stream's parts and keeps, at its end, what a later turn will need of them. */
  #keeper(): (part: StreamPart) => void {
    const collected = collectStream()
    const keepsText = this.keepsAnswer
    // A stream's length must not show in memory: only what is needed again is gathered.
    const needed = (part: StreamPart) =>
      keepsText || !(part.type.startsWith('text') || part.type.startsWith('refusal'))
    return (part) => {
      if (part.type === 'error') return
      if (needed(part)) collected.push(part)
      if (part.type !== 'response-end') return
      this.remember(
        collected.response().choices[0]?.parts ?? [],
        this.#client.answerId?.(this.#call.id),
      )
    }
  }

  /** Will the client go on from this answer by its id alone? */
  get keepsAnswer(): boolean {
    return traitsOf(this.#call.format).keepsAnswers === true && this.#request.sent.store !== false
  }

  /** The client is told an estimate of its usage, since the vendor told none. */
  noteEstimate(): void {
    // Only the gateway's own thread has a place for it.
  }

  /** Keeps what a later turn will need of an answer, which has this id for its client. */
  abstract remember(answer: readonly Part[], id: unknown): void
}
