import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { budgetState } from '../../relay/limits/budget.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { GatewayParts } from '../gateway-parts.ts'

/** A token as lists show it (management-api §6). */
export const tokenRecord = z
  .strictObject({
    id: z.int(),
    user_id: z.int(),
    key: z.string().describe('`sk-xxxx****xxxx`; whole only in the answer to its creation.'),
    key_unreadable: z
      .boolean()
      .describe('The stored key cannot be opened any more: the token must be made anew.'),
    key_locked: z
      .boolean()
      .describe('The stored key cannot be opened while the keychain is locked; see /api/keychain.'),
    status: z.literal([1, 2, 3, 4]).describe('1 enabled, 2 disabled, 3 expired, 4 exhausted.'),
    name: z.string(),
    created_time: z.int().describe('Unix seconds.'),
    accessed_time: z.int().describe('Of the last call, in unix seconds; 0 = never used.'),
    expired_time: z.int().describe('Unix seconds; -1 = never.'),
    remain_quota: z.int().describe('Units that are left.'),
    used_quota: z.int().describe('Units.'),
    unpriced_calls: z.int().describe('Calls whose cost is not known and not in `used_quota`.'),
    estimated_calls: z.int().describe('Calls whose tokens are an estimate, and so their cost.'),
    unlimited_quota: z.boolean(),
    model_limits_enabled: z.boolean(),
    model_limits: z.string().describe('Models that it may use, separated by commas.'),
    model_aliases: z
      .record(z.string(), z.string())
      .describe(
        'Names that only this token may call, each for a model. Connect adds them; an update may remove them.',
      ),
    allow_ips: z.string().describe('One address or CIDR range a line; empty = any.'),
    group: z.string().describe("Empty = the user's; `auto` tries several."),
    cross_group_retry: z
      .boolean()
      .describe('In the group `auto`: go on to the next group when one fails.'),
    day_budget: z.int().nullable().describe('Units that may be used in a day; null = any.'),
    month_budget: z.int().nullable().describe('Units that may be used in a month; null = any.'),
    budget_warning: z.int().describe('Per cent of a budget from which on a warning is shown.'),
    requests_per_minute: z
      .int()
      .nullable()
      .describe('Requests that may be made in any 60 seconds; null = any.'),
    tokens_per_minute: z
      .int()
      .nullable()
      .describe('Model tokens, read and written, that may be used in any 60 seconds; null = any.'),
    day_used: z.int().describe('Units used today, by the calendar of the machine it runs on.'),
    month_used: z.int().describe('Units used this month.'),
    budget_state: z
      .enum(['ok', 'warning', 'exhausted'])
      .nullable()
      .describe('Of the budget that is nearer to its end; null where there is none.'),
    DeletedAt: z.null(),
  })
  .meta({ id: 'Token' })

export type TokenRecord = z.infer<typeof tokenRecord>

/** The key as clients send it. */
export const fullKey = (token: Token): string => (token.key === '' ? '' : `sk-${token.key}`)

const maskedKey = ({ key }: Token): string =>
  key === '' ? '' : `sk-${key.slice(0, 4)}****${key.slice(-4)}`

export const isExpired = (token: Token): boolean =>
  token.expiredTime !== -1 && token.expiredTime <= unixSeconds()

export const isExhausted = (token: Token, used: number): boolean =>
  !token.unlimitedQuota && token.grantedQuota - used <= 0

/** A token with its key masked, and what the ledger knows of its use. */
export function toTokenRecord(token: Token, parts: GatewayParts): TokenRecord {
  const used = parts.ledger.totals('token', token.id)
  const spent = parts.ledger.spent(token.id)
  const isLocked = parts.secretKey.lock !== null
  const lapsed = isExpired(token) ? 3 : isExhausted(token, used.quota) ? 4 : 1
  return {
    id: token.id,
    user_id: token.userId,
    key: maskedKey(token),
    key_unreadable: token.key === '' && !isLocked,
    key_locked: token.key === '' && isLocked,
    status: token.status === 2 ? 2 : lapsed,
    name: token.name,
    created_time: token.createdTime,
    accessed_time: used.lastUsed,
    expired_time: token.expiredTime,
    // The last call may use more than was left.
    remain_quota: Math.max(0, token.grantedQuota - used.quota),
    used_quota: used.quota,
    unpriced_calls: used.unpriced,
    estimated_calls: used.estimated,
    unlimited_quota: token.unlimitedQuota,
    model_limits_enabled: token.modelLimitsEnabled,
    model_limits: token.modelLimits.join(','),
    model_aliases: token.modelAliases,
    allow_ips: token.allowIps.join('\n'),
    group: token.group,
    cross_group_retry: token.crossGroupRetry,
    day_budget: token.dayBudget,
    month_budget: token.monthBudget,
    budget_warning: token.budgetWarning,
    requests_per_minute: token.requestsPerMinute,
    tokens_per_minute: token.tokensPerMinute,
    day_used: spent.day,
    month_used: spent.month,
    budget_state: budgetState(token, parts.ledger),
    DeletedAt: null,
  }
}
