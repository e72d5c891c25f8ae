import type { Adaptor, ChannelTarget } from '../../adaptor/adaptor.ts'
import type { JsonFields } from '../../convert/json/json-fields.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { UpstreamAnswer } from '../../upstream/request.ts'
import type { Answer } from '../call/answer.ts'
import type { AttemptRecord, CallRecord } from '../call/call-record.ts'
import { requestIdIn } from '../channel/answer-headers.ts'
import type { CacheNote } from '../explicit-cache/cache-use.ts'
import type { Failure } from '../failure/failure.ts'

/** The channel that a call goes to. */
export interface Place {
  readonly channel: Channel
  readonly adaptor: Adaptor
  readonly target: ChannelTarget
  /** The model's name at the upstream. */
  readonly upstreamModel: string
}

/** An answer that has begun well: whole, or a stream whose first event is there (or long in coming). */
export interface Received {
  /** The upstream's. */
  readonly status: number
  /** The first bytes as they came, or all of them. */
  readonly beginning: readonly Buffer[]
  /** The fields of a whole answer that goes on as it came. */
  readonly fields?: JsonFields | null
  /** The client's answer; its usage is noted in the record, now or as it goes by. */
  restore(record: CallRecord): Answer
}

/** A call made ready for one channel. Each kind of it knows how it is sent, received and restored. */
export interface PreparedCall {
  readonly place: Place
  /** Empty where no upstream is asked. */
  readonly url: string
  /** Set where the upstream is called in another wire format than the client's. */
  readonly conversion: AttemptRecord['conversion']
  /** The fate of the request's cache marks; null without marks. */
  readonly cache: CacheNote | null
  /** Sends it; gives the answer, or the failure of a refusal. Throws any other failure. */
  ask(attempt: AttemptRecord, record: CallRecord): Promise<Received | Failure>
  /** An answer of the gateway's own to a call that counts tokens; absent for calls that are no conversation. */
  counted?(tokens: number): Received
}

export function noteRequestId({ headers }: UpstreamAnswer, attempt: AttemptRecord): void {
  attempt.upstreamRequestId = requestIdIn(headers)
}
