import { redact } from '../../base/log/redact.ts'
import type { Settings } from '../../store/state/settings.ts'
import type { AttemptFailure } from './failed-attempt.ts'
import { statusMatcher } from './retry-rule.ts'
import { FILE_REFUSED } from './vendor-refusal.ts'

/** Why a channel, or one of its keys, is to be disabled. */
export interface DisableReason {
  /** For its owner to read. */
  text: string
  /** The key itself is no good, or the channel cannot be called at all: it would not help to keep it. */
  isFinal: boolean
}

/** Channel type whose vendor answers 403 for a project that was shut: management-api §5.4. */
const GEMINI = 24

/** Of these the key or account is gone for good. */
const keyWords = new Set(['invalid_api_key', 'account_deactivated', 'authentication_error'])
const accountWords = new Set([
  'billing_not_active',
  'pre_consume_token_quota_failed',
  'Arrearage',
  'insufficient_quota',
  'insufficient_user_quota',
  'permission_error',
  'forbidden',
])

const LONGEST_REASON = 300

function holdsKeyword(message: string, keywords: string): boolean {
  const said = message.toLowerCase()
  return keywords
    .split('\n')
    .map((keyword) => keyword.trim().toLowerCase())
    .some((keyword) => keyword !== '' && said.includes(keyword))
}

/**
 * Is a failure a reason to disable its channel (management-api §5.4)? By status, by the vendor's code or
 * type, by a keyword in its message, or because the channel cannot be called at all. Codes and types of
 * one table: what is a code at one vendor is a type at the next. Google's 400 for a bad key counts as
 * 401 does elsewhere (https://ai.google.dev/gemini-api/docs/troubleshooting). Null: it is none.
 */
export function disableReason(
  failure: AttemptFailure,
  channelType: number,
  settings: Readonly<Pick<Settings, 'AutomaticDisableStatusCodes' | 'AutomaticDisableKeywords'>>,
): DisableReason | null {
  const { status, words, message, refusesKey, isPause, isMisconfigured } = failure
  const isKeyGone = refusesKey || words.some((word) => keyWords.has(word))
  const isListed =
    status !== null &&
    (statusMatcher(settings.AutomaticDisableStatusCodes)(status) ||
      (status === 403 && channelType === GEMINI && !FILE_REFUSED.test(message)))
  const isReason =
    isMisconfigured ||
    isKeyGone ||
    isListed ||
    words.some((word) => accountWords.has(word)) ||
    // Google tells of a limit of one minute in the words that others have for an empty account.
    (!isPause && holdsKeyword(message, settings.AutomaticDisableKeywords))
  if (!isReason) return null
  const text = status === null ? message : `status ${status}: ${message}`
  return {
    // Before it is cut: what is left of a secret would not be known any more.
    text: redact(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_REASON),
    isFinal: isMisconfigured || isKeyGone || status === 401,
  }
}
