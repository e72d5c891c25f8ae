import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import { isAddressEntry } from '../../base/net/address-list.ts'
import { MAX_QUOTA } from '../../base/quota.ts'
import type { Reason } from '../../base/reason.ts'
import type { Token } from '../../store/records/tokens.ts'
import { integer, line, quotaUnits, unixTime } from '../operation/input-fields.ts'

/** 0 means never, as in new-api. */
const expiredTime = unixTime
  .transform((time) => (time === 0 ? -1 : time))
  .refine((time) => time >= -1, fieldProblems.field_expiry)

const quota = quotaUnits.refine((units) => units >= 0, fieldProblems.field_negative)

/** Units in a day or a month; null takes the budget away. */
const budget = quotaUnits
  .refine((units) => units >= 1, {
    message: 'must be at least 1 unit, or null for no budget',
    params: { reason: { code: 'field_above_zero' } satisfies Reason },
  })
  .nullable()

/** Requests or model tokens in a minute; null takes the limit away. */
const perMinute = integer
  .refine((most) => most >= 1, {
    message: 'must be at least 1, or null for no limit',
    params: { reason: { code: 'field_too_small', least: 1 } satisfies Reason },
  })
  .refine((most) => most <= MAX_QUOTA, {
    message: `can be at most ${MAX_QUOTA}`,
    params: { reason: { code: 'field_too_large', most: MAX_QUOTA } satisfies Reason },
  })
  .nullable()

const budgetWarning = integer.refine((percent) => percent >= 1 && percent <= 100, {
  message: 'must be a percentage from 1 to 100',
  params: { reason: { code: 'field_percentage' } satisfies Reason },
})

const modelLimits = z
  .string()
  .max(1024, 'can have at most 1024 characters')
  .nullable()
  .transform((text) => splitList(text ?? '', ','))

const allowIps = z
  .string()
  .max(10_000)
  .nullable()
  .transform((text, context) => {
    const entries = splitList(text ?? '', /[\n,]/)
    const wrong = entries.find((entry) => !isAddressEntry(entry))
    if (wrong !== undefined) {
      context.addIssue({
        code: 'custom',
        message: `holds "${wrong}", which isn’t an IPv4 or IPv6 address or CIDR range`,
        params: { reason: { code: 'field_no_address', entry: wrong } satisfies Reason },
      })
    }
    return entries
  })

const splitList = (text: string, separator: string | RegExp): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]

const readOnly = z.unknown().optional().meta({ readOnly: true })

/** Fields that may be written. Those after them are read-only and taken without effect, because
 * clients send a record back as they read it. */
export const tokenFields = {
  name: line(50).min(1, fieldProblems.field_empty).optional(),
  expired_time: expiredTime.optional(),
  remain_quota: quota.optional(),
  unlimited_quota: z.boolean().optional(),
  model_limits_enabled: z.boolean().optional(),
  model_limits: modelLimits.optional(),
  allow_ips: allowIps.optional(),
  group: line(64).optional(),
  cross_group_retry: z.boolean().optional(),
  day_budget: budget.optional(),
  month_budget: budget.optional(),
  budget_warning: budgetWarning.optional(),
  requests_per_minute: perMinute.optional(),
  tokens_per_minute: perMinute.optional(),
  model_aliases: readOnly,
  user_id: readOnly,
  key: readOnly,
  key_unreadable: readOnly,
  key_locked: readOnly,
  created_time: readOnly,
  accessed_time: readOnly,
  used_quota: readOnly,
  ...{ unpriced_calls: readOnly, estimated_calls: readOnly },
  day_used: readOnly,
  month_used: readOnly,
  budget_state: readOnly,
  DeletedAt: readOnly,
}

export type TokenInput = z.output<z.ZodObject<typeof tokenFields>>

/** The stored fields that the input names; `used` is what the token has used so far. */
export function toTokenFields(input: TokenInput, used: number): Partial<Token> {
  const granted = input.remain_quota === undefined ? undefined : input.remain_quota + used
  return {
    name: input.name,
    expiredTime: input.expired_time,
    grantedQuota: granted,
    unlimitedQuota: input.unlimited_quota,
    modelLimitsEnabled: input.model_limits_enabled,
    modelLimits: input.model_limits,
    allowIps: input.allow_ips,
    group: input.group,
    crossGroupRetry: input.cross_group_retry,
    dayBudget: input.day_budget,
    monthBudget: input.month_budget,
    budgetWarning: input.budget_warning,
    requestsPerMinute: input.requests_per_minute,
    tokensPerMinute: input.tokens_per_minute,
  }
}

/** Is this an expiry that has passed already? */
export const isPast = (expiry: number | undefined): boolean =>
  expiry !== undefined && expiry !== -1 && expiry <= unixSeconds()
