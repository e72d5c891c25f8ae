import { expect, test } from 'vitest'
import { startManagement } from '../management.ts'

test.each([
  ['/api/notice', 'Notice'],
  ['/api/about', 'About'],
  ['/api/home_page_content', 'HomePageContent'],
  ['/api/user-agreement', 'legal.user_agreement'],
  ['/api/privacy-policy', 'legal.privacy_policy'],
])('%s shows everybody what the owner wrote into %s', async (path, key) => {
  const { owner, visitor } = await startManagement()
  expect((await visitor().get(path)).body.data).toBe('')
  await owner.send('PUT', '/api/option', { key, value: '# Hello\nthere' })
  expect((await visitor().get(path)).body.data).toBe('# Hello\nthere')
})

test('third-party tools recognise the gateway by its status', async () => {
  const { visitor, gateway } = await startManagement()
  expect((await visitor().get('/api/status')).body.data).toMatchObject({
    setup: true,
    version: gateway.parts.version,
    start_time: gateway.parts.startedAt,
    system_name: 'Switchyard',
    server_address: gateway.url,
    quota_per_unit: 500_000,
    display_in_currency: true,
    self_use_mode_enabled: true,
    register_enabled: false,
    turnstile_check: false,
    github_oauth: false,
    chats: [],
  })
})

test('the status follows the options at once', async () => {
  const { owner, visitor } = await startManagement()
  const values = {
    SystemName: ['Mine', 'system_name', 'Mine'],
    Logo: ['https://example.com/logo.png', 'logo', 'https://example.com/logo.png'],
    Footer: ['<b>x</b>', 'footer_html', '<b>x</b>'],
    ServerAddress: ['https://gate.example.com', 'server_address', 'https://gate.example.com'],
    TopUpLink: ['https://example.com/buy', 'top_up_link', 'https://example.com/buy'],
    Price: ['2.5', 'price', 2.5],
    USDExchangeRate: [7, 'usd_exchange_rate', 7],
    StripeUnitPrice: [1.1, 'stripe_unit_price', 1.1],
    RegisterEnabled: [true, 'register_enabled', true],
    DefaultUseAutoGroup: ['true', 'default_use_auto_group', true],
    DataExportEnabled: ['false', 'enable_data_export', false],
    DataExportDefaultTime: ['week', 'data_export_default_time', 'week'],
    SelfUseModeEnabled: [false, 'self_use_mode_enabled', false],
    'general_setting.docs_link': ['https://example.com', 'docs_link', 'https://example.com'],
    'general_setting.quota_display_type': ['TOKENS', 'display_in_currency', false],
    'general_setting.custom_currency_symbol': ['€', 'custom_currency_symbol', '€'],
    'legal.user_agreement': ['Be kind.', 'user_agreement_enabled', true],
  } as const
  for (const [key, [value]] of Object.entries(values)) {
    expect((await owner.send('PUT', '/api/option', { key, value })).status, key).toBe(200)
  }
  const { data } = (await visitor().get('/api/status')).body
  for (const [, name, shown] of Object.values(values)) expect(data[name], name).toEqual(shown)
  expect(data.privacy_policy_enabled).toBe(false)
})

test('the gateway says whether it can work: 503 when its ledger cannot be used', async () => {
  const { owner, gateway, visitor } = await startManagement()
  const { status, body } = await owner.get('/api/status/test')
  expect(status).toBe(200)
  expect(body).toMatchObject({ success: true, http_stats: { active_connections: 0 } })
  expect((await visitor().get('/api/status/test')).status).toBe(401)

  gateway.parts.ledger.close()
  const broken = await owner.get('/api/status/test')
  expect(broken.status).toBe(503)
  expect(broken.body).toMatchObject({ success: false, code: 'storage_failed' })
  expect(broken.body.message).not.toMatch(/sqlite/i)
})
