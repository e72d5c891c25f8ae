import type { Answer } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import type { CallRecord } from '../../call/call-record.ts'
import type { ThreadAnswer } from '../../translate/threads/answer-on-thread.ts'
import type { Translation } from '../../translate/translation.ts'
import { convertedHeaders, convertedType } from '../converted-headers.ts'
import type { Received } from '../prepared-call.ts'

/** A large whole answer, converted by another thread. */
export class ConvertedOnThread implements Received {
  readonly status: number
  readonly #call: Call
  readonly #translation: Translation
  readonly #content: Buffer
  readonly #answer: ThreadAnswer

  constructor(
    call: Call,
    translation: Translation,
    status: number,
    content: Buffer,
    answer: ThreadAnswer,
  ) {
    this.status = status
    this.#call = call
    this.#translation = translation
    this.#content = content
    this.#answer = answer
  }

  get beginning(): readonly Buffer[] {
    return [this.#content]
  }

  restore(record: CallRecord): Answer {
    const call = this.#call
    const translation = this.#translation
    const { body, usage, isEstimated, kept } = this.#answer
    if (isEstimated) translation.noteEstimate()
    const headers = convertedHeaders(call, translation.loss, convertedType(call), call.stream)
    record.firstByteAfter = performance.now() - call.receivedAt
    record.usage = usage
    record.isEstimated = isEstimated
    if (kept) translation.remember(kept.answer, kept.id)
    return { status: 200, headers, body }
  }
}
