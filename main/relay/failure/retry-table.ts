import type { Blame } from '../circuit/circuit.ts'
import type { FaultKind } from './fault.ts'
import { FILE_REFUSED, TEXT_REFUSED } from './vendor-refusal.ts'

/** What failed attempts have in common, and what follows from it. What a row does not name may be anything. */
export interface RetryRow {
  kinds?: readonly FaultKind[]
  /** `429,500-503`: statuses of the vendor's. */
  status?: string
  /** Codes or types of the vendor's, in lower case; any of these. */
  words?: readonly string[]
  /** Stands in the vendor's own sentence: only for what vendors have no code for. */
  text?: RegExp
  /** Is another channel tried? `as-options`: as `AutomaticRetryStatusCodes` and `RetryOnTimeout` say. */
  retry: 'next' | 'stop' | 'as-options'
  /** What the failure speaks against; null: it says nothing of the channel. */
  blame: Blame | null
  /** One such failure is enough to leave it alone for a while. */
  isAtOnce?: true
}

const VENDOR: readonly FaultKind[] = ['refusal', 'hidden']

/**
 * OpenAI's of what was not stored, or by another account: "Item with id 'rs_1' not found." The id is the client's own
 * word, so that it may look like a sentence about a model.
 */
const ID_UNKNOWN =
  /^(?!(?:the )?models? )(?:\w+ ){1,3}with id\b.{0,300}\bnot found|^no such (?!model )\w+ object/is

/**
 * What follows from a failed attempt where the owner's rules say nothing: the first row that fits decides, so
 * what is particular stands above what is general. Limits hold for an account's use of a model, money and keys
 * for the account, and another channel mostly has another one.
 *
 * OpenAI: https://platform.openai.com/docs/guides/error-codes and …/guides/rate-limits;
 * Anthropic: https://docs.anthropic.com/en/api/errors and …/api/rate-limits;
 * Google: https://ai.google.dev/gemini-api/docs/troubleshooting and …/docs/rate-limits;
 * OpenRouter: https://openrouter.ai/docs/api-reference/errors.
 */
export const retryTable: readonly RetryRow[] = [
  // The request is at fault wherever it is sent: too long, or against what vendors allow.
  {
    kinds: VENDOR,
    words: [
      'context_length_exceeded',
      'string_above_max_length',
      'content_filter',
      'content_policy_violation',
      'responsibleaipolicyviolation',
      'moderation_blocked',
      'invalid_prompt',
      'cyber_policy_violation',
    ],
    retry: 'stop',
    blame: null,
  },
  { status: '403', text: TEXT_REFUSED, retry: 'stop', blame: null },

  // Something that the client names by its id: a conversation, an item of it, a file. Another account may have it.
  { status: '404', text: ID_UNKNOWN, retry: 'as-options', blame: null },
  { status: '403', text: FILE_REFUSED, retry: 'as-options', blame: null },

  // The channel lists a model that its account has not (got): Azure and Mistral have words of their own,
  // Anthropic says "model: <name>", Google and Ollama that the model is not found.
  {
    kinds: VENDOR,
    words: ['model_not_found', 'deploymentnotfound', 'invalid_model', 'model_not_available'],
    retry: 'next',
    blame: 'model',
    isAtOnce: true,
  },
  {
    status: '404',
    text: /^model:|\bmodels?\b.{0,200}\b(?:not found|not exist|not supported|not available|access)/is,
    retry: 'next',
    blame: 'model',
    isAtOnce: true,
  },

  // The account has no money, or may spend no more: 429 at OpenAI, 402 or 400 at Anthropic. It looks like a rate
  // limit or the client's mistake by its status, and is neither.
  {
    kinds: VENDOR,
    words: [
      'insufficient_quota',
      'credit_balance_exhausted',
      'organization_spend_limit_exceeded',
      'project_spend_limit_exceeded',
      'organization_usage_limit_exceeded',
      'enforced_spend_limit_reached',
      'billing_error',
      'billing_not_active',
      'billing_hard_limit_reached',
      'insufficient_balance',
      'insufficient_user_quota',
      'exceeded_current_quota_error',
      'arrearage',
    ],
    retry: 'next',
    blame: 'key',
    isAtOnce: true,
  },
  {
    kinds: VENDOR,
    // At the beginning: behind it a vendor may quote what the client has sent.
    text: /^(?:your )?(?:credit balance is too low|(?:you have )?reached your specified (?:workspace )?api usage limits|insufficient (?:account )?balance)/i,
    retry: 'next',
    blame: 'key',
    isAtOnce: true,
  },
  { status: '402', retry: 'as-options', blame: 'key', isAtOnce: true },

  // The key is no good: Google says so with 400. A 403 may be about this one model.
  {
    kinds: VENDOR,
    words: ['invalid_api_key', 'api_key_invalid', 'account_deactivated', 'authentication_error'],
    retry: 'next',
    blame: 'key',
    isAtOnce: true,
  },
  { status: '401', retry: 'next', blame: 'key', isAtOnce: true },
  { status: '403', retry: 'next', blame: 'model', isAtOnce: true },

  // OpenAI's 429 of a request that is larger than the limit of a minute: waiting does not help it.
  { status: '429', text: /request too large for/i, retry: 'as-options', blame: null },
  { status: '429', retry: 'as-options', blame: 'model', isAtOnce: true },
  {
    kinds: VENDOR,
    words: ['rate_limit_exceeded', 'rate_limit_error', 'resource_exhausted', 'slow_down'],
    retry: 'as-options',
    blame: 'model',
    isAtOnce: true,
  },

  // The vendor is overloaded, which is mostly one model's.
  { status: '529', retry: 'as-options', blame: 'model' },
  {
    kinds: VENDOR,
    words: ['overloaded_error', 'overloaded', 'server_is_overloaded', 'unavailable'],
    retry: 'as-options',
    blame: 'model',
  },

  // A path that is not there: a wrong base URL, or an endpoint that the vendor has not.
  { status: '404', retry: 'as-options', blame: 'model' },
  { status: '501', retry: 'as-options', blame: null },
  { status: '504,524', retry: 'as-options', blame: 'channel', isAtOnce: true },
  { status: '300-399,500-599', retry: 'as-options', blame: 'channel' },
  // What is left of 4xx is about the request.
  { kinds: VENDOR, retry: 'as-options', blame: null },

  // Nothing was sent yet, so that no option is asked.
  { kinds: ['connect-timeout'], retry: 'next', blame: 'channel', isAtOnce: true },
  { kinds: ['connect'], retry: 'next', blame: 'channel' },
  { kinds: ['timeout'], retry: 'as-options', blame: 'channel', isAtOnce: true },
  { kinds: ['cut', 'invalid'], retry: 'next', blame: 'channel' },
  // A person has to unlock the keychain; the channel itself is well.
  { kinds: ['locked'], retry: 'next', blame: null },
  { kinds: ['misconfigured'], retry: 'next', blame: 'model', isAtOnce: true },
  { retry: 'next', blame: null },
]
