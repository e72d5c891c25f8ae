import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { UNITS_PER_USD } from '../../base/quota.ts'
import type { Settings } from '../../store/state/settings.ts'
import { failures } from '../diagnostics/warnings.ts'
import { defineOperation, Reply } from '../operation/operation.ts'

const absent = z.literal(false).default(false)
const empty = z.literal('').default('')

/** Features of new-api that are absent here. Clients read these names. */
const notOffered = z.strictObject({
  enable_drawing: absent,
  enable_task: absent,
  default_collapse_sidebar: absent,
  chats: z.array(z.string()).default([]),
  HeaderNavModules: empty,
  SidebarModulesAdmin: empty,
  email_verification: absent,
  turnstile_check: absent,
  turnstile_site_key: empty,
  checkin_enabled: absent,
  github_oauth: absent,
  github_client_id: empty,
  discord_oauth: absent,
  discord_client_id: empty,
  linuxdo_oauth: absent,
  linuxdo_client_id: empty,
  telegram_oauth: absent,
  telegram_bot_name: empty,
  wechat_login: absent,
  wechat_qrcode: empty,
  oidc_enabled: absent,
  oidc_client_id: empty,
  oidc_authorization_endpoint: empty,
  passkey_login: absent,
  passkey_display_name: empty,
  passkey_rp_id: empty,
  passkey_origins: empty,
  passkey_allow_insecure: absent,
  passkey_user_verification: empty,
  passkey_attachment: empty,
  api_info_enabled: absent,
  announcements_enabled: absent,
  faq_enabled: absent,
  uptime_kuma_enabled: absent,
})

const statusRecord = notOffered
  .extend({
    version: z.string(),
    start_time: z.int().describe('Unix seconds.'),
    system_name: z.string(),
    logo: z.string().describe('Address of a picture; empty where there is none.'),
    footer_html: z.string(),
    server_address: z.string(),
    setup: z.boolean().describe('Whether the first run is done.'),
    self_use_mode_enabled: z.boolean(),
    demo_site_enabled: z.boolean(),
    register_enabled: z.boolean().describe('Whether strangers may make themselves an account.'),
    password_login_enabled: z.boolean(),
    quota_per_unit: z.number().describe('Units of quota in a US dollar.'),
    display_in_currency: z.boolean(),
    quota_display_type: z.enum(['USD', 'CNY', 'TOKENS', 'CUSTOM']),
    custom_currency_symbol: z.string(),
    custom_currency_exchange_rate: z.number(),
    price: z.number(),
    usd_exchange_rate: z.number(),
    stripe_unit_price: z.number(),
    min_topup: z.int(),
    top_up_link: z.string(),
    docs_link: z.string(),
    enable_data_export: z.boolean(),
    data_export_default_time: z.enum(['hour', 'day', 'week']),
    enable_batch_update: z.boolean(),
    default_use_auto_group: z.boolean(),
    user_agreement_enabled: z.boolean(),
    privacy_policy_enabled: z.boolean(),
  })
  .meta({ id: 'Status' })

const statusGet = defineOperation({
  name: 'status.get',
  summary: 'Tells what this gateway is and what it offers; open to all.',
  access: 'none',
  http: { method: 'GET', path: '/api/status' },
  input: z.object({}),
  output: statusRecord,
  run: (_input, { parts }) => {
    const settings = parts.settings.current
    return {
      ...notOffered.parse({}),
      version: parts.version,
      start_time: parts.startedAt,
      system_name: settings.SystemName,
      logo: settings.Logo,
      footer_html: settings.Footer,
      server_address: settings.ServerAddress || parts.address().url,
      setup: parts.state.data.setup !== null,
      self_use_mode_enabled: settings.SelfUseModeEnabled,
      demo_site_enabled: settings.DemoSiteEnabled,
      register_enabled: settings.RegisterEnabled && settings.PasswordRegisterEnabled,
      password_login_enabled: settings.PasswordLoginEnabled,
      quota_per_unit: UNITS_PER_USD,
      display_in_currency: settings['general_setting.quota_display_type'] !== 'TOKENS',
      quota_display_type: settings['general_setting.quota_display_type'],
      custom_currency_symbol: settings['general_setting.custom_currency_symbol'],
      custom_currency_exchange_rate: settings['general_setting.custom_currency_exchange_rate'],
      price: settings.Price,
      usd_exchange_rate: settings.USDExchangeRate,
      stripe_unit_price: settings.StripeUnitPrice,
      min_topup: settings.MinTopUp,
      top_up_link: settings.TopUpLink,
      docs_link: settings['general_setting.docs_link'],
      enable_data_export: settings.DataExportEnabled,
      data_export_default_time: settings.DataExportDefaultTime,
      enable_batch_update: true,
      default_use_auto_group: settings.DefaultUseAutoGroup,
      user_agreement_enabled: settings['legal.user_agreement'] !== '',
      privacy_policy_enabled: settings['legal.privacy_policy'] !== '',
    }
  },
})

const statusTest = defineOperation({
  name: 'status.test',
  summary:
    'Says whether the gateway can do its work: 503 while the ledger or the settings cannot be written, the stored keys are locked, or it is stopping.',
  access: 'admin',
  http: { method: 'GET', path: '/api/status/test' },
  input: z.object({}),
  output: z.undefined(),
  beside: z.object({
    http_stats: z.strictObject({
      active_connections: z.int().describe('Running model calls.'),
    }),
  }),
  run(_input, { parts }): Reply<undefined> {
    const [failure] = failures(parts)
    if (failure)
      throw new GatewayError('storage_failed', {
        message: failure.message,
        status: 503,
        reason: failure.reason,
      })
    return new Reply(undefined, {
      message: 'The gateway is running.',
      extra: { http_stats: { active_connections: parts.openCalls.size } },
    })
  },
})

type TextSetting =
  | 'Notice'
  | 'About'
  | 'HomePageContent'
  | 'legal.user_agreement'
  | 'legal.privacy_policy'

const definePublicText = <const Name extends string, const Path extends string>(
  name: Name,
  path: Path,
  setting: TextSetting & keyof Settings,
  what: string,
) =>
  defineOperation({
    name,
    summary: `Gives ${what}, as Markdown or HTML; empty where the owner wrote none.`,
    access: 'none',
    http: { method: 'GET', path },
    input: z.object({}),
    output: z.string(),
    run: (_input, { parts }): string => parts.settings.current[setting],
  })

export const statusOperations = [
  statusGet,
  statusTest,
  definePublicText('text.notice', '/api/notice', 'Notice', 'the notice to all users'),
  definePublicText('text.about', '/api/about', 'About', 'what the owner says of this gateway'),
  definePublicText('text.home', '/api/home_page_content', 'HomePageContent', 'the home page'),
  definePublicText(
    'text.user-agreement',
    '/api/user-agreement',
    'legal.user_agreement',
    'the terms of use',
  ),
  definePublicText(
    'text.privacy-policy',
    '/api/privacy-policy',
    'legal.privacy_policy',
    'the privacy policy',
  ),
] as const
