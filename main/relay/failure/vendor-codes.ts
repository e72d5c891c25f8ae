/**
 * Words, sentences and statuses that tell failures apart, for the retry table and the rules beside it.
 *
 * OpenAI: https://platform.openai.com/docs/guides/error-codes and …/guides/rate-limits;
 * Anthropic: https://docs.anthropic.com/en/api/errors and …/api/rate-limits;
 * Google: https://ai.google.dev/gemini-api/docs/troubleshooting and …/docs/rate-limits;
 * OpenAI's checks of agents: https://developers.openai.com/api/docs/guides/safety-checks/misalignment-monitoring;
 * OpenRouter: https://openrouter.ai/docs/api-reference/errors;
 * GLM: https://docs.bigmodel.cn/cn/api/api-code; Volcengine: https://www.volcengine.com/docs/82379/1299023;
 * Novita: https://novita.ai/docs/api-reference/basic-error-code.
 */

const keyGone = [
  'invalid_api_key',
  'account_deactivated',
  'organization_on_hold',
  'authentication_error',
]

/** Error codes and types, in lower case unless noted: a code at one vendor is a type at the next. */
export const codes = {
  /** Too long, or against what vendors allow: the same at every channel. */
  requestAtFault: [
    'context_length_exceeded',
    'string_above_max_length',
    'content_filter',
    'content_policy_violation',
    'responsibleaipolicyviolation',
    'moderation_blocked',
    'invalid_prompt',
    'cyber_policy_violation',
    'cyber_policy',
    'bio_policy',
    // Sent with 403, and not to be tried again by itself.
    'misalignment_policy_violation',
  ],
  /**
   * About one of the customers for whom a call is made at Anthropic (`anthropic-user-profile-id`), not about the
   * account that makes it.
   */
  profileRefused: [
    'linked_organization_billing_unavailable',
    'linked_organization_spend_limit_reached',
    'user_profile_billing_not_authorized',
    'user_profile_not_billable',
    'user_profile_not_found',
    'user_profile_required',
  ],
  modelMissing: [
    'model_not_found',
    // Azure, Mistral.
    'deploymentnotfound',
    'invalid_model',
    'model_not_available',
    // GLM: unknown, and not in the account's plan.
    '1211',
    '1311',
  ],
  noMoney: [
    'insufficient_quota',
    'credit_balance_exhausted',
    'organization_spend_limit_exceeded',
    'project_spend_limit_exceeded',
    'organization_usage_limit_exceeded',
    'enforced_spend_limit_reached',
    'contract_spend_limit_reached',
    'billing_error',
    'billing_not_active',
    'billing_hard_limit_reached',
    'insufficient_balance',
    'insufficient_user_quota',
    'exceeded_current_quota_error',
    'arrearage',
    // GLM, with 429; Volcengine, Novita, with 403.
    '1113',
    'accountoverdueerror',
    'operationdenied.serviceoverdue',
    'not_enough_balance',
    // xAI, with 403.
    'personal-team-blocked:spending-limit',
  ],
  badKey: [...keyGone, 'api_key_invalid'],
  /** The cheaper tier that the call asks for has no room: https://developers.openai.com/api/docs/guides/flex-processing */
  tierFull: ['flex_unavailable'],
  rateLimit: ['rate_limit_exceeded', 'rate_limit_error', 'resource_exhausted', 'slow_down'],
  overloaded: ['overloaded_error', 'overloaded', 'server_is_overloaded', 'unavailable'],
  /** The channel is switched off, for good. As vendors spell them. */
  keyGone,
  /** The channel is switched off. As vendors spell them. */
  accountGone: [
    'billing_not_active',
    'pre_consume_token_quota_failed',
    'Arrearage',
    'insufficient_quota',
    'insufficient_user_quota',
    'permission_error',
    'forbidden',
  ],
} as const satisfies Record<string, readonly string[]>

/** For what vendors have no code for. */
export const sentences = {
  /** OpenRouter's 403 of a text that its moderation flagged: https://openrouter.ai/docs/api/reference/errors-and-debugging */
  contentFlagged: /\bmoderation\b|\bflagged\b/i,
  /** Google's 403 for a file or cache that the call names, and that is another account's or not there. */
  fileRefused: /\bpermission to access the file\b|\bcachedcontent not found\b/i,
  /**
   * OpenAI's 404 for what was not stored, or by another account: "Item with id 'rs_1' not found." The id is the
   * client's own word, so it may look like a sentence about a model.
   */
  idUnknown:
    /^(?!(?:the )?models? )(?:\w+ ){1,3}with id\b.{0,300}\bnot found|^no such (?!model )\w+ object/is,
  /** Anthropic says "model: <name>", Google and Ollama that the model is not found. */
  modelMissing:
    /^model:|\bmodels?\b.{0,200}\b(?:not found|not exist|not supported|not available|access)/is,
  /**
   * Only at the beginning: further on a vendor may quote what the client has sent. xAI (403,
   * https://github.com/continuedev/continue/issues/12670) names the team, OpenRouter (403,
   * https://openrouter.ai/docs/api/reference/limits) a key's own limit, Fireworks (412) the account.
   */
  noMoney: new RegExp(
    `^(?:your )?(?:${[
      'credit balance is too low',
      '(?:you have )?reached your specified (?:workspace )?api usage limits',
      'insufficient (?:account )?balance',
      'you have run out of credits',
      "(?:newly created )?team (?:[\\w-]{1,60} )?(?:doesn't have any credits|has either used all available credits)",
      'key limit exceeded \\(total',
      'account [\\w.-]{1,100} is suspended, possibly due to reaching the monthly spending limit',
    ].join('|')})`,
    'i',
  ),
  /**
   * Kimi's 403 for a plan that is used up for five hours or a week, as `permission_error` or `access_terminated_error`
   * (https://github.com/MoonshotAI/kimi-code/issues/3014), and OpenRouter's for a key's limit of a day, a week or a
   * month. Other vendors say 429.
   */
  planUsedUp:
    /^(?:you(?:'|’)ve reached your (?:[\w() -]{1,40} )?usage limit\b|key limit exceeded \((?!total))/i,
  /** OpenAI's 429, and Groq's 413, of a request above the limit of a whole minute: waiting does not help it. */
  requestTooLarge: /request too large for/i,
  /** xAI's 400 for a bad key, as OpenAI says it with 401; its code is that of any wrong argument. */
  badKey: /^incorrect api key provided\b/i,
  /** Google's 400 for a bad key. In a sentence, which may quote the client, the quotes would be escaped. */
  googleBadKey: /"reason"\s*:\s*"API_KEY_INVALID"/,
} as const satisfies Record<string, RegExp>

/** HTTP statuses. */
export const statuses = {
  /** Never worth another channel: the body is at fault, or (408) the client was too slow. */
  final: [400, 408],
  /** The vendor took too long. */
  slow: [504, 524],
  /** Below 500: the same call may well be answered later. SDKs see it alike. */
  passing: [408, 409, 425, 429],
  /** A host that has Responses over HTTP, and no WebSocket: nothing is wrong with it. */
  noSocket: [404, 405, 426, 501],
} as const satisfies Record<string, readonly number[]>
