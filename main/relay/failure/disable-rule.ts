import { redact } from '../../base/log/redact.ts'
import type { Why } from '../../base/reason.ts'
import type { Settings } from '../../store/state/settings.ts'
import { type Failure, namedStatus } from './failure.ts'
import { accountStatus } from './refuses-key.ts'
import { statusMatcher } from './status-list.ts'
import { codes, sentences } from './vendor-codes.ts'

/** Why a channel, or one of its keys, is disabled. */
export interface DisableReason {
  /** For its owner to read. */
  text: string
  /** The same for a console in another language. */
  why: Why
  /** The key is no good, or the channel cannot be called at all: keeping it would not help. */
  isFinal: boolean
}

/** Channel type whose vendor answers 403 for a project that was shut: management-api §5.4. */
const GEMINI = 24

const LONGEST_REASON = 300

function holdsKeyword(message: string, keywords: string): boolean {
  const text = message.toLowerCase()
  return keywords
    .split('\n')
    .map((keyword) => keyword.trim().toLowerCase())
    .some((keyword) => keyword !== '' && text.includes(keyword))
}

const holdsOne = (words: readonly string[], wanted: readonly string[]): boolean =>
  words.some((word) => wanted.includes(word))

/** Before it is cut: what is left of a secret would not be recognised. */
const shortened = (text: string): string =>
  redact(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_REASON)

/** Does it tell of the channel's account or settings? Networks and time limits do not. */
export const concernsAccount = ({ kind, refusal }: Failure): boolean =>
  refusal !== null || kind === 'hidden' || kind === 'misconfigured'

/**
 * Is a failure a reason to disable its channel (management-api §5.4)? By status, by the vendor's code or type, by a
 * keyword in its message, or because the channel cannot be called at all. Google's 400 for a bad key counts as 401
 * does elsewhere (https://ai.google.dev/gemini-api/docs/troubleshooting).
 */
export function disableReason(
  failure: Failure,
  channelType: number,
  settings: Readonly<Pick<Settings, 'AutomaticDisableStatusCodes' | 'AutomaticDisableKeywords'>>,
): DisableReason | null {
  const { kind, words, refusesKey, retryAfter } = failure
  const isMisconfigured = kind === 'misconfigured'
  const message = isMisconfigured ? failure.message : failure.vendorMessage
  const status = namedStatus(failure)
  // A plan that is used up comes back by itself.
  if (accountStatus(status, words, message) === 429) return null
  const isKeyGone = (status === 400 && refusesKey) || holdsOne(words, codes.keyGone)
  const isListed =
    status !== null &&
    (statusMatcher(settings.AutomaticDisableStatusCodes)(status) ||
      (status === 403 && channelType === GEMINI && !sentences.fileRefused.test(message)))
  // Google tells of a limit of one minute in the words that others have for an empty account.
  const isPause = status === 429 && retryAfter !== null
  const isReason =
    isMisconfigured ||
    isKeyGone ||
    isListed ||
    holdsOne(words, codes.accountGone) ||
    (!isPause && holdsKeyword(message, settings.AutomaticDisableKeywords))
  if (!isReason) return null
  const text = status === null ? message : `status ${status}: ${message}`
  const said = shortened(message)
  return {
    text: shortened(text),
    why:
      status === null ? (failure.error?.reason ?? said) : { code: 'upstream_said', status, said },
    isFinal: isMisconfigured || isKeyGone || status === 401,
  }
}
