import { UNITS_PER_USD } from '../../base/quota.ts'

/** An option that clients of new-api read and that has one value here. */
export interface FixedOption {
  /** As the list shows it. */
  value: string
  /** Why it has no other, and what to use instead. */
  reason: string
}

const notOffered = (feature: string, instead = ''): FixedOption => ({
  value: 'false',
  reason: `${feature} not offered here${instead && `; ${instead}`}.`,
})

const noAccounts = 'people sign in with a user name and a password'
const notice = 'write it into Notice'
const noInvitations: FixedOption = {
  value: '0',
  reason: 'There are no invitations here, so nobody is given quota for one.',
}

/** Options that are listed and cannot be changed, by their names. */
export const fixedOptions: Readonly<Record<string, FixedOption>> = {
  QuotaPerUnit: {
    value: String(UNITS_PER_USD),
    reason: 'All quotas are stored in units of which 500 000 are a US dollar.',
  },
  LogConsumeEnabled: {
    value: 'true',
    reason:
      'What users and tokens have left is worked out from the log, so every call is logged. LogDays says how long rows are kept.',
  },
  DataExportInterval: {
    value: '5',
    reason: 'Charts are made from the log as it is; there is no interval to wait for.',
  },
  BatchUpdateEnabled: {
    value: 'true',
    reason: 'Calls that end together are always written together.',
  },
  QuotaForInviter: noInvitations,
  QuotaForInvitee: noInvitations,
  EmailVerificationEnabled: notOffered('E-mail is'),
  GitHubOAuthEnabled: notOffered('Signing in through GitHub is', noAccounts),
  LinuxDOOAuthEnabled: notOffered('Signing in through Linux DO is', noAccounts),
  TelegramOAuthEnabled: notOffered('Signing in through Telegram is', noAccounts),
  WeChatAuthEnabled: notOffered('Signing in through WeChat is', noAccounts),
  'discord.enabled': notOffered('Signing in through Discord is', noAccounts),
  'oidc.enabled': notOffered('Signing in through OpenID Connect is', noAccounts),
  'passkey.enabled': notOffered('Signing in with a passkey is', noAccounts),
  TurnstileCheckEnabled: notOffered('Turnstile is', 'failed logins are limited by themselves'),
  DrawingEnabled: notOffered('Drawing tasks are'),
  TaskEnabled: notOffered('Tasks are'),
  'checkin_setting.enabled': notOffered('A daily check-in is'),
  'console_setting.api_info_enabled': notOffered('The panel of addresses is', notice),
  'console_setting.announcements_enabled': notOffered('The panel of announcements is', notice),
  'console_setting.faq_enabled': notOffered('The panel of questions is', notice),
  'console_setting.uptime_kuma_enabled': notOffered('Uptime Kuma is'),
  'fetch_setting.enable_ssrf_protection': {
    value: 'true',
    reason: 'Addresses that users enter are always checked before they are called.',
  },
  'fetch_setting.allow_private_ip': {
    value: 'false',
    reason:
      'Addresses that users enter never lead to private networks. Channels may: their addresses are the administrators’.',
  },
  'fetch_setting.apply_ip_filter_for_domain': {
    value: 'true',
    reason: 'A name is always checked by every address that it resolves to.',
  },
}
