import type { Blame } from '../circuit/circuit.ts'
import type { FailureKind, RetryAction } from './failure.ts'
import { codes, sentences } from './vendor-codes.ts'

/** A row of the retry table: conditions on a failure, and the consequences. It fits where all that it names fits. */
export interface RetryRow {
  kinds?: readonly FailureKind[]
  /** Statuses and ranges: `429,500-503`. */
  status?: string
  /** Any of these codes, in lower case. */
  words?: readonly string[]
  /** In the vendor's own sentence. */
  text?: RegExp
  isOfTier?: true
  retry: RetryAction
  /** The circuit it counts against; null: it says nothing of the channel. */
  blame: Blame | null
  /** One such failure opens the circuit; otherwise failures are counted. */
  isAtOnce?: true
}

const VENDOR: readonly FailureKind[] = ['refusal', 'hidden']

/**
 * The first row that fits decides, so what is particular stands above what is general. Rate limits hold for a
 * key's use of a model; money and keys for the account. Another channel mostly has another account.
 */
export const retryTable: readonly RetryRow[] = [
  { kinds: VENDOR, words: codes.requestAtFault, retry: 'stop', blame: null },
  { kinds: VENDOR, words: codes.profileRefused, retry: 'stop', blame: null },
  { status: '403', text: sentences.contentFlagged, retry: 'stop', blame: null },

  // A conversation, an item or a file that the client names by its id: another account may have it.
  { status: '404', text: sentences.idUnknown, retry: 'as-options', blame: null },
  { status: '403', text: sentences.fileRefused, retry: 'as-options', blame: null },

  // The channel lists a model that its account does not have.
  { kinds: VENDOR, words: codes.modelMissing, retry: 'next', blame: 'model', isAtOnce: true },
  { status: '404', text: sentences.modelMissing, retry: 'next', blame: 'model', isAtOnce: true },

  // 429 at OpenAI, 402 or 400 at Anthropic: by its status it looks like a rate limit or the client's mistake.
  { kinds: VENDOR, words: codes.noMoney, retry: 'next', blame: 'key', isAtOnce: true },
  { kinds: VENDOR, text: sentences.noMoney, retry: 'next', blame: 'key', isAtOnce: true },
  { status: '402', retry: 'as-options', blame: 'key', isAtOnce: true },

  { status: '403', text: sentences.planUsedUp, retry: 'next', blame: 'key', isAtOnce: true },

  // Google and xAI refuse a key with 400. A 403 may be about this one model.
  { kinds: VENDOR, words: codes.badKey, retry: 'next', blame: 'key', isAtOnce: true },
  { status: '400', text: sentences.badKey, retry: 'next', blame: 'key', isAtOnce: true },
  { status: '401', retry: 'next', blame: 'key', isAtOnce: true },
  { status: '403', retry: 'next', blame: 'model', isAtOnce: true },

  { kinds: VENDOR, words: codes.tierFull, retry: 'as-options', blame: null },
  { status: '429', isOfTier: true, retry: 'as-options', blame: null },
  { status: '413,429', text: sentences.requestTooLarge, retry: 'as-options', blame: null },
  { status: '429', retry: 'as-options', blame: 'model', isAtOnce: true },
  { kinds: VENDOR, words: codes.rateLimit, retry: 'as-options', blame: 'model', isAtOnce: true },

  // Mostly one model is overloaded.
  { status: '529', retry: 'as-options', blame: 'model' },
  { kinds: VENDOR, words: codes.overloaded, retry: 'as-options', blame: 'model' },

  // A path that is not there: a wrong base URL, or an endpoint that the vendor does not have.
  { status: '404', retry: 'as-options', blame: 'model' },
  { status: '501', retry: 'as-options', blame: null },
  { status: '504,524', retry: 'as-options', blame: 'channel', isAtOnce: true },
  { status: '300-399,500-599', retry: 'as-options', blame: 'channel' },
  // The other 4xx are about the request.
  { kinds: VENDOR, retry: 'as-options', blame: null },

  // Nothing was sent yet, so no option is asked.
  { kinds: ['connect-timeout'], retry: 'next', blame: 'channel', isAtOnce: true },
  { kinds: ['connect'], retry: 'next', blame: 'channel' },
  { kinds: ['timeout'], retry: 'as-options', blame: 'channel', isAtOnce: true },
  { kinds: ['cut', 'invalid'], retry: 'next', blame: 'channel' },
  // A person has to unlock the keychain; the channel itself is well.
  { kinds: ['locked'], retry: 'next', blame: null },
  { kinds: ['misconfigured'], retry: 'next', blame: 'model', isAtOnce: true },
  { retry: 'next', blame: null },
]
