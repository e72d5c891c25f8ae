import { codecOf } from '../../../convert/codecs.ts'
import type { StreamStart } from '../../answer/first-event.ts'
import type { StreamServices } from '../../answer/label-answer.ts'
import { RelayedStream } from '../../answer/relayed-stream.ts'
import type { Answer } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import type { CallRecord } from '../../call/call-record.ts'
import type { BridgeCall, BridgeStream } from '../../translate/bridge-call.ts'
import { convertedHeaders } from '../converted-headers.ts'
import type { Received } from '../prepared-call.ts'

/** A stream of a call that went over a bridge. */
export class BridgedStream implements Received {
  readonly status: number
  readonly #call: Call
  readonly #bridge: BridgeCall
  readonly #services: StreamServices
  readonly #start: StreamStart
  readonly #stream: BridgeStream

  constructor(
    call: Call,
    bridge: BridgeCall,
    services: StreamServices,
    status: number,
    start: StreamStart,
    stream: BridgeStream,
  ) {
    this.status = status
    this.#call = call
    this.#bridge = bridge
    this.#services = services
    this.#start = start
    this.#stream = stream
  }

  get beginning(): readonly Buffer[] {
    return this.#start.chunks
  }

  restore(record: CallRecord): Answer {
    const call = this.#call
    const { scanner, contentType } = this.#stream
    const headers = convertedHeaders(call, this.#bridge.loss, contentType, true)
    record.isStream ||= !scanner.isBinary
    const body = new RelayedStream({
      call,
      record,
      codec: codecOf(call.format),
      start: this.#start,
      scanner,
      asArray: call.asArray,
      services: this.#services,
    })
    return { status: 200, headers, body }
  }
}
