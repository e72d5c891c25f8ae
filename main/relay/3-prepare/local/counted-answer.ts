import type { Loss } from '../../../convert/loss.ts'
import type { Answer } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import type { CallRecord } from '../../call/call-record.ts'
import { countAnswer } from '../../usage/count-tokens.ts'
import { convertedHeaders, convertedType } from '../converted-headers.ts'
import type { Received } from '../prepared-call.ts'

/** The answer to a call that counts tokens, in its client's format. */
export class CountedAnswer implements Received {
  readonly status = 200
  readonly beginning: readonly Buffer[] = []
  readonly #call: Call
  readonly #loss: Loss
  readonly #tokens: number

  constructor(call: Call, loss: Loss, tokens: number) {
    this.#call = call
    this.#loss = loss
    this.#tokens = tokens
  }

  restore(_record: CallRecord): Answer {
    const call = this.#call
    const headers = convertedHeaders(call, this.#loss, convertedType(call), call.stream)
    return { status: 200, headers, body: countAnswer(call, this.#tokens) }
  }
}
