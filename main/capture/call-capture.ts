import type { Slotted } from '../base/order/slot-list.ts'
import type { Capture, CapturedFrame } from './capture.ts'
import type { HeaderSource } from './captured-headers.ts'
import { ExchangeCapture, type ExchangeFacts, type OutgoingFacts } from './exchange-capture.ts'
import { type BodyOwner, elapsed } from './recorded-body.ts'
import { type FormFacts, RecordedAnswer, RecordedRequest } from './recorded-message.ts'

/** A request as it came from a client. */
export interface ArrivedRequest {
  id: string
  /** `performance.now()` when the head was there. */
  receivedAt: number
  userId: number
  tokenId: number
  format: string
  model: string
  method: string
  /** Path and query. */
  url: string
  headers: HeaderSource
}

/** Bytes that a capture costs beside its bodies, roughly: its headers and objects. */
const OVERHEAD = 3000
const FRAME_OVERHEAD = 100
const NO_EXCHANGES: readonly ExchangeCapture[] = []

/** Where captures are kept while their calls are under way. */
export interface CaptureHost extends Omit<BodyOwner, 'since'> {
  /** Called once, when the client has its answer and no exchange is under way any more. */
  over(capture: CallCapture): void
}

/** The four borders of one call while it's under way. */
export class CallCapture implements Omit<Capture, 'source'>, BodyOwner, Slotted {
  slot = -1
  /** Bytes of memory that are counted for it. */
  held = OVERHEAD
  /** The same when the call was over. */
  heldAtRest = 0
  readonly id: string
  readonly receivedAt: number
  readonly userId: number
  readonly tokenId: number
  readonly format: string
  model: string
  exchanges: readonly ExchangeCapture[] = NO_EXCHANGES
  /** Messages of a WebSocket session, up to the cap of a body. */
  frames?: CapturedFrame[]
  readonly client: { request: RecordedRequest; answer: RecordedAnswer | null }
  /** The call failed for its client. */
  isFailed = false
  readonly since: number
  readonly largestBody: number
  readonly #host: CaptureHost
  #formFacts: (() => FormFacts) | null = null
  #frameBytes = 0
  #isEnded = false
  #isOver = false
  #isSealed = false

  constructor(arrived: ArrivedRequest, host: CaptureHost) {
    const { id, receivedAt, userId, tokenId, format, model } = arrived
    this.id = id
    this.receivedAt = Math.round(performance.timeOrigin + receivedAt)
    this.userId = userId
    this.tokenId = tokenId
    this.format = format
    this.model = model
    this.since = receivedAt
    this.#host = host
    this.largestBody = host.largestBody
    this.client = { request: new RecordedRequest(arrived, 0, this), answer: null }
  }

  take(bytes: number): boolean {
    if (!this.#host.take(bytes)) return false
    this.held += bytes
    return true
  }

  /** The client's body. */
  sent(pieces: Buffer | readonly Buffer[]): void {
    this.client.request.body.add(pieces)
  }

  /** The model that the body names. */
  knowModel(model: string): void {
    this.model = model
  }

  /** The client's body is a form, which may still be coming: its facts are asked for at the end. */
  sentForm(facts: () => FormFacts): void {
    this.#formFacts = facts
  }

  /**
   * A request to an upstream. A body that is the client's own, in the very same memory, is kept once; null for one
   * that is still being made.
   */
  exchange(
    facts: ExchangeFacts,
    request: OutgoingFacts,
    body: Buffer | readonly Buffer[] | null,
  ): ExchangeCapture {
    const exchange = new ExchangeCapture(facts, request, this)
    if (body) exchange.request.body.add(body, this.#isOwnBody(body))
    this.exchanges = this.exchanges === NO_EXCHANGES ? [exchange] : [...this.exchanges, exchange]
    return exchange
  }

  #isOwnBody(body: Buffer | readonly Buffer[]): boolean {
    const first = Buffer.isBuffer(body) ? body : body[0]
    return first !== undefined && this.client.request.body.beginsIn(first)
  }

  /** The client's answer begins. */
  answer(status: number, headers: HeaderSource): void {
    if (this.#isSealed) return
    this.client.answer = new RecordedAnswer(status, headers, this)
    if (status >= 400) this.isFailed = true
  }

  /** Bytes for the client. */
  chunk(bytes: Buffer): void {
    if (this.#isSealed) return
    this.client.answer?.body.push(bytes, this.exchanges.at(-1)?.answer?.body)
  }

  /** It's a WebSocket session, which has messages in place of an answer. */
  beginSession(): void {
    this.frames ??= []
  }

  /** A message of a WebSocket session; `shared`: the very same bytes cross another border as well. */
  frame(border: CapturedFrame['border'], data: Buffer, isBinary = false, shared = false): void {
    if (this.#isSealed) return
    this.beginSession()
    const at = elapsed(this)
    const cost = shared ? 0 : data.length + FRAME_OVERHEAD
    if (this.#frameBytes + cost > this.largestBody || !this.take(cost)) return
    this.#frameBytes += cost
    this.frames?.push({ at, border, isBinary, data })
  }

  /** The call failed for its client; called before its end. */
  fail(): void {
    this.isFailed = true
  }

  /** The call ends with a refusal in the client's format, which `refused` shows where it's written. */
  refuse(): void {
    this.isFailed = true
    this.end(false)
  }

  /** The refusal that the client got. */
  refused(status: number, headers: HeaderSource, body: Buffer): void {
    this.answer(status, headers)
    this.chunk(body)
    this.client.answer?.end(false)
  }

  /** The client has its answer, or left. */
  end(isCut: boolean): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.client.answer?.end(isCut)
    if (isCut) this.isFailed = true
    if (this.#formFacts) this.client.request.addForm(this.#formFacts())
    this.#formFacts = null
    this.checkOver()
  }

  checkOver(): void {
    if (!this.#isEnded || this.#isOver) return
    for (const { isOver } of this.exchanges) if (!isOver) return
    this.#isOver = true
    this.#host.over(this)
  }

  /** It's kept elsewhere from now on: what still comes is late. */
  seal(): void {
    this.#isSealed = true
  }
}
