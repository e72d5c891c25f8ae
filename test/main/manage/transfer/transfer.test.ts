import { expect, test } from 'vitest'
import { echoChannel, type Management, startManagement, verifyOwner } from '../management.ts'

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
  await send('PUT', '/api/prices', { model: 'my-model', input: 3, output: 9 })
  await send('POST', '/api/channel', echoChannel({ name: 'Local', priority: 3, tag: 'here' }))
  const vendor = {
    ...{ type: 1, name: 'Vendor', key: 'sk-vendor-one\nsk-vendor-two', models: 'gpt-x,gpt-y' },
    ...{ base_url: 'https://models.example.com', model_mapping: '{"gpt-y":"gpt-z"}' },
    header_override: '{"X-Api-Token":"header-secret","X-Team":"blue"}',
  }
  await send('POST', '/api/channel', { mode: 'multi_to_single', channel: vendor })
  await send('POST', '/api/token', { name: 'laptop', unlimited_quota: true, expired_time: -1 })
  await send('POST', '/api/user', {
    username: 'grace',
    password: 'a long password',
    display_name: 'Grace',
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
  expect(text).not.toMatch(/sk-vendor|header-secret|scrypt\$/)
  for (const { key } of first.gateway.parts.tokens.all()) expect(text).not.toContain(key)

  const second = await startManagement()
  await verifyOwner(second.owner)
  await imported(second, text)
  const [local, vendor] = second.gateway.parts.channels.all()
  expect(local).toMatchObject({ name: 'Local', status: 1 })
  expect(vendor).toMatchObject({
    name: 'Vendor',
    key: '',
    status: 2,
    headerOverride: { 'X-Team': 'blue' },
  })

  // Where the secrets are known, they stay.
  await imported(first, text)
  expect(first.gateway.parts.channels.all()[1]).toMatchObject({
    key: 'sk-vendor-one\nsk-vendor-two',
  })
  const codes = await first.owner.send('POST', '/api/transfer/export', { parts: ['codes'] })
  expect(codes.body).toMatchObject({ success: false, field: 'passphrase' })
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
  expect(channels).toMatchObject([
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

  const undone = await owner.send('POST', '/api/transfer/undo', { undo_id: body.data.undo_id })
  expect(undone.body).toMatchObject({ success: true })
  expect(gateway.parts.channels.all()).toEqual(before)
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
  expect(body.message).toContain('changed since the import')
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
