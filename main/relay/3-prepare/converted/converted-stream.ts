import { codecOf } from '../../../convert/codecs.ts'
import type { StreamStart } from '../../answer/first-event.ts'
import type { StreamServices } from '../../answer/label-answer.ts'
import { RelayedStream } from '../../answer/relayed-stream.ts'
import type { Answer } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import type { CallRecord } from '../../call/call-record.ts'
import type { ConvertingScanner } from '../../translate/converting-scanner.ts'
import type { Translation } from '../../translate/translation.ts'
import { convertedHeaders, convertedType } from '../converted-headers.ts'
import type { Received } from '../prepared-call.ts'

/** A stream that is converted as it goes by. */
export class ConvertedStream implements Received {
  readonly status: number
  readonly #call: Call
  readonly #translation: Translation
  readonly #services: StreamServices
  readonly #start: StreamStart
  readonly #scanner: ConvertingScanner

  constructor(
    call: Call,
    translation: Translation,
    services: StreamServices,
    status: number,
    start: StreamStart,
    scanner: ConvertingScanner,
  ) {
    this.status = status
    this.#call = call
    this.#translation = translation
    this.#services = services
    this.#start = start
    this.#scanner = scanner
  }

  get beginning(): readonly Buffer[] {
    return this.#start.chunks
  }

  restore(record: CallRecord): Answer {
    const call = this.#call
    const headers = convertedHeaders(call, this.#translation.loss, convertedType(call), call.stream)
    const body = new RelayedStream({
      call,
      record,
      codec: codecOf(call.format),
      start: this.#start,
      scanner: this.#scanner,
      asArray: call.asArray,
      services: this.#services,
    })
    return { status: 200, headers, body }
  }
}
