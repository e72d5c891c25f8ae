import { expect, test } from 'vitest'
import { eventRow } from '../../../../main/manage/calls/event-row.ts'
import { defaultSettings } from '../../../../main/store/state/default-settings.ts'
import { settingExamples } from '../../../../main/store/state/settings-examples.ts'
import { settingsSchema } from '../../../../main/store/state/settings-schema.ts'
import { type Management, startManagement, type Visitor } from '../management.ts'
import { signInAs } from '../users/people.ts'

interface Option {
  key: string
  value: string
  has_value?: boolean
  default?: string
  fixed?: string
}

const put = (visitor: Visitor, key: string, value: unknown) =>
  visitor.send('PUT', '/api/option/', { key, value })

async function read({ owner }: Management, key: string): Promise<Option | undefined> {
  const { data } = (await owner.get('/api/option/')).body
  return data.find((one: Option) => one.key === key)
}

test('options are read as texts and changed one by one', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  expect((await put(owner, 'RetryTimes', '5')).status).toBe(200)
  expect((await put(owner, 'LegacyStatus', false)).status).toBe(200)
  expect((await put(owner, 'ModelRatio', '{"gpt-a":1.5}')).status).toBe(200)
  expect((await put(owner, 'SystemName', '42')).status).toBe(200)
  expect((await put(owner, 'ChannelDisableThreshold', 7.5)).status).toBe(200)
  expect(await read(management, 'RetryTimes')).toEqual({
    key: 'RetryTimes',
    value: '5',
    default: '2',
  })
  expect((await read(management, 'LegacyStatus'))?.value).toBe('false')
  expect((await read(management, 'ModelRatio'))?.value).toBe('{"gpt-a":1.5}')
  expect((await read(management, 'AllowedHosts'))?.value).toBe('[]')
  expect(gateway.parts.settings.current).toMatchObject({
    RetryTimes: 5,
    SystemName: '42',
    ChannelDisableThreshold: 7.5,
  })
})

test('null gives an option its default again', async () => {
  const { owner, gateway } = await startManagement()
  await put(owner, 'SystemName', 'Mine')
  expect((await put(owner, 'SystemName', null)).status).toBe(200)
  expect(gateway.parts.settings.current.SystemName).toBe('Switchyard')
  expect(gateway.parts.state.data.settings).not.toHaveProperty('SystemName')
})

test('a secret can be written and cleared, and is never read back', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  expect(await read(management, 'StripeApiSecret')).toEqual({
    key: 'StripeApiSecret',
    value: '',
    has_value: false,
  })
  await put(owner, 'StripeApiSecret', 'sk_test_abc')
  expect(JSON.stringify((await owner.get('/api/option/')).body)).not.toContain('sk_test_abc')
  expect((await read(management, 'StripeApiSecret'))?.has_value).toBe(true)
  expect(JSON.stringify(gateway.parts.state.data.settings)).not.toContain('sk_test_abc')

  // A form that sends back what it was shown changes nothing.
  expect((await put(owner, 'StripeApiSecret', '')).status).toBe(200)
  expect(gateway.parts.settings.current.StripeApiSecret).toBe('sk_test_abc')
  expect((await put(owner, 'StripeApiSecret', null)).status).toBe(200)
  expect((await read(management, 'StripeApiSecret'))?.has_value).toBe(false)
})

test.each([
  ['Unknown', '1', 'key', /no option "Unknown"/],
  ['__proto__', '1', 'key', /no option/],
  ['toString', '1', 'key', /no option/],
  ['RetryTimes', 'many', 'RetryTimes', /should look like 2/],
  ['RetryTimes', '-1', 'RetryTimes', /at least 0/],
  ['RetryTimes', 1.5, 'RetryTimes', /whole number/],
  ['LegacyStatus', 'yes', 'LegacyStatus', /should look like false/],
  ['LegacyStatus', '1', 'LegacyStatus', /true or false/],
  ['ModelRatio', '{"gpt-a":', 'ModelRatio', /should look like \{"my-model": 1.25\}/],
  ['ModelRatio', '{"gpt-a":"x"}', 'ModelRatio.gpt-a', /"ModelRatio.gpt-a" must be a number/],
  ['ModelRatio', '[1]', 'ModelRatio', /should look like/],
  ['ModelRequestRateLimitGroup', '{"vip":[1]}', 'ModelRequestRateLimitGroup.vip', /look like/],
  ['AutoGroups', '"default"', 'AutoGroups', /should look like \["default"\]/],
  ['CreemProducts', '[{"productId":"p"}]', 'CreemProducts[0].name', /is missing/],
  ['UnitPrice', '{"m":{"minute":1}}', 'UnitPrice.m.minute', /no field/],
  ['general_setting.quota_display_type', 'EUR', 'general_setting.quota_display_type', /"USD"/],
  ['SystemName', 'two\r\nlines', 'SystemName', /single line/],
  ['CreemApiKey', 'key with blanks', 'CreemApiKey', /visible ASCII/],
  ['AutomaticRetryStatusCodes', 'all', 'AutomaticRetryStatusCodes', /"429,500-503"/],
  ['AutomaticRetryStatusCodes', '503-500', 'AutomaticRetryStatusCodes', /the smaller one/],
  ['AutomaticDisableStatusCodes', '099', 'AutomaticDisableStatusCodes', /100 to 599/],
  ['AutomaticDisableStatusCodes', '401,600', 'AutomaticDisableStatusCodes', /100 to 599/],
  ['ServerAddress', 'models.example.com', 'ServerAddress', /http:/],
  ['ServerAddress', 'javascript:alert(1)', 'ServerAddress', /http:/],
  ['AllowedHosts', '["https://a.example"]', 'AllowedHosts[0]', /must be a host/],
  ['AllowedHosts', '["a.example/b"]', 'AllowedHosts[0]', /must be a host/],
  ['TrustedProxies', '["10.0.0.0/99"]', 'TrustedProxies[0]', /such as 10\.0\.0\.1 or 10/],
  ['GroupRatio', '{"vip":1}', 'GroupRatio', /must keep the group "default"/],
  ['GroupRatio', '{"default":1,"auto":2}', 'GroupRatio', /"auto" stands for several groups/],
  ['AutoGroups', '["default","vip"]', 'AutoGroups', /"vip"\. Add it to GroupRatio first/],
  ['UserUsableGroups', '{"vip":""}', 'UserUsableGroups', /GroupRatio first/],
  ['GroupGroupRatio', '{"default":{"vip":1}}', 'GroupGroupRatio', /GroupRatio first/],
  ['AutomaticDisableKeywords', { a: 1 }, 'value', /must be text/],
])('%s cannot be %j', async (key, value, field, sentence) => {
  const { owner, gateway } = await startManagement()
  const before = gateway.parts.settings.current
  const { status, body } = await put(owner, key, value)
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'invalid_params', field })
  expect(body.message).toMatch(sentence)
  expect(gateway.parts.settings.current).toEqual(before)
})

test('what is not offered cannot be switched on, and says why', async () => {
  const management = await startManagement()
  const { owner } = management
  expect(await read(management, 'QuotaPerUnit')).toMatchObject({ value: '500000' })
  for (const [key, value] of [
    ['QuotaPerUnit', '1000'],
    ['LogConsumeEnabled', false],
    ['GitHubOAuthEnabled', 'true'],
    ['QuotaForInviter', 5],
  ] as const) {
    const { status, body } = await put(owner, key, value)
    expect(status).toBe(400)
    expect(body.field).toBe(key)
    expect(body.message).toContain(`The option ${key} is always`)
    expect((await read(management, key))?.fixed).toBeTruthy()
  }
  // Scripts write back what they read.
  expect((await put(owner, 'LogConsumeEnabled', true)).status).toBe(200)
  expect((await put(owner, 'GitHubOAuthEnabled', 'false')).status).toBe(200)
})

test('every option that is written as JSON has an example, and the example is right', () => {
  for (const [name, value] of Object.entries(defaultSettings)) {
    if (typeof value === 'object') expect(settingExamples).toHaveProperty([name])
  }
  for (const [name, example] of Object.entries(settingExamples)) {
    const schema = settingsSchema.shape[name as keyof typeof settingsSchema.shape]
    expect(schema.safeParse(JSON.parse(example)).error, name).toBeUndefined()
  }
})

test('a long secret is kept, and comes out whole for its provider', async () => {
  const { owner, gateway } = await startManagement()
  const value = 's'.repeat(2000)
  expect((await put(owner, 'StripeApiSecret', value)).status).toBe(200)
  expect(gateway.parts.settings.current.StripeApiSecret).toBe(value)
  const { status, body } = await put(owner, 'StripeApiSecret', `${value}s`)
  expect([status, body.field]).toEqual([400, 'StripeApiSecret'])
})

test('hosts, addresses and groups that make sense are kept', async () => {
  const { owner } = await startManagement()
  const statuses: number[] = []
  for (const [key, value] of [
    ['AllowedHosts', '["a.example.com","box","box_2.lan:8443","[::1]:4747","10.0.0.7"]'],
    ['ServerAddress', 'https://a.example.com/gate'],
    ['ServerAddress', ''],
    ['AutomaticRetryStatusCodes', ' 429 , 500-503,504-504'],
    ['AutomaticRetryStatusCodes', '100-599'],
    ['AutomaticRetryStatusCodes', ''],
    ['GroupRatio', '{"default":1,"vip":0.5}'],
    ['UserUsableGroups', '{"vip":"Few","auto":"Any"}'],
    ['AutoGroups', '["vip"]'],
    ['GroupGroupRatio', '{"vip":{"default":0.1}}'],
  ] as const) {
    statuses.push((await put(owner, key, value)).status)
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('fewer LogDays take old rows away at once', async () => {
  const { owner, gateway } = await startManagement()
  const { ledger } = gateway.parts
  const facts = { requestId: 'r', ip: '' }
  const user = { id: 1, username: 'ada', group: 'default' }
  const event = (message: string) =>
    eventRow(4, user, { message, reason: { code: 'audit_ratios_reset' } }, facts)
  const old = event('long ago')
  await ledger.record({ ...old, createdAt: old.createdAt - 10 * 86_400 })
  await ledger.record(event('today'))
  const kept = () =>
    ledger.list({ type: 4 }, { page: 1, pageSize: 10 }).items.map(({ content }) => content)
  expect(kept()).toEqual(['today', 'long ago'])
  expect((await put(owner, 'LogDays', 5)).status).toBe(200)
  await expect.poll(() => kept()).toEqual(['today'])
  // 0 keeps them for ever again.
  expect((await put(owner, 'LogDays', 0)).status).toBe(200)
})

test('options are the owner’s, also to read', async () => {
  const { gateway, visitor } = await startManagement()
  gateway.parts.users.create({ username: 'bob', role: 10, accessToken: 'b'.repeat(32) })
  const bob = { authorization: 'b'.repeat(32) }
  expect((await visitor().get('/api/option/', bob)).status).toBe(403)
  const change = { key: 'RetryTimes', value: '1' }
  expect((await visitor().send('PUT', '/api/option', change, bob)).status).toBe(403)
})

test('the server tells where it is and what it runs on, and users not where its files are', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  expect((await owner.get('/api/server')).body.data).toEqual({
    url: gateway.url,
    host: '127.0.0.1',
    port: gateway.port,
    version: gateway.parts.version,
    node: process.versions.node,
    data_folder: gateway.parts.dataFolder,
    started_at: gateway.parts.startedAt,
    ledger_problem: null,
    keychain_locked: false,
    paused_since: null,
    electron: null,
    shared: false,
  })
  const bob = await signInAs(management, { username: 'bob' })
  const { data } = (await bob.get('/api/server')).body
  expect(data).toMatchObject({ url: gateway.url, data_folder: '', ledger_problem: null })
})

test('a refusal says by code what is wrong, for a console that has a label for the option', async () => {
  const { owner } = await startManagement()
  const set = async (value: string) =>
    (await owner.send('PUT', '/api/option/', { key: 'RetryTimes', value })).body.reason
  expect(await set('1000')).toEqual({ code: 'field_too_large', most: expect.any(Number) })
  expect(await set('many')).toEqual({
    code: 'field_wrong',
    problem: 'cannot be read. It should look like 2',
    why: { code: 'looks_like', example: '2' },
  })
})

test('the server counts as shared outside of self-use mode, and with any other user', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const isShared = async () => (await owner.get('/api/server')).body.data.shared
  expect(await isShared()).toBe(false)
  gateway.parts.settings.update({ SelfUseModeEnabled: false })
  expect(await isShared()).toBe(true)
  gateway.parts.settings.update({ SelfUseModeEnabled: true })
  await signInAs(management, { username: 'bob' })
  expect(await isShared()).toBe(true)
})

test('a client of new-api reads that addresses which users enter are checked, and never private', async () => {
  const management = await startManagement()
  const wanted = {
    'fetch_setting.enable_ssrf_protection': 'true',
    'fetch_setting.allow_private_ip': 'false',
    'fetch_setting.apply_ip_filter_for_domain': 'true',
  }
  for (const [key, value] of Object.entries(wanted)) {
    expect(await read(management, key)).toMatchObject({ value, fixed: expect.any(String) })
    expect((await put(management.owner, key, value === 'true' ? 'false' : 'true')).status).toBe(400)
  }
})
