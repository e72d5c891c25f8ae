import { expect } from 'vitest'
import { toRouteDraft } from '../../../../main/manage/transfer/part/route-part.ts'
import { echoChannel, type Management, startManagement, verifyOwner } from '../management.ts'

export const ALL = [
  'channels',
  'tokens',
  'routes',
  'prices',
  'settings',
  'groups',
  'users',
  'codes',
]
/** With a letter that some keyboards write as two. */
export const PASSPHRASE = 'four plain wörds here'

/** A gateway with something in every part. */
export async function startFilled(): Promise<Management> {
  const management = await startManagement()
  const { owner } = management
  await verifyOwner(owner)
  const send = async (method: string, path: string, body: unknown) => {
    const { body: answer } = await owner.send(method, path, body)
    expect(answer.message).toBe('')
    expect(answer).toMatchObject({ success: true })
  }
  const option = (key: string, value: unknown) => send('PUT', '/api/option', { key, value })
  await option('GroupRatio', '{"default":1,"lab":0.5}')
  await option('UserUsableGroups', '{"default":"Default group","lab":"Lab"}')
  await option('RetryTimes', 4)
  await option('SystemName', 'Yard')
  await option('GroupGroupRatio', '{"lab":{"default":2}}')
  await option('TopupGroupRatio', '{"lab":0.9}')
  await option('AutoGroups', '["lab","default"]')
  await send('PUT', '/api/prices', { model: 'my-model', input: 3, output: 9 })
  await send('POST', '/api/channel', echoChannel({ name: 'Local', priority: 3, tag: 'here' }))
  const vendor = {
    ...{ type: 1, name: 'Vendor', key: 'sk-vendor-one\nsk-vendor-two', models: 'gpt-x,gpt-y' },
    ...{ base_url: 'https://models.example.com', model_mapping: '{"gpt-y":"gpt-z"}' },
    header_override: '{"X-Api-Token":"header-secret","X-Team":"blue"}',
  }
  await send('POST', '/api/channel', { mode: 'multi_to_single', channel: vendor })
  await send('POST', '/api/channel', {
    ...{ type: 1, name: 'Relay', key: 'sk-relay-one', models: 'gpt-x', weight: 4, group: 'lab' },
    ...{
      base_url:
        'https://relay.example.com/v1?code=cXVlcnktc2VjcmV0LTEyMzQ1&token=query-secret-2&x=1',
    },
    param_override: '{"temperature":0.5,"metadata":{"api_key":"param-secret"}}',
    setting: '{"proxy":"http://me:proxy-secret@proxy.example.com:8080"}',
    settings: '{"idle_seconds":30,"note":"sk-settings-secret-0123456789"}',
    status_code_mapping: '{"429":"503"}',
    test_model: 'gpt-x',
    remark: 'of the lab',
    auto_ban: 0,
  })
  const { channels, tokens } = management.gateway.parts
  const [, ofVendor, relay] = channels.all()
  // As the gateway disables a key and a channel, and as an administrator's channel is kept.
  const keyStates = [
    { status: 1 as const, reason: '', time: 0 },
    { status: 2 as const, reason: 'Disabled by ada', time: 1_790_000_000 },
  ]
  channels.update(ofVendor?.id ?? 0, { keyStates })
  const otherInfo = '{"status_reason":"401","status_time":1790000000}'
  channels.update(relay?.id ?? 0, { status: 3, otherInfo, publicOnly: true })
  await send('POST', '/api/token', { name: 'laptop', unlimited_quota: true, expired_time: -1 })
  await send('POST', '/api/token', {
    ...{ name: 'ci', unlimited_quota: false, remain_quota: 70_000, expired_time: 1_990_000_000 },
    ...{ model_limits_enabled: true, model_limits: 'gpt-x,gpt-y', allow_ips: '10.0.0.0/8' },
    ...{ group: 'lab', cross_group_retry: true, day_budget: 5_000, month_budget: 60_000 },
    ...{ budget_warning: 70, requests_per_minute: 6, tokens_per_minute: 9_000 },
  })
  const ci = tokens.all().find(({ name }) => name === 'ci')
  tokens.update(ci?.id ?? 0, { modelAliases: { 'claude-via-gpt-x': 'gpt-x' } })
  const target = (model: string, more: object = {}) => ({ model, ...more })
  await send('POST', '/api/route', {
    name: 'best',
    targets: [target('gpt-x', { weight: 3, tag: 'here' }), target('my-model', { weight: 1 })],
    rules: [
      {
        name: 'long',
        when: { min_input_tokens: 60_000, images: false, clients: ['codex'] },
        targets: [target('gpt-y', { channel_id: ofVendor?.id })],
      },
      { name: 'ci', when: { token_ids: [ci?.id] }, targets: [target('gpt-x')] },
    ],
  })
  await send('POST', '/api/user', {
    username: 'grace',
    password: 'a long password',
    display_name: 'Grace',
    ...{ role: 10, quota: 90_000, group: 'lab', email: 'grace@example.com', remark: 'the lab' },
  })
  await send('POST', '/api/redemption', { name: 'gift', count: 2, quota: 500 })
  return management
}

export async function exported({ owner }: Management, parts = ALL, passphrase?: string) {
  const { body } = await owner.send('POST', '/api/transfer/export', {
    parts,
    ...(passphrase && { passphrase }),
  })
  expect(body).toMatchObject({ success: true })
  return body.data.text as string
}

export const previewed = async ({ owner }: Management, text: string, passphrase?: string) =>
  (await owner.send('POST', '/api/transfer/preview', { text, ...(passphrase && { passphrase }) }))
    .body

export async function imported(management: Management, text: string, passphrase?: string) {
  const { data } = await previewed(management, text, passphrase)
  expect(data.left_out).toEqual([])
  const { body } = await management.owner.send('POST', '/api/transfer/apply', {
    preview_id: data.preview_id,
    items: data.items.map(({ id }: { id: string }) => id),
  })
  expect(body).toMatchObject({ success: true })
  return body.data
}

/** All that an import may write, without ids and times. */
export function stateOf({ gateway: { parts } }: Management) {
  const drop = ({ id: _id, userId: _user, createdTime: _time, ...rest }: Record<string, unknown>) =>
    rest
  const { channels, tokens, routes, users, settings } = parts
  return {
    channels: channels.all().map((one) => drop({ ...one })),
    tokens: tokens.all().map((one) => drop({ ...one })),
    routes: routes.all().map((one) => toRouteDraft(one, parts)),
    users: users
      .all()
      .filter(({ role }) => role < 100)
      .map((one) => drop({ ...one })),
    settings: settings.current,
    codes: parts.ledger.read(
      'SELECT code, name, quota, status FROM redemption_codes ORDER BY code',
    ),
  }
}
