import type { GatewayError } from '../../base/errors.ts'
import type { VendorError } from '../../convert/events/stream-scanner.ts'
import type { UpstreamHeaders } from '../../upstream/request.ts'
import type { Blame } from '../circuit/circuit.ts'

/**
 * - `refusal`: an HTTP status that is no success
 * - `hidden`: an error inside a 200 answer or in a stream's first event
 * - `connect`, `connect-timeout`: no connection, or too late
 * - `timeout`: the answer did not begin in time
 * - `cut`: the answer broke off
 * - `invalid`: the answer is none
 * - `unasked`: a stream of events where JSON was asked for
 * - `misconfigured`: the channel cannot be called as it is set up
 * - `locked`: the channel's key is in a locked keychain
 * - `unfit`: the channel's wire format cannot hold the call
 */
export type FailureKind =
  | 'refusal'
  | 'hidden'
  | 'connect'
  | 'connect-timeout'
  | 'timeout'
  | 'cut'
  | 'invalid'
  | 'unasked'
  | 'misconfigured'
  | 'locked'
  | 'unfit'
  | 'other'

/** Is another channel tried? `as-options`: as `AutomaticRetryStatusCodes` and `RetryOnTimeout` say. */
export type RetryAction = 'next' | 'stop' | 'as-options'

/** An upstream's answer whose status is no success. */
export interface Refusal {
  /** HTTP status. */
  status: number
  headers: UpstreamHeaders
  /** Its beginning, without secrets. */
  body: Buffer
  /** URL that was asked. */
  url: string
}

/** The facts that rows of the retry table match. */
export interface FailureSigns {
  kind: FailureKind
  /** HTTP status; 502 for an error inside a 200 that names none, null where no answer came. */
  status: number | null
  /** The vendor's error codes and types. */
  words: readonly string[]
  /** The vendor's own sentence; '' where there is none. */
  vendorMessage: string
  /** It is about a service tier with limits of its own: other calls of the model are well. */
  isOfTier?: boolean
}

/** Why an attempt at a channel brought no answer. */
export type Failure = FailureSigns & {
  /** The vendor's error, read from its body or event; null where there is none. */
  vendor: VendorError | null
  /** For a person. */
  message: string
  /** For the log: the vendor's code, or the gateway's. */
  code: string
  /** Seconds that the vendor asks to wait; null where it says nothing. */
  retryAfter: number | null
  /** The vendor refuses the channel's key. */
  refusesKey: boolean
  /** May another channel help? */
  retry: RetryAction
  /** The circuit that it counts against; null: it says nothing of the channel. */
  blame: Blame | null
  /** One such failure opens the circuit. */
  isAtOnce: boolean
} & (
    | {
        refusal: Refusal
        /** Shape of its body: Google's compatible API puts an error in a list of one. */
        form: 'object' | 'list' | 'text'
        error: null
      }
    | { refusal: null; error: GatewayError }
  )

/** The vendor refused the attempt by its status. */
export type RefusedFailure = Extract<Failure, { error: null }>

/** A failure with the channel key it happened with; null: it does not depend on the key. */
export interface FailedAttempt {
  channelId: number
  key: string | null
  failure: Failure
}

export const isFailure = (outcome: object): outcome is Failure => 'refusal' in outcome

/** HTTP status that the vendor itself named. */
export const namedStatus = ({ refusal, vendor }: Failure): number | null =>
  refusal?.status ?? vendor?.status ?? null
