import { z } from 'zod'
import { UNITS_PER_USD } from '../base/quota.ts'
import { defineOperation } from './operation.ts'

/** What new-api offers and we do not: reported as absent, because clients read these names. */
const notOffered = {
  logo: '',
  footer_html: '',
  top_up_link: '',
  docs_link: '',
  price: 0,
  usd_exchange_rate: 1,
  stripe_unit_price: 0,
  custom_currency_symbol: '',
  custom_currency_exchange_rate: 1,
  enable_drawing: false,
  enable_task: false,
  default_collapse_sidebar: false,
  default_use_auto_group: false,
  chats: [] as string[],
  HeaderNavModules: '',
  SidebarModulesAdmin: '',
  email_verification: false,
  turnstile_check: false,
  turnstile_site_key: '',
  checkin_enabled: false,
  github_oauth: false,
  github_client_id: '',
  discord_oauth: false,
  discord_client_id: '',
  linuxdo_oauth: false,
  linuxdo_client_id: '',
  telegram_oauth: false,
  telegram_bot_name: '',
  wechat_login: false,
  wechat_qrcode: '',
  oidc_enabled: false,
  oidc_client_id: '',
  oidc_authorization_endpoint: '',
  passkey_login: false,
  passkey_display_name: '',
  passkey_rp_id: '',
  passkey_origins: '',
  passkey_allow_insecure: false,
  passkey_user_verification: '',
  passkey_attachment: '',
  api_info_enabled: false,
  announcements_enabled: false,
  faq_enabled: false,
  uptime_kuma_enabled: false,
  user_agreement_enabled: false,
  privacy_policy_enabled: false,
}

const statusGet = defineOperation({
  name: 'status.get',
  access: 'none',
  http: { method: 'GET', path: '/api/status' },
  input: z.object({}),
  run: (_input, { parts }) => {
    const settings = parts.settings.current
    return {
      ...notOffered,
      version: parts.version,
      start_time: parts.startedAt,
      system_name: settings.SystemName,
      server_address: settings.ServerAddress || parts.address().url,
      setup: parts.state.data.setup !== null,
      self_use_mode_enabled: settings.SelfUseModeEnabled,
      demo_site_enabled: settings.DemoSiteEnabled,
      quota_per_unit: UNITS_PER_USD,
      display_in_currency: true,
      quota_display_type: 'USD' as const,
      enable_data_export: true,
      data_export_default_time: 'hour' as const,
      enable_batch_update: true,
    }
  },
})

export const statusOperations = [statusGet] as const
