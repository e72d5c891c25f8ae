import { parseJson } from '../../../base/text/parse-json.ts'
import { codecOf } from '../../../convert/codecs.ts'
import { readAll } from '../../../upstream/body.ts'
import { startOf } from '../../../upstream/body-start.ts'
import type { UpstreamAnswer } from '../../../upstream/request.ts'
import { checkWhole } from '../../answer/check-whole.ts'
import { firstEvent } from '../../answer/first-event.ts'
import {
  ANSWER_LIMIT,
  isEventStream,
  labelAnswer,
  patienceBefore,
} from '../../answer/label-answer.ts'
import { isGood, readFailure } from '../../answer/read-failure.ts'
import type { Call } from '../../call/call.ts'
import type { AttemptRecord, CallRecord } from '../../call/call-record.ts'
import type { ConnectionServices } from '../../channel/channel-connection.ts'
import { type CacheNote, CacheUse } from '../../explicit-cache/cache-use.ts'
import { ErrorInAnswer } from '../../failure/error-in-answer.ts'
import type { Failure } from '../../failure/failure.ts'
import { unreadable } from '../../failure/unreadable.ts'
import { ConvertedStart } from '../../translate/converted-start.ts'
import {
  answerOnThread,
  isAnswerForThread,
  type ThreadServices,
} from '../../translate/threads/answer-on-thread.ts'
import type { Translation } from '../../translate/translation.ts'
import { countedTokens } from '../../usage/count-tokens.ts'
import { CountedAnswer } from '../local/counted-answer.ts'
import { noteRequestId, type Place, type PreparedCall, type Received } from '../prepared-call.ts'
import { type OutgoingRequest, send } from '../send.ts'
import { ConvertedOnThread } from './converted-on-thread.ts'
import { ConvertedStream } from './converted-stream.ts'
import { ConvertedWhole } from './converted-whole.ts'

/** The stores that a converted call works with. */
export type ConvertedServices = ConnectionServices & ThreadServices

/** A call whose upstream speaks another wire format than its client, or streams where the client does not. */
export class Converted implements PreparedCall {
  readonly place: Place
  readonly #call: Call
  readonly #request: OutgoingRequest
  readonly #translation: Translation
  readonly #cache: CacheUse | CacheNote | null
  readonly #services: ConvertedServices

  constructor(
    call: Call,
    place: Place,
    request: OutgoingRequest,
    translation: Translation,
    cache: CacheUse | CacheNote | null,
    services: ConvertedServices,
  ) {
    this.place = place
    this.#call = call
    this.#request = request
    this.#translation = translation
    this.#cache = cache
    this.#services = services
  }

  get url(): string {
    return this.#request.url
  }

  get conversion(): AttemptRecord['conversion'] {
    const { format, loss } = this.#translation
    return { format, losses: loss.entries }
  }

  get cache(): CacheNote | null {
    return this.#cache instanceof CacheUse ? this.#cache.note : this.#cache
  }

  async ask(attempt: AttemptRecord, record: CallRecord): Promise<Received | Failure> {
    if (this.#cache instanceof CacheUse) {
      const received = await this.#askBesideCache(this.#cache, attempt, record)
      if (received) return received
    }
    const answer = await this.#send(this.#request)
    noteRequestId(answer, attempt)
    return isGood(answer) ? this.#receive(answer, attempt) : readFailure(answer, this.url)
  }

  counted(tokens: number): Received {
    return new CountedAnswer(this.#call, this.#translation.loss, tokens)
  }

  /** Null where the vendor does not have the cache any more: the whole body is to be sent. */
  async #askBesideCache(
    cache: CacheUse,
    attempt: AttemptRecord,
    record: CallRecord,
  ): Promise<Received | Failure | null> {
    const request = this.#request
    const purchases = record.cachePurchases()
    purchases.add(cache.buy())
    let answer: UpstreamAnswer
    try {
      // Headers are filled in as they are sent, and the whole body has a length of its own.
      answer = await this.#send({ ...request, headers: { ...request.headers }, body: cache.body })
    } finally {
      purchases.add(await cache.buyRest())
    }
    noteRequestId(answer, attempt)
    if (isGood(answer)) {
      this.#translation.cacheBooking = purchases.current
      return this.#receive(answer, attempt)
    }
    const failure = await readFailure(answer, this.url)
    if (!failure.refusal || !cache.isGone(failure.refusal)) return failure
    cache.giveUp()
    purchases.leave()
    return null
  }

  #send(request: OutgoingRequest): Promise<UpstreamAnswer> {
    const call = this.#call
    return send(call, this.place, request, call.cancellation, this.#services)
  }

  /** The answer may be a stream where none was asked for, and the other way round. */
  async #receive(received: UpstreamAnswer, attempt: AttemptRecord): Promise<Received> {
    const call = this.#call
    const services = this.#services
    const { channel } = this.place
    const patience = patienceBefore(attempt, services)
    const answer = call.stream ? await labelAnswer(received, call, patience) : received
    let content: Buffer | null = null
    if (call.stream && isEventStream(answer.headers)) {
      const scanner = this.#translation.createScanner()
      const beginning = new ConvertedStart(scanner)
      const start = await firstEvent(answer.body, beginning, channel, patience)
      if (!start.whole)
        return new ConvertedStream(call, this.#translation, services, answer.status, start, scanner)
      content = start.whole
    }
    content ??= await readAll(answer.body, ANSWER_LIMIT)
    return this.#receiveWhole(content, answer.status)
  }

  async #receiveWhole(content: Buffer, status: number): Promise<Received> {
    const call = this.#call
    const translation = this.#translation
    const { channel } = this.place
    // A whole answer to the client may be a stream of its upstream's, Gemini's array of chunks too.
    const start = startOf(content)
    const isEvents = start === 'events' || start === 'array'
    if (start !== 'events') checkWhole(content, codecOf(translation.format).answerKeys, channel)
    if (call.verb === 'count-tokens') {
      const tokens =
        countedTokens(translation.format, parseJson(content)) ?? translation.estimatedInput
      return new CountedAnswer(call, translation.loss, tokens)
    }
    try {
      const onThread = isAnswerForThread(content, call)
        ? await answerOnThread(content, isEvents, call, translation, this.#services)
        : null
      if (onThread) return new ConvertedOnThread(call, translation, status, content, onThread)
      const response = isEvents
        ? translation.decodeEvents(content)
        : translation.decodeWhole(content)
      return new ConvertedWhole(call, translation, status, content, response)
    } catch (error) {
      const { code, message, status, vendorCode = null, field } = unreadable(error)
      if (code !== 'upstream_error') throw unreadable(error)
      const param = field === undefined ? {} : { param: field }
      throw new ErrorInAnswer({ message, status, code: vendorCode, ...param }, channel)
    }
  }
}
