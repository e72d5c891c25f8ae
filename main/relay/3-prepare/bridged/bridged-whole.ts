import type { BridgeAnswer } from '../../../convert/other/bridge.ts'
import { isEventStream } from '../../answer/label-answer.ts'
import type { Answer } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import type { CallRecord } from '../../call/call-record.ts'
import type { BridgeCall } from '../../translate/bridge-call.ts'
import { convertedHeaders } from '../converted-headers.ts'
import type { Received } from '../prepared-call.ts'

/** A whole answer to a call that went over a bridge. */
export class BridgedWhole implements Received {
  readonly status: number
  readonly beginning: readonly Buffer[] = []
  readonly #call: Call
  readonly #bridge: BridgeCall
  readonly #answer: BridgeAnswer

  constructor(call: Call, bridge: BridgeCall, status: number, answer: BridgeAnswer) {
    this.status = status
    this.#call = call
    this.#bridge = bridge
    this.#answer = answer
  }

  restore(record: CallRecord): Answer {
    const call = this.#call
    const { body, contentType, usage } = this.#answer
    record.firstByteAfter = performance.now() - call.receivedAt
    record.usage = usage
    // For multipart calls only the answer shows whether a stream was asked for.
    record.isStream ||= isEventStream({ 'content-type': contentType })
    return {
      status: 200,
      headers: convertedHeaders(call, this.#bridge.loss, contentType, false),
      body,
    }
  }
}
