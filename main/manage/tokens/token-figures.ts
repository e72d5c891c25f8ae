import { z } from 'zod'
import { UNITS_PER_USD } from '../../base/quota.ts'
import type { RelayServices } from '../../relay/relay-services.ts'
import { tokenBalance, userBalance } from '../../store/ledger/balance.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { User } from '../../store/records/users.ts'
import { readOwnSetting } from '../account/kept-setting.ts'
import { callRecord, toOwnCallRecord } from '../calls/call-record.ts'

/** Reported limit of a token without one, in US dollars. Clients know the number from new-api. */
const UNLIMITED_USD = 100_000_000

/** Rows of a token's log that its clients see, newest first. */
const LOG_ROWS = 1000

/** Units that were given, used and are left. */
interface Quota {
  granted: number
  used: number
  available: number
  unlimited: boolean
  /** Unix seconds; 0 for never. */
  expiresAt: number
}

/** The last call may use more than was left; what was given then is what was used. */
function quota(left: number, used: number): Pick<Quota, 'granted' | 'used' | 'available'> {
  const available = Math.max(0, left)
  return { granted: used + available, used, available }
}

const quotaOfToken = (token: Token, { ledger }: RelayServices): Quota => ({
  ...quota(tokenBalance(token, ledger), ledger.totals('token', token.id).quota),
  unlimited: token.unlimitedQuota,
  expiresAt: Math.max(0, token.expiredTime),
})

const quotaOfUser = (user: User, { ledger }: RelayServices): Quota => ({
  ...quota(userBalance(user, ledger), ledger.totals('user', user.id).quota),
  unlimited: false,
  expiresAt: 0,
})

/** The figures that clients see as balance: the token's or the user's, by the option. */
const shownQuota = (token: Token, user: User, parts: RelayServices): Quota =>
  parts.settings.current.DisplayTokenStatEnabled
    ? quotaOfToken(token, parts)
    : quotaOfUser(user, parts)

const dollars = z.number().describe('US dollars.')

const subscriptionSchema = z.strictObject({
  object: z.literal('billing_subscription'),
  has_payment_method: z.literal(true),
  soft_limit_usd: dollars,
  hard_limit_usd: dollars,
  system_hard_limit_usd: dollars,
  access_until: z.int().describe('Unix seconds; 0 = without an end.'),
})

function subscription(
  token: Token,
  user: User,
  parts: RelayServices,
): z.infer<typeof subscriptionSchema> {
  const { granted, unlimited, expiresAt } = shownQuota(token, user, parts)
  const limit = unlimited ? UNLIMITED_USD : granted / UNITS_PER_USD
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: expiresAt,
  }
}

const usageSchema = z.strictObject({
  object: z.literal('list'),
  total_usage: z.number().describe('US cents.'),
})

const usage = (token: Token, user: User, parts: RelayServices): z.infer<typeof usageSchema> => ({
  object: 'list',
  total_usage: (shownQuota(token, user, parts).used * 100) / UNITS_PER_USD,
})

const tokenSchema = z.strictObject({
  code: z.literal(true),
  message: z.literal('ok'),
  data: z.strictObject({
    object: z.literal('token_usage'),
    name: z.string(),
    total_granted: z.int().describe('Units.'),
    total_used: z.int(),
    total_available: z.int(),
    unlimited_quota: z.boolean(),
    model_limits: z.record(z.string(), z.literal(true)),
    model_limits_enabled: z.boolean(),
    expires_at: z.int().describe('Unix seconds; 0 = never.'),
  }),
})

function ofToken(token: Token, _user: User, parts: RelayServices): z.infer<typeof tokenSchema> {
  const { granted, used, available, unlimited, expiresAt } = quotaOfToken(token, parts)
  return {
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name: token.name,
      total_granted: granted,
      total_used: used,
      total_available: available,
      unlimited_quota: unlimited,
      model_limits: Object.fromEntries(token.modelLimits.map((model) => [model, true as const])),
      model_limits_enabled: token.modelLimitsEnabled,
      expires_at: expiresAt,
    },
  }
}

const logSchema = z.strictObject({
  success: z.literal(true),
  message: z.literal(''),
  data: z.array(callRecord),
})

function log(token: Token, user: User, { ledger }: RelayServices): z.infer<typeof logSchema> {
  const { items } = ledger.list({ tokenId: token.id }, { page: 1, pageSize: LOG_ROWS })
  const showsIp = readOwnSetting(user).record_ip_log === true
  const data = items.map((row, index) => toOwnCallRecord(row, index + 1, showsIp))
  return { success: true, message: '', data }
}

/**
 * Figures of a token, asked with its own key (management-api §6): OpenAI's old billing API as chat
 * clients still read it, new-api's usage in units, and the token's last calls.
 */
export const tokenFigures = {
  subscription: { schema: subscriptionSchema, answer: subscription },
  usage: { schema: usageSchema, answer: usage },
  token: { schema: tokenSchema, answer: ofToken },
  log: { schema: logSchema, answer: log },
} as const
