import type { ExchangeResponse } from '../../../convert/exchange-response.ts'
import type { Answer } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import type { CallRecord } from '../../call/call-record.ts'
import type { Translation } from '../../translate/translation.ts'
import { convertedHeaders, convertedType } from '../converted-headers.ts'
import type { Received } from '../prepared-call.ts'

/** A whole answer, decoded; the client may have asked for a stream. */
export class ConvertedWhole implements Received {
  readonly status: number
  readonly #call: Call
  readonly #translation: Translation
  readonly #content: Buffer
  readonly #response: ExchangeResponse

  constructor(
    call: Call,
    translation: Translation,
    status: number,
    content: Buffer,
    response: ExchangeResponse,
  ) {
    this.status = status
    this.#call = call
    this.#translation = translation
    this.#content = content
    this.#response = response
  }

  get beginning(): readonly Buffer[] {
    return [this.#content]
  }

  restore(record: CallRecord): Answer {
    const call = this.#call
    const translation = this.#translation
    const response = this.#response
    const body = translation.encode(response)
    // Behind `encode`: the header tells the losses of the answer too.
    const headers = convertedHeaders(call, translation.loss, convertedType(call), call.stream)
    record.firstByteAfter = performance.now() - call.receivedAt
    record.usage = response.usage ?? translation.estimateUsage(response)
    record.isEstimated = response.usage === null
    return { status: 200, headers, body }
  }
}
