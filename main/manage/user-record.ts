import { userBalance } from '../store/balance.ts'
import type { User } from '../store/users.ts'
import type { GatewayParts } from './gateway-parts.ts'

/** What a login answers. */
export const toUserBrief = (user: User) => ({
  id: user.id,
  username: user.username,
  display_name: user.displayName,
  role: user.role,
  status: user.status,
  group: user.group,
})

/** A user as its own account page reads it (management-api §4.2); the access token is never in it. */
export function toUserRecord(user: User, parts: GatewayParts) {
  const used = parts.ledger.totals('user', user.id)
  return {
    ...toUserBrief(user),
    email: user.email,
    github_id: '',
    discord_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    linux_do_id: '',
    quota: userBalance(user, parts.ledger),
    used_quota: used.quota,
    request_count: used.calls,
    aff_code: '',
    aff_count: 0,
    aff_quota: 0,
    aff_history_quota: 0,
    inviter_id: 0,
    setting: user.setting,
    stripe_customer: '',
    sidebar_modules: '',
    permissions: { sidebar_settings: false, sidebar_modules: {} },
    language: user.language,
    has_password: user.passwordHash !== null,
    has_access_token: user.accessToken !== null,
  }
}
