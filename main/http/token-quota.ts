import type { ServerResponse } from 'node:http'
import { GatewayError } from '../base/errors.ts'
import { UNITS_PER_USD } from '../base/quota.ts'
import { admitOwner } from '../relay/admit.ts'
import type { Caller, RelayParts } from '../relay/call.ts'
import type { Token } from '../store/tokens.ts'
import type { ModelPath } from './model-path.ts'
import { REQUEST_ID } from './request-id.ts'

type QuotaPath = Extract<ModelPath, { kind: 'token-quota' }>

/** What a token without a limit is said to have, in US dollars: clients know the number from new-api. */
const UNLIMITED_USD = 100_000_000

/** Units that a token was given, used and has left. */
interface Quota {
  granted: number
  used: number
  available: number
}

function quotaOf(token: Token, parts: RelayParts): Quota {
  const used = parts.ledger.totals('token', token.id).quota
  // The last call may use more than was left; what was given then is what was used.
  const available = Math.max(0, token.grantedQuota - used)
  return { granted: used + available, used, available }
}

/** Unix seconds; 0 for never. */
const expiryOf = (token: Token): number => Math.max(0, token.expiredTime)

/** OpenAI's old billing API, as chat clients still read it: what there is in all, in US dollars. */
function subscription(token: Token, { granted }: Quota) {
  const limit = token.unlimitedQuota ? UNLIMITED_USD : granted / UNITS_PER_USD
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: expiryOf(token),
  }
}

/** Its other half: what was used, in cents. */
const usage = (_token: Token, { used }: Quota) => ({
  object: 'list',
  total_usage: (used * 100) / UNITS_PER_USD,
})

/** new-api's own: in units. */
const ofToken = (token: Token, { granted, used, available }: Quota) => ({
  code: true,
  message: 'ok',
  data: {
    object: 'token_usage',
    name: token.name,
    total_granted: granted,
    total_used: used,
    total_available: available,
    unlimited_quota: token.unlimitedQuota,
    model_limits: Object.fromEntries(token.modelLimits.map((model) => [model, true])),
    model_limits_enabled: token.modelLimitsEnabled,
    expires_at: expiryOf(token),
  },
})

const answers: Readonly<
  Record<QuotaPath['question'], (token: Token, quota: Quota) => Record<string, unknown>>
> = { subscription, usage, token: ofToken }

/**
 * Answers what a token has and has used (management-api §6): GET /v1/dashboard/billing/subscription and
 * …/usage, with or without `/v1`, and GET /api/usage/token. Throws what keeps the caller from asking.
 */
export function answerTokenQuota(
  { question }: QuotaPath,
  caller: Caller,
  response: ServerResponse,
  id: string,
  parts: RelayParts,
): void {
  admitOwner(caller)
  const { token } = caller
  if (token === null) {
    throw new GatewayError('missing_token', { message: 'Only a token has a quota to ask for.' })
  }
  const text = JSON.stringify(answers[question](token, quotaOf(token, parts)))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    // Money changes with every call.
    'cache-control': 'no-store',
    [REQUEST_ID]: id,
  })
  response.end(text)
}
