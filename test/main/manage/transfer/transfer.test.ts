import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { expectLocked, restartLocked } from '../keychain/locked-gateway.ts'
import {
  echoChannel,
  type Management,
  OWNER,
  startManagement,
  startUnset,
  verifyOwner,
} from '../management.ts'

const ALL = ['channels', 'tokens', 'prices', 'settings', 'groups', 'users', 'codes']
const PASSPHRASE = 'four plain words here'

/** A gateway with something in every part. */
async function startFilled(): Promise<Management> {
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
    ...{ base_url: 'https://relay.example.com/v1?code=cXVlcnktc2VjcmV0LTEyMzQ1&token=query-secret-2&x=1' },
    param_override: '{"temperature":0.5,"metadata":{"api_key":"param-secret"}}',
    setting: '{"proxy":"http://me:proxy-secret@proxy.example.com:8080"}',
    settings: '{"idle_seconds":30,"note":"sk-settings-secret-0123456789"}',
    status_code_mapping: '{"429":"503"}',
    test_model: 'gpt-x',
    remark: 'of the lab',
    auto_ban: 0,
  })
  const { channels } = management.gateway.parts
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
  await send('POST', '/api/user', {
    username: 'grace',
    password: 'a long password',
    display_name: 'Grace',
    ...{ role: 10, quota: 90_000, group: 'lab', email: 'grace@example.com', remark: 'the lab' },
  })
  await send('POST', '/api/redemption', { name: 'gift', count: 2, quota: 500 })
  return management
}

async function exported({ owner }: Management, parts = ALL, passphrase?: string) {
  const { body } = await owner.send('POST', '/api/transfer/export', {
    parts,
    ...(passphrase && { passphrase }),
  })
  expect(body).toMatchObject({ success: true })
  return body.data.text as string
}

const previewed = async ({ owner }: Management, text: string, passphrase?: string) =>
  (await owner.send('POST', '/api/transfer/preview', { text, ...(passphrase && { passphrase }) }))
    .body

async function imported(management: Management, text: string, passphrase?: string) {
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
function stateOf({ gateway: { parts } }: Management) {
  const drop = ({ id: _id, userId: _user, createdTime: _time, ...rest }: Record<string, unknown>) =>
    rest
  const { channels, tokens, users, settings } = parts
  return {
    channels: channels.all().map((one) => drop({ ...one })),
    tokens: tokens.all().map((one) => drop({ ...one })),
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

test('a sealed export brings all parts to another gateway, and exporting and importing again changes nothing', async () => {
  const first = await startFilled()
  const text = await exported(first, ALL, PASSPHRASE)
  expect(text).not.toMatch(/sk-vendor|header-secret|laptop|grace/)

  const second = await startManagement()
  await verifyOwner(second.owner)
  const { applied } = await imported(second, text, PASSPHRASE)
  expect(applied.map(({ part }: { part: string }) => part).sort()).toEqual([...ALL].sort())
  expect(stateOf(second)).toEqual(stateOf(first))
  // The client's key works at the new place.
  const [token] = first.gateway.parts.tokens.all()
  expect(second.gateway.parts.tokens.byKey(token?.key ?? '')).toBeDefined()

  const again = await previewed(first, await exported(second, ALL, PASSPHRASE), PASSPHRASE)
  expect(new Set(again.data.items.map(({ state }: { state: string }) => state))).toEqual(
    new Set(['same']),
  )
}, 60_000)

test('an export without a passphrase holds no secret, and its channels wait for their keys', async () => {
  const first = await startFilled()
  const parts = ALL.filter((part) => part !== 'codes')
  const text = await exported(first, parts)
  expect(text).not.toMatch(/sk-vendor|-secret|cXVlcnkt|scrypt\$/)
  for (const { key } of first.gateway.parts.tokens.all()) expect(text).not.toContain(key)

  const second = await startManagement()
  await verifyOwner(second.owner)
  await imported(second, text)
  const [local, vendor, relay] = second.gateway.parts.channels.all()
  expect(local).toMatchObject({ name: 'Local', status: 1 })
  expect(vendor).toMatchObject({
    name: 'Vendor',
    key: '',
    status: 2,
    headerOverride: { 'X-Team': 'blue' },
  })
  expect(relay).toMatchObject({
    baseUrl: 'https://relay.example.com/v1?x=1',
    paramOverride: { temperature: 0.5, metadata: {} },
    setting: {},
    settings: { idle_seconds: 30 },
    publicOnly: true,
  })

  // Where the secrets are known, they stay.
  const before = stateOf(first)
  const again = await previewed(first, text)
  expect(new Set(again.data.items.map(({ state }: { state: string }) => state))).toEqual(
    new Set(['same']),
  )
  await imported(first, text)
  expect(stateOf(first)).toEqual(before)
  const codes = await first.owner.send('POST', '/api/transfer/export', { parts: ['codes'] })
  expect(codes.body).toMatchObject({ success: false, field: 'passphrase' })
})

test('an export says what it left out', async () => {
  const { owner } = await startFilled()
  const { body } = await owner.send('POST', '/api/transfer/export', { parts: ['channels'] })
  const named = body.data.left_out.map(
    ({ name, field }: { name: string; field: string }) => `${name}: ${field}`,
  )
  expect(named).toEqual([
    'Vendor: header_override.X-Api-Token',
    'Relay: base_url',
    'Relay: setting.proxy',
    'Relay: param_override.metadata.api_key',
    'Relay: settings.note',
  ])
})

test('what no import knows again has to be entered again, and the preview says so', async () => {
  const text = await exported(await startFilled(), ['channels'])
  const { data } = await previewed(await startManagement(), text)
  expect(data.items.map(({ detail }: { detail: string }) => detail)).toMatchObject([
    '',
    expect.stringContaining('header X-Api-Token: enter it again'),
    expect.stringMatching(/base_url: enter it again.*settings.note: enter it again/),
  ])
})

test('an export with secrets is refused while the keychain is locked', async () => {
  const { signIn } = await restartLocked()
  const owner = await signIn()
  await verifyOwner(owner)
  const input = { parts: ['channels', 'tokens'], passphrase: PASSPHRASE }
  expectLocked(await owner.send('POST', '/api/transfer/export', input))
  // A file without secrets can be made, and promises none.
  const plain = await owner.send('POST', '/api/transfer/export', { parts: ['channels'] })
  expect(plain.body).toMatchObject({ success: true })
})

test('a wrong passphrase, a cut, a damaged, a newer and a foreign file are told apart and change nothing', async () => {
  const management = await startFilled()
  const text = await exported(management, ALL, PASSPHRASE)
  const file = JSON.parse(text)
  const before = management.gateway.parts.state.data
  const refusal = async (sent: string, passphrase?: string) => {
    const { success, message } = await previewed(management, sent, passphrase)
    expect(success).toBe(false)
    return message
  }
  const flipped = Buffer.from(file.sealed.text, 'base64')
  flipped[9] = (flipped[9] ?? 0) ^ 1
  const damaged = { ...file, sealed: { ...file.sealed, text: flipped.toString('base64') } }
  const messages = [
    await refusal(text, 'another passphrase'),
    await refusal(text),
    await refusal(text.slice(0, text.length / 2), PASSPHRASE),
    await refusal(JSON.stringify(damaged), PASSPHRASE),
    await refusal(JSON.stringify({ ...file, version: 2 }), PASSPHRASE),
    await refusal('just some notes'),
    await refusal(' '),
  ]
  expect(messages).toMatchObject([
    expect.stringContaining('The passphrase is wrong'),
    expect.stringContaining('is sealed'),
    expect.stringContaining('cut off'),
    expect.stringContaining('damaged or changed'),
    expect.stringContaining('newer Switchyard'),
    expect.stringContaining('none that can be imported'),
    expect.stringContaining('is empty'),
  ])
  // The header is authenticated too.
  expect(await refusal(JSON.stringify({ ...file, parts: ['channels'] }), PASSPHRASE)).toContain(
    'beginning of the file was changed',
  )
  expect(management.gateway.parts.state.data.channels).toBe(before.channels)
  expect(management.gateway.parts.state.data.settings).toBe(before.settings)
})

test('changed and conflicting entries are shown, chosen, applied as one, and undone', async () => {
  const management = await startFilled()
  const { owner, gateway } = management
  const file = JSON.parse(await exported(management, ['channels', 'settings']))
  file.data.channels[0].priority = 9
  file.data.channels[1].base_url = 'https://elsewhere.example.com'
  file.data.settings.RetryTimes = 99
  const { data } = await previewed(management, JSON.stringify(file))
  expect(data.left_out).toMatchObject([{ name: 'settings: RetryTimes' }])
  const channels = data.items.filter(({ part }: { part: string }) => part === 'channels')
  expect(channels.slice(0, 2)).toMatchObject([
    { name: 'Local', state: 'changed', detail: 'priority: 3 → 9' },
    { name: 'Vendor', state: 'conflict', detail: expect.stringContaining('base_url') },
  ])

  const before = gateway.parts.channels.all()
  const items = channels.map(({ id }: { id: string }) => id)
  const choice = { preview_id: data.preview_id, items, conflicts: { [items[1]]: 'replace' } }
  const { body } = await owner.send('POST', '/api/transfer/apply', choice)
  expect(body.data.applied).toEqual([{ part: 'channels', added: 0, changed: 2 }])
  const [local, vendor] = gateway.parts.channels.all()
  expect(local).toMatchObject({ priority: 9 })
  // A key is never sent to an address that a file names.
  expect(vendor).toMatchObject({ baseUrl: 'https://elsewhere.example.com', key: '', status: 2 })
  expect(vendor?.headerOverride).toEqual({ 'X-Team': 'blue' })

  const undone = await owner.send('POST', '/api/transfer/undo', { undo_id: body.data.undo_id })
  expect(undone.body).toMatchObject({ success: true })
  expect(gateway.parts.channels.all()).toEqual(before)
})

test('an import can be undone after a restart, a test, a balance read and a sign-in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-undo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const management = await startManagement({ dataFolder: folder })
  await verifyOwner(management.owner)
  await management.owner.send('POST', '/api/channel', echoChannel({ name: 'Mine' }))
  const before = stateOf(management)
  const text =
    'switchyard://import?name=New&base_url=https%3A%2F%2Fr.example.com&key=sk-new-0123456789&models=m'
  const { undo_id } = await imported(management, text)
  const { channels } = management.gateway.parts
  const [mine] = channels.all()
  await management.owner.get(`/api/channel/test/${mine?.id}`)
  channels.update(mine?.id ?? 0, { balance: 5, balanceUpdatedTime: 1_790_000_000 })
  expect(channels.all()[0]?.testTime).toBeGreaterThan(0)
  await management.gateway.close()

  const { gateway, visitor } = await startUnset({ dataFolder: folder })
  const owner = visitor()
  await owner.send('POST', '/api/user/login', OWNER)
  const last = await owner.get('/api/transfer/last')
  expect(last.body.data).toMatchObject({
    ...{ undo_id, from: 'switchyard-link', added: 1, changed: 0, blocked: null },
  })
  const undone = await owner.send('POST', '/api/transfer/undo', { undo_id })
  expect(undone.body.message).toBe('')
  const [left, ...others] = gateway.parts.channels.all()
  expect(others).toEqual([])
  // What was learnt of my own channel meanwhile stays.
  expect(left).toMatchObject({ name: 'Mine', balance: 5 })
  expect(left?.testTime).toBeGreaterThan(0)
  expect(stateOf({ ...management, gateway }).settings).toEqual(before.settings)
  expect((await owner.get('/api/transfer/last')).body.data).toBeNull()
})

test('an undo is refused once something else was changed', async () => {
  const management = await startFilled()
  const { owner } = management
  const file = JSON.parse(await exported(management, ['settings']))
  file.data.settings.RetryTimes = 5
  const { undo_id } = await imported(management, JSON.stringify(file))
  await owner.send('PUT', '/api/option', { key: 'SystemName', value: 'Other' })
  const { status, body } = await owner.send('POST', '/api/transfer/undo', { undo_id })
  expect(status).toBe(409)
  expect(body.message).toContain('settings were changed since the import')
  const { body: last } = await owner.get('/api/transfer/last')
  expect(last.data).toMatchObject({ undo_id, blocked: 'settings' })
})

test('an import of which one item fails writes none of them', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  await verifyOwner(owner)
  const text = JSON.stringify({
    ...{ kind: 'switchyard-export', version: 1, exported_at: '', switchyard: '', parts: [] },
    data: {
      tokens: [{ name: 'hers', user: 'grace' }],
      users: [{ username: 'grace' }],
      settings: { RetryTimes: 7 },
    },
  })
  const { data } = await previewed(management, text)
  const items = data.items
    .filter(({ part }: { part: string }) => part !== 'users')
    .map(({ id }: { id: string }) => id)
  const { body } = await owner.send('POST', '/api/transfer/apply', {
    preview_id: data.preview_id,
    items,
  })
  expect(body.message).toContain('Tick that user as well')
  expect(gateway.parts.settings.current.RetryTimes).toBe(2)
  expect(gateway.parts.tokens.all()).toEqual([])
})
