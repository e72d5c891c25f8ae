import type { CallFormat } from '../../../convert/call-format.ts'
import type { Loss } from '../../../convert/loss.ts'
import type { Call } from '../../call/call.ts'
import type { AttemptRecord, CallRecord } from '../../call/call-record.ts'
import type { Place, PreparedCall, Received } from '../prepared-call.ts'
import { CountedAnswer } from './counted-answer.ts'

/** A call that the gateway answers itself: it counts tokens whose upstream cannot. */
export class Local implements PreparedCall {
  readonly place: Place
  readonly url = ''
  readonly cache = null
  readonly #call: Call
  readonly #format: CallFormat
  readonly #loss: Loss
  readonly #tokens: number

  /** `format`: the upstream's, for which the call's losses are told. */
  constructor(call: Call, place: Place, format: CallFormat, loss: Loss, tokens: number) {
    this.place = place
    this.#call = call
    this.#format = format
    this.#loss = loss
    this.#tokens = tokens
  }

  get conversion(): AttemptRecord['conversion'] {
    return { format: this.#format, losses: this.#loss.entries }
  }

  ask(_attempt: AttemptRecord, record: CallRecord): Promise<Received> {
    record.isEstimated = true
    return Promise.resolve(this.counted(this.#tokens))
  }

  counted(tokens: number): Received {
    return new CountedAnswer(this.#call, this.#loss, tokens)
  }
}
