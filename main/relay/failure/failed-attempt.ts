import type { GatewayError } from '../../base/errors.ts'
import { readVendorError } from '../../convert/errors/vendor-error.ts'
import { asArray, asObject, asString } from '../../convert/json/json-value.ts'
import { parseJson, type Refusal } from './refusal.ts'
import { hintOf } from './retry-hint.ts'
import { hiddenError, refusesKey } from './vendor-refusal.ts'

/** What an attempt at a channel failed of, as far as the vendor or the channel's settings are the cause. */
export interface AttemptFailure {
  /** HTTP status; null where there was none. */
  status: number | null
  /** The vendor's own code and type of the error; one word can stand for both. */
  words: readonly string[]
  message: string
  /** The vendor says that the key is no good, by another status than 401. */
  refusesKey: boolean
  /** The vendor says when to call again: the account is not gone, whatever words it uses. */
  isPause: boolean
  /** The channel cannot be called as it is set up. */
  isMisconfigured: boolean
}

/**
 * An attempt that failed, with the key that it was made with; null where it did not come to that, or where
 * the key has nothing to do with it.
 */
export interface FailedAttempt {
  channelId: number
  key: string | null
  failure: AttemptFailure
  /** It speaks against the channel or its key; false for what only this call's words have brought about. */
  isBlamed: boolean
}

/**
 * Code, type and status words, where vendors write them: in `error`, beside the message, in Google's
 * `ErrorInfo` (`reason`) and Anthropic's `details` (`error_code`).
 */
function wordsOf(json: unknown): string[] {
  const root = asObject(Array.isArray(json) ? json[0] : json)
  const error = asObject(root?.error)
  const reasons = asArray(error?.details).map((detail) => asObject(detail)?.reason)
  return [
    error?.code,
    error?.type,
    error?.status,
    root?.code,
    root?.type,
    asObject(error?.details)?.error_code,
    ...reasons,
  ]
    .map(asString)
    .filter((word) => word !== undefined)
}

/** A refusal, as the rules for disabling look at it. */
export function failureOfRefusal(refusal: Refusal): AttemptFailure {
  const json = parseJson(refusal.body)
  return {
    status: refusal.status,
    words: wordsOf(json),
    message: readVendorError(json)?.message ?? refusal.body.toString('utf8', 0, 1000),
    refusesKey: refusal.status === 400 && refusesKey(refusal),
    isPause: refusal.status === 429 && hintOf(refusal) !== null,
    isMisconfigured: false,
  }
}

/**
 * A failure of the gateway's own making, the same way: an error that came with status 200, or a channel
 * that is set up wrongly. Null for what says nothing of the channel's account (network, time limits, what
 * the caller has sent).
 */
export function failureOfError(error: GatewayError): AttemptFailure | null {
  const hidden = hiddenError(error)
  if (hidden) {
    return {
      status: hidden.status,
      words: hidden.code === null ? [] : [hidden.code],
      message: hidden.message,
      refusesKey: false,
      isPause: hidden.status === 429 && error.retryAfter !== undefined,
      isMisconfigured: false,
    }
  }
  if (error.code !== 'channel_misconfigured') return null
  const { message } = error
  return {
    status: null,
    words: [],
    message,
    refusesKey: false,
    isPause: false,
    isMisconfigured: true,
  }
}

/** The failure with what it concerns: a channel that is set up wrongly is so with each of its keys. */
export const failedAttempt = (
  channelId: number,
  key: string | null,
  failure: AttemptFailure,
  isBlamed: boolean,
): FailedAttempt => ({
  channelId,
  key: failure.isMisconfigured ? null : key,
  failure,
  isBlamed,
})
