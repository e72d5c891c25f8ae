import { z } from 'zod'
import { userBalance } from '../../store/ledger/balance.ts'
import type { User } from '../../store/records/users.ts'
import { openSetting, readOwnSetting, shownSetting } from '../account/kept-setting.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { warningLevel } from '../notices/quota-warning.ts'

const role = z.literal([1, 10, 100]).describe('1 user, 10 administrator, 100 owner.')
const status = z.literal([1, 2]).describe('1 enabled, 2 disabled.')

const brief = {
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  role,
  status,
  group: z.string(),
}

/** Answer of a login. */
export const userBrief = z.strictObject(brief)

export type UserBrief = z.infer<typeof userBrief>

export const toUserBrief = (user: User): UserBrief => ({
  id: user.id,
  username: user.username,
  display_name: user.displayName,
  role: user.role,
  status: user.status,
  group: user.group,
})

const notOffered = z.literal('').describe('Not offered here.')
const never = z.literal(0).describe('Invitations are not offered here.')

/** Fields of management-api §4.2 that everybody reads who reads a user. */
const shared = {
  ...brief,
  email: z.string(),
  github_id: notOffered,
  discord_id: notOffered,
  oidc_id: notOffered,
  wechat_id: notOffered,
  telegram_id: notOffered,
  linux_do_id: notOffered,
  quota: z.int().describe('Units that are left; 500 000 are one US dollar.'),
  used_quota: z.int().describe('Units used in all time.'),
  request_count: z.int(),
  unpriced_calls: z.int().describe('Calls whose cost is not known and not in `used_quota`.'),
  estimated_calls: z.int().describe('Calls whose tokens are an estimate, and so their cost.'),
  aff_code: notOffered,
  aff_count: never,
  aff_quota: never,
  aff_history_quota: never,
  inviter_id: never,
  stripe_customer: z.string(),
  two_factor_enabled: z.boolean(),
  created_time: z.int().describe('Unix seconds.'),
}

/** A user as its own account page reads it (management-api §4.2). */
export const userRecord = z.strictObject({
  ...shared,
  setting: z
    .string()
    .describe('A JSON object of preferences, or empty; secrets in it are left out.'),
  sidebar_modules: z.string().describe('A JSON object, or empty.'),
  permissions: z.strictObject({
    sidebar_settings: z.boolean(),
    sidebar_modules: z.record(z.string(), z.unknown()),
  }),
  language: z.string(),
  has_password: z.boolean(),
  has_access_token: z.boolean(),
  quota_warning: z.boolean().describe('Less is left than the user wants to be warned of.'),
})

export type UserRecord = z.infer<typeof userRecord>

/** A user as administrators read it; never with the access token. */
export const adminUserRecord = z.strictObject({
  ...shared,
  setting: z
    .string()
    .describe('A JSON object of preferences, or empty; where notices go is left out.'),
  password: z.literal('').describe('Never read.'),
  original_password: z.literal('').describe('Never read.'),
  remark: z.string().optional().describe("An administrator's note; left out when empty."),
  DeletedAt: z.null().describe('Deleted users are not listed.'),
})

export type AdminUserRecord = z.infer<typeof adminUserRecord>

function toShared(user: User, { ledger }: Pick<GatewayParts, 'ledger'>) {
  const used = ledger.totals('user', user.id)
  return {
    ...toUserBrief(user),
    email: user.email,
    github_id: '' as const,
    discord_id: '' as const,
    oidc_id: '' as const,
    wechat_id: '' as const,
    telegram_id: '' as const,
    linux_do_id: '' as const,
    quota: userBalance(user, ledger),
    used_quota: used.quota,
    request_count: used.calls,
    unpriced_calls: used.unpriced,
    estimated_calls: used.estimated,
    aff_code: '' as const,
    aff_count: 0 as const,
    aff_quota: 0 as const,
    aff_history_quota: 0 as const,
    inviter_id: 0 as const,
    stripe_customer: user.stripeCustomer,
    two_factor_enabled: user.twoFactor?.isEnabled === true,
    created_time: user.createdTime,
  }
}

/** Pages of a role beyond the common ones, in the shape that new-api's clients read. */
const permissionsOf = ({ role }: User): UserRecord['permissions'] => {
  if (role === 100) return { sidebar_settings: false, sidebar_modules: {} }
  const admin = role === 10 ? { setting: false } : false
  return { sidebar_settings: true, sidebar_modules: { admin } }
}

function isLow(user: User, parts: GatewayParts): boolean {
  const level = warningLevel(user, parts)
  return level !== null && userBalance(user, parts.ledger) < level
}

export const toUserRecord = (user: User, parts: GatewayParts): UserRecord => ({
  ...toShared(user, parts),
  setting: shownSetting(user),
  sidebar_modules: readOwnSetting(user).sidebar_modules ?? '',
  permissions: permissionsOf(user),
  language: user.language,
  has_password: user.passwordHash !== null,
  has_access_token: user.accessToken !== null,
  quota_warning: isLow(user, parts),
})

export const toAdminUserRecord = (user: User, parts: GatewayParts): AdminUserRecord => ({
  ...toShared(user, parts),
  setting: openSetting(user),
  password: '',
  original_password: '',
  ...(user.remark !== '' && { remark: user.remark }),
  DeletedAt: null,
})
