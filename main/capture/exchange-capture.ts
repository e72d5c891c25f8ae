import { GatewayError } from '../base/errors.ts'
import type { CapturedExchange, CapturedFailure } from './capture.ts'
import type { HeaderSource } from './captured-headers.ts'
import { type BodyOwner, elapsed } from './recorded-body.ts'
import { type FormFacts, RecordedAnswer, RecordedRequest } from './recorded-message.ts'

/** The upstream's side of an attempt. */
export interface ExchangeFacts {
  channelId: number
  channelName: string
  model: string
  format: string
}

export interface OutgoingFacts {
  method: string
  url: string
  headers: HeaderSource
}

/** The call that an exchange belongs to. */
interface ExchangeOwner extends BodyOwner {
  /** Called when no more of the exchange comes. */
  checkOver(): void
}

/** One request to an upstream and its answer, while they are under way. */
export class ExchangeCapture implements CapturedExchange {
  readonly channelId: number
  readonly channelName: string
  readonly model: string
  readonly format: string
  readonly request: RecordedRequest
  connectedAt: number | null = null
  sentAt: number | null = null
  answer: RecordedAnswer | null = null
  failure: CapturedFailure | null = null
  isOver = false
  readonly #owner: ExchangeOwner
  #formFacts: (() => FormFacts) | null = null

  constructor(
    { channelId, channelName, model, format }: ExchangeFacts,
    sent: OutgoingFacts,
    owner: ExchangeOwner,
  ) {
    this.channelId = channelId
    this.channelName = channelName
    this.model = model
    this.format = format
    this.#owner = owner
    this.request = new RecordedRequest(sent, elapsed(owner), owner)
  }

  /** The body is a form, which is still being sent: its facts are asked for at the end. */
  sentForm(facts: () => FormFacts): void {
    this.#formFacts = facts
  }

  onConnected(): void {
    this.connectedAt ??= elapsed(this.#owner)
  }

  onSent(): void {
    this.sentAt ??= elapsed(this.#owner)
  }

  /** The answer's head is there. */
  onAnswer(status: number, headers: HeaderSource): void {
    this.answer = new RecordedAnswer(status, headers, this.#owner)
  }

  onChunk(chunk: Buffer): void {
    if (!this.isOver) this.answer?.body.push(chunk)
  }

  /** `isCut`: the body broke off, or nobody wanted the rest of it. */
  onEnd(isCut: boolean): void {
    if (this.isOver) return
    this.isOver = true
    this.answer?.end(isCut)
    if (this.#formFacts) this.request.addForm(this.#formFacts())
    this.#formFacts = null
    this.#owner.checkOver()
  }

  /** No answer began. */
  onFailure(error: unknown): void {
    if (this.isOver) return
    const { code, reason } = error instanceof GatewayError ? error : { code: 'internal' }
    this.failure = { code, message: (error as Error).message, ...(reason && { reason }) }
    this.onEnd(true)
  }
}
