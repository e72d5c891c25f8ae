import type { GatewayError } from '../../base/errors.ts'
import { redact } from '../../base/log/redact.ts'
import type { Call } from '../call/call.ts'
import { type AttemptRecord, type CallRecord, STORED_LOSSES } from '../call/call-record.ts'
import type { AttemptNote } from '../call/route-note.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import type { Watch } from '../circuit/health.ts'
import type { Failure } from '../failure/failure.ts'
import { failureOfCut, failureOfError } from '../failure/failure-of-error.ts'

import type { RelayServices } from '../relay-services.ts'

/** Characters of a failure's sentence that the log keeps. */
const LONGEST_MESSAGE = 300

const shortened = (message: string): string =>
  redact(message).replace(/\s+/g, ' ').trim().slice(0, LONGEST_MESSAGE)

/** A failure as the log keeps it. */
function noted(
  message: string,
  error: GatewayError | null,
): Pick<AttemptNote, 'message' | 'reason'> {
  const isAll = message.length <= LONGEST_MESSAGE
  const reason =
    message === error?.message
      ? error.reason
      : message === error?.adminMessage
        ? error.adminReason
        : undefined
  return { message: shortened(message), ...(reason && isAll && { reason }) }
}

/** The stores that hear of an attempt. */
type WatchServices = Pick<RelayServices, 'health'>

/** One try at a channel: health is told how it went, and the call's note says it. */
export class WatchedAttempt {
  readonly #call: Call
  readonly #own: AttemptRecord
  readonly #services: WatchServices
  readonly #note: AttemptNote
  readonly #began = performance.now()
  #watch: Watch | null = null

  /** `waited`: milliseconds for which the channel was waited for. */
  constructor(
    call: Call,
    own: AttemptRecord,
    waited: number,
    record: CallRecord,
    services: WatchServices,
  ) {
    this.#call = call
    this.#own = own
    this.#services = services
    const at = Math.round(this.#began - call.receivedAt)
    this.#note = { channel: own.channel.id, at, ms: 0 }
    if (record.route.named) this.#note.model = call.model
    if (waited > 0) this.#note.waited = Math.round(waited)
    record.route.attempts.push(this.#note)
  }

  /** Sets the key of the attempt. */
  begin(key: ChannelKey): void {
    if (this.#own.channel.multiKeyMode !== null) this.#note.key = key.index
    this.#watchWith(key.text)
  }

  answered(status: number): void {
    this.#end(status)
    this.#watch?.answered()
  }

  /** `isBlameless`: whatever it failed of says nothing of the channel. */
  failed(failure: Failure, isBlameless: boolean): void {
    this.#end(failure.status)
    this.#tell(failure, 'next')
    if (!isBlameless) this.#blame(failure)
  }

  /** Why no other channel was tried after this one. */
  wasLast(after: AttemptNote['after']): void {
    this.#note.after = after
  }

  /** It was ended by what says nothing of the channel. */
  interrupted(error: GatewayError, after: AttemptNote['after']): void {
    this.#end(null)
    Object.assign(this.#note, { code: error.code, ...noted(error.message, error), after })
  }

  /**
   * The answer had begun, and did not come to its end; or (`hasBegun` false) it did not begin on a connection that was
   * there. What the client or a stop has ended is no failure.
   */
  cut(error: GatewayError, hasBegun = true): void {
    const failure = hasBegun ? failureOfCut(error) : failureOfError(error)
    if (!failure) return
    if (!hasBegun) this.#end(failure.status)
    this.#tell(failure, hasBegun ? 'begun' : 'final')
    this.#blame(failure)
  }

  /** In any case, when it is known how it went. */
  release(): void {
    this.#watch?.release()
  }

  #watchWith(key: string): void {
    // Whether a vendor can count says nothing of how it answers.
    if (this.#call.verb !== 'generate') return
    this.#watch = this.#services.health.watch(this.#own.channel.id, key, this.#call.model)
  }

  #end(status: number | null): void {
    this.#note.ms = Math.round(performance.now() - this.#began)
    if (status !== null) this.#note.status = status
  }

  #tell({ code, message, error }: Failure, after: AttemptNote['after']): void {
    Object.assign(this.#note, { code, ...noted(message, error), after })
    const losses = this.#own.conversion?.losses.slice(0, STORED_LOSSES) ?? []
    if (losses.length > 0) this.#note.loss = losses
  }

  #blame({ message, error, retryAfter, blame, isAtOnce }: Failure): void {
    if (blame === null) return
    // It did not come to a key: a channel of which none can be used is known by the empty one.
    if (!this.#watch) this.#watchWith('')
    const { message: reason = '', reason: why } = noted(message, error)
    this.#watch?.failed({ blame, reason, why, retryAfter, isAtOnce })
  }
}
