import type { Codec } from '../../../convert/codec.ts'
import { codecOf } from '../../../convert/codecs.ts'
import { JsonFields, JsonFieldsReader } from '../../../convert/json/json-fields.ts'
import { readAll } from '../../../upstream/body.ts'
import type { UpstreamAnswer } from '../../../upstream/request.ts'
import { BytesScanner } from '../../answer/bytes-scanner.ts'
import { checkWhole } from '../../answer/check-whole.ts'
import { firstEvent } from '../../answer/first-event.ts'
import {
  ANSWER_LIMIT,
  isEventStream,
  isJson,
  labelAnswer,
  patienceBefore,
} from '../../answer/label-answer.ts'
import { isGood, readFailure } from '../../answer/read-failure.ts'
import { askedModel } from '../../call/asked-model.ts'
import type { Call } from '../../call/call.ts'
import type { AttemptRecord } from '../../call/call-record.ts'
import type { ConnectionServices } from '../../channel/channel-connection.ts'
import type { Failure } from '../../failure/failure.ts'
import { UnaskedStream } from '../../failure/unasked-stream.ts'
import { countAnswer } from '../../usage/count-tokens.ts'
import { BIG_BODY } from '../../usage/estimated-prompt.ts'
import { noteRequestId, type Place, type PreparedCall, type Received } from '../prepared-call.ts'
import { type OutgoingRequest, send } from '../send.ts'
import { PassthroughStream } from './passthrough-stream.ts'
import { answerFields, PassthroughWhole } from './passthrough-whole.ts'

/** A call that is answered in its client's own wire format, whether or not its body was written anew. */
export class Passthrough implements PreparedCall {
  readonly place: Place
  readonly #call: Call
  readonly #request: OutgoingRequest
  /** The usage chunk was asked for by us, not by the client. */
  readonly #withholdsUsage: boolean
  readonly #services: ConnectionServices

  constructor(
    call: Call,
    place: Place,
    request: OutgoingRequest,
    withholdsUsage: boolean,
    services: ConnectionServices,
  ) {
    this.place = place
    this.#call = call
    this.#request = request
    this.#withholdsUsage = withholdsUsage
    this.#services = services
  }

  get url(): string {
    return this.#request.url
  }

  get conversion(): null {
    return null
  }

  get cache(): null {
    return null
  }

  async ask(attempt: AttemptRecord): Promise<Received | Failure> {
    const call = this.#call
    const services = this.#services
    const { place } = this
    const answer = await send(call, place, this.#request, call.cancellation, services)
    noteRequestId(answer, attempt)
    return isGood(answer) ? this.#receive(answer, attempt) : readFailure(answer, this.url)
  }

  counted(tokens: number): Received {
    const content = countAnswer(this.#call, tokens)
    const headers = { 'content-type': 'application/json' }
    return new PassthroughWhole(
      this.#call,
      this.place,
      { status: 200, headers },
      content,
      new JsonFields(content),
    )
  }

  /** Throws the failure in a 2xx answer while another channel can still be tried. */
  async #receive(answer: UpstreamAnswer, attempt: AttemptRecord): Promise<Received> {
    const call = this.#call
    const services = this.#services
    const codec = codecOf(call.format)
    // For a form only the answer shows whether a stream was asked for.
    const asksStream = call.stream || call.form !== null
    const isKnown = codec.answerKeys.length > 0
    // Bytes may begin like anything.
    const mayMislead = isKnown ? asksStream : isJson(answer.headers)
    const patience = patienceBefore(attempt, services)
    const known = mayMislead ? await labelAnswer(answer, call, patience) : answer
    return isKnown
      ? this.#receiveKnown(known, codec, asksStream, patience)
      : this.#receiveAny(known, codec, patience)
  }

  async #receiveKnown(
    answer: UpstreamAnswer,
    codec: Codec,
    asksStream: boolean,
    patience: number,
  ): Promise<Received> {
    const call = this.#call
    const { place } = this
    const { headers, body } = answer
    const isEvents = isEventStream(headers)
    const asArray = call.asArray && !isEvents
    if (asksStream && (isEvents || (asArray && isJson(headers))))
      return this.#receiveStream(answer, codec, asArray, patience)
    if (!asksStream && isEvents && call.verb === 'generate') {
      body.abort()
      throw new UnaskedStream(place.channel)
    }
    const reader = mayBeLarge(answer) ? new JsonFieldsReader() : null
    const whole = await readAll(body, ANSWER_LIMIT, reader)
    const fields = answerFields(whole, reader, codec, place.channel)
    return new PassthroughWhole(call, place, answer, whole, fields)
  }

  /** An answer that need not be JSON: sound, text, events, or JSON after all. */
  async #receiveAny(answer: UpstreamAnswer, codec: Codec, patience: number): Promise<Received> {
    const call = this.#call
    const services = this.#services
    const { place } = this
    const { headers, body } = answer
    const type = String(headers['content-type'] ?? '')
    if (isEventStream(headers)) return this.#receiveStream(answer, codec, false, patience)
    if (!/json|^text\//.test(type)) {
      const scanner = new BytesScanner(codec.requestUsage?.(call.body) ?? null)
      const start = await firstEvent(body, scanner, place.channel, patience)
      return new PassthroughStream(call, place, services, answer, start, scanner, call.asArray)
    }
    const whole = await readAll(body, ANSWER_LIMIT)
    // A transcript may be any text, but no page of a site.
    if (type.includes('json') || type.includes('html')) checkWhole(whole, [], place.channel)
    return new PassthroughWhole(call, place, answer, whole, null)
  }

  async #receiveStream(
    answer: UpstreamAnswer,
    codec: Codec,
    asArray: boolean,
    patience: number,
  ): Promise<Received> {
    const call = this.#call
    const services = this.#services
    const { place } = this
    const scanner = codec.createScanner({
      withholdUsage: this.#withholdsUsage,
      showModel: place.upstreamModel === askedModel(call) ? null : askedModel(call),
      asArray,
      request: call.body,
    })
    const start = await firstEvent(answer.body, scanner, place.channel, patience)
    return new PassthroughStream(call, place, services, answer, start, scanner, asArray)
  }
}

/** Its length is large, or not told: fields are then looked for while it comes, and not at once when it is there. */
const mayBeLarge = ({ headers: { 'content-length': length } }: UpstreamAnswer): boolean =>
  length === undefined || Number(length) >= BIG_BODY
