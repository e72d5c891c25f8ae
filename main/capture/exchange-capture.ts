import { GatewayError } from '../base/errors.ts'
import type { CapturedAnswer, CapturedExchange, CapturedRequest } from './capture.ts'
import { capturedHeaders, capturedUrl, type HeaderSource } from './captured-headers.ts'
import { type CaptureMemory, RecordedBody } from './recorded-body.ts'

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

/** One request to an upstream and its answer, while they are under way. */
export class ExchangeCapture implements CapturedExchange {
  readonly channelId: number
  readonly channelName: string
  readonly model: string
  readonly format: string
  readonly request: CapturedRequest
  readonly requestBody: RecordedBody
  connectedAt: number | null = null
  answer: (CapturedAnswer & { body: RecordedBody }) | null = null
  failure: { code: string; message: string } | null = null
  isOver = false
  readonly #memory: CaptureMemory
  readonly #since: number
  readonly #onOver: () => void

  constructor(
    { channelId, channelName, model, format }: ExchangeFacts,
    { method, url, headers }: OutgoingFacts,
    memory: CaptureMemory,
    since: number,
    onOver: () => void,
  ) {
    this.channelId = channelId
    this.channelName = channelName
    this.model = model
    this.format = format
    this.#memory = memory
    this.#since = since
    this.#onOver = onOver
    this.requestBody = new RecordedBody(memory, since)
    this.request = {
      at: performance.now() - since,
      method,
      url: capturedUrl(url),
      headers: capturedHeaders(headers),
      body: this.requestBody,
    }
  }

  readonly onConnected = (): void => {
    this.connectedAt ??= performance.now() - this.#since
  }

  /** The answer's head is there. */
  begin(status: number, headers: HeaderSource): void {
    this.answer = {
      at: performance.now() - this.#since,
      status,
      headers: capturedHeaders(headers),
      body: new RecordedBody(this.#memory, this.#since),
      endedAt: null,
      isCut: false,
    }
  }

  onChunk(chunk: Buffer): void {
    this.answer?.body.push(chunk)
  }

  /** `isCut`: the body broke off, or nobody wanted the rest of it. */
  onEnd(isCut: boolean): void {
    if (this.isOver) return
    this.isOver = true
    if (this.answer) {
      this.answer.endedAt = performance.now() - this.#since
      this.answer.isCut = isCut
    }
    this.#onOver()
  }

  /** No answer began. */
  fail(error: unknown): void {
    const code = error instanceof GatewayError ? error.code : 'internal'
    this.failure = { code, message: (error as Error).message }
    this.onEnd(true)
  }

  get held(): number {
    return this.requestBody.held + (this.answer?.body.held ?? 0)
  }
}
