import { codecOf } from '../../../convert/codecs.ts'
import type { StreamScanner } from '../../../convert/events/stream-scanner.ts'
import type { UpstreamAnswer } from '../../../upstream/request.ts'
import type { StreamStart } from '../../answer/first-event.ts'
import type { StreamServices } from '../../answer/label-answer.ts'
import { RelayedStream } from '../../answer/relayed-stream.ts'
import { streamHeaders } from '../../answer/stream-headers.ts'
import type { Answer } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import type { CallRecord } from '../../call/call-record.ts'
import { answerHeaders } from '../../channel/answer-headers.ts'
import { answeredModels } from '../../channel/other-models.ts'
import type { Place, Received } from '../prepared-call.ts'

/** A stream that passes to the client as it comes, but for the model's name. */
export class PassthroughStream implements Received {
  readonly status: number
  readonly #call: Call
  readonly #place: Place
  readonly #services: StreamServices
  readonly #headers: UpstreamAnswer['headers']
  readonly #start: StreamStart
  readonly #scanner: StreamScanner
  readonly #asArray: boolean

  constructor(
    call: Call,
    place: Place,
    services: StreamServices,
    { status, headers }: UpstreamAnswer,
    start: StreamStart,
    scanner: StreamScanner,
    asArray: boolean,
  ) {
    this.status = status
    this.#call = call
    this.#place = place
    this.#services = services
    this.#headers = headers
    this.#start = start
    this.#scanner = scanner
    this.#asArray = asArray
  }

  get beginning(): readonly Buffer[] {
    return this.#start.chunks
  }

  restore(record: CallRecord): Answer {
    const call = this.#call
    const codec = codecOf(call.format)
    const headers = answerHeaders(this.#headers)
    record.answeredModels = answeredModels(call, this, codec, this.#place.channel)
    // For multipart calls only the answer shows whether a stream was asked for.
    record.isStream ||= this.#scanner.isBinary !== true
    Object.assign(headers, streamHeaders)
    const body = new RelayedStream({
      call,
      record,
      codec,
      start: this.#start,
      scanner: this.#scanner,
      asArray: this.#asArray,
      services: this.#services,
    })
    return { status: this.status, headers, body }
  }
}
