import type { ErrorCode, GatewayError } from '../../base/errors.ts'
import { type AttemptFailure, failureOfError, failureOfRefusal } from './failed-attempt.ts'
import type { Refusal } from './refusal.ts'
import { hintOf } from './retry-hint.ts'
import { isUnaskedStream } from './unasked-stream.ts'
import { hiddenError } from './vendor-refusal.ts'

/**
 * How an attempt failed: the vendor refused it by its status, or inside a 200 answer or a stream's first event;
 * no connection came about (or only after too long); the answer did not begin in time; it was cut before its
 * first event; it is no answer; it is a stream that was not asked for; the channel is set up wrongly; its key is
 * locked; its format cannot hold the call.
 */
export type FaultKind =
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

/** What an attempt failed of, as the rules for trying again look at it. */
export interface Fault {
  kind: FaultKind
  /** HTTP status of the vendor's; null where there was none. */
  status: number | null
  /** The vendor's codes and types of the error. */
  words: readonly string[]
  /** The vendor's own sentence; '' where the failure is told in ours. */
  said: string
  /** For a person. */
  message: string
  /** Code for the log: of ours, or the vendor's. */
  code: string
  /** Seconds that the vendor asks to wait. */
  retryAfter: number | null
  /** The same for the rules for disabling; null where it says nothing of the channel's account. */
  failure: AttemptFailure | null
}

const kinds: Partial<Record<ErrorCode, FaultKind>> = {
  upstream_unreachable: 'connect',
  upstream_timeout: 'timeout',
  upstream_cut: 'cut',
  upstream_invalid: 'invalid',
  channel_misconfigured: 'misconfigured',
  keychain_locked: 'locked',
  invalid_request: 'unfit',
}

/** Codes of undici and Node. */
const CONNECT_TIMEOUTS: readonly unknown[] = ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']

const tookTooLongToConnect = ({ cause }: GatewayError): boolean =>
  CONNECT_TIMEOUTS.includes((cause as { code?: unknown } | undefined)?.code)

/** Characters of a vendor's sentence in which rules look for theirs. */
const LONGEST_SAID = 2000

/** A vendor's refusal, by its status. */
export function faultOfRefusal(refusal: Refusal): Fault {
  const failure = failureOfRefusal(refusal)
  const { status, words, message } = failure
  return {
    // An upgrade that is answered 200 is none; nothing else is refused with success.
    kind: refusal.status < 300 ? 'invalid' : 'refusal',
    status,
    words,
    said: message.slice(0, LONGEST_SAID),
    message: message.trim() || `The upstream answered with status ${status}.`,
    code: words[0] ?? String(status),
    retryAfter: hintOf(refusal),
    failure,
  }
}

/** A failure that was thrown: one of ours, or what the vendor said inside a 200 answer. */
export function faultOfError(error: GatewayError): Fault {
  const { code, adminMessage: message, retryAfter = null } = error
  const failure = failureOfError(error)
  if (failure && hiddenError(error)) {
    const { status, words } = failure
    const vendorCode = words[0] ?? code
    // One that says nothing of its status stands for a bad gateway, as its client is told.
    return hidden(status ?? 502, words, message, vendorCode, retryAfter, failure)
  }
  let kind = kinds[code] ?? 'other'
  if (isUnaskedStream(error)) kind = 'unasked'
  if (kind === 'timeout' && tookTooLongToConnect(error)) kind = 'connect-timeout'
  return { kind, status: null, words: [], said: '', message, code, retryAfter: null, failure }
}

const hidden = (
  status: number,
  words: readonly string[],
  message: string,
  code: string,
  retryAfter: number | null,
  failure: AttemptFailure | null,
): Fault => ({
  kind: 'hidden',
  status,
  words,
  said: message.slice(0, LONGEST_SAID),
  message,
  code,
  retryAfter,
  failure,
})

/** What an answer that had begun was cut by; null where that was no fault of its upstream's. */
export function faultOfCut(error: GatewayError): Fault | null {
  const { code, message, status, vendorCode } = error
  if (!code.startsWith('upstream_')) return null
  if (code !== 'upstream_error') return { ...faultOfError(error), kind: 'cut' }
  const words = vendorCode === undefined ? [] : [vendorCode]
  return hidden(status, words, message, vendorCode ?? code, null, null)
}
