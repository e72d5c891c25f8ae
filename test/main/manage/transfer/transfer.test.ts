import { expect, test } from 'vitest'
import { expectLocked, restartLocked } from '../keychain/locked-gateway.ts'
import { startManagement, verifyOwner } from '../management.ts'
import {
  ALL,
  exported,
  imported,
  PASSPHRASE,
  previewed,
  startFilled,
  stateOf,
} from './filled-gateway.ts'

test('a sealed export brings all parts to another gateway, and exporting and importing again changes nothing', async () => {
  const first = await startFilled()
  const text = await exported(first, ALL, PASSPHRASE)
  expect(text).not.toMatch(/sk-vendor|header-secret|laptop|grace/)

  const second = await startManagement()
  await verifyOwner(second.owner)
  const { applied } = await imported(second, text, PASSPHRASE.normalize('NFD'))
  expect(applied.map(({ part }: { part: string }) => part).sort()).toEqual([...ALL].sort())
  expect(stateOf(second)).toEqual(stateOf(first))
  // The client's key works at the new place.
  const [token] = first.gateway.parts.tokens.all()
  expect(second.gateway.parts.tokens.byKey(token?.key ?? '')).toBeDefined()

  const again = await previewed(first, await exported(second, ALL, PASSPHRASE), PASSPHRASE)
  expect(new Set(again.data.items.map(({ state }: { state: string }) => state))).toEqual(
    new Set(['same']),
  )
})

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
    expect.stringContaining('format isn’t known'),
    expect.stringContaining('is empty'),
  ])
  // The header is authenticated too.
  expect(await refusal(JSON.stringify({ ...file, parts: ['channels'] }), PASSPHRASE)).toContain(
    'beginning of the file was changed',
  )
  expect(management.gateway.parts.state.data.channels).toBe(before.channels)
  expect(management.gateway.parts.state.data.settings).toBe(before.settings)
})

test('an export that an editor on Windows saved again is read all the same', async () => {
  const management = await startFilled()
  const text = await exported(management, ['settings'])
  const { success, data } = await previewed(management, `\uFEFF${text.replaceAll('\n', '\r\n')}`)
  expect([success, data?.left_out]).toEqual([true, []])
})

test('changed and conflicting entries are shown, chosen, applied as one, and undone', async () => {
  const management = await startFilled()
  const { owner, gateway } = management
  const file = JSON.parse(await exported(management, ['channels', 'settings']))
  file.data.channels[0].priority = 9
  file.data.channels[1].base_url = 'https://elsewhere.example.com'
  file.data.settings.RetryTimes = 99
  const { data } = await previewed(management, JSON.stringify(file))
  expect(data.left_out).toMatchObject([
    {
      name: 'settings: RetryTimes',
      refused: {
        ...{ part: 'settings', name: 'RetryTimes', field: 'RetryTimes' },
        reason: { code: 'field_too_large', most: 20 },
      },
    },
  ])
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

test('a route keeps only what is there: a rule for a token that is missing is for nobody, not for everybody', async () => {
  const first = await startFilled()
  const text = await exported(first, ['routes'])
  const second = await startManagement()
  await verifyOwner(second.owner)
  const { owner, gateway } = second
  const { data } = await previewed(second, text)
  expect(data.items).toMatchObject([
    {
      part: 'routes',
      name: 'best',
      state: 'new',
      notes: [
        { code: 'channel_missing', of: 'Vendor' },
        { code: 'token_missing', of: 'ci' },
      ],
    },
  ])
  const items = data.items.map(({ id }: { id: string }) => id)
  const applied = await owner.send('POST', '/api/transfer/apply', {
    preview_id: data.preview_id,
    items,
  })
  expect(applied.body).toMatchObject({ success: true })
  expect(gateway.parts.routes.all()).toMatchObject([
    { name: 'best', targets: [{ model: 'gpt-x' }, { model: 'my-model' }], rules: [] },
  ])
  const { undo_id } = applied.body.data
  expect((await owner.send('POST', '/api/transfer/undo', { undo_id })).body.success).toBe(true)
  expect(gateway.parts.routes.all()).toEqual([])
})

test('a route to a channel that was not ticked is left out, and the rest is imported', async () => {
  const first = await startFilled()
  const target = { model: 'gpt-x', channelId: null, tag: null, weight: 0 }
  const vendor = first.gateway.parts.channels.all().find(({ name }) => name === 'Vendor')
  first.gateway.parts.routes.create({
    name: 'only-vendor',
    targets: [{ ...target, channelId: vendor?.id ?? 0 }],
  })
  const alone = await startManagement()
  await verifyOwner(alone.owner)
  const { data: without } = await previewed(alone, await exported(first, ['routes']))
  expect(without.left_out).toMatchObject([
    { name: 'routes: only-vendor', reason: expect.stringContaining('None of its channels') },
  ])
  const { data } = await previewed(alone, await exported(first, ['routes', 'channels']))
  const items = data.items
    .filter(({ part }: { part: string }) => part === 'routes')
    .map(({ id }: { id: string }) => id)
  const applied = await alone.owner.send('POST', '/api/transfer/apply', {
    preview_id: data.preview_id,
    items,
  })
  expect(applied.body).toMatchObject({ success: true })
  expect(alone.gateway.parts.routes.all().map(({ name }) => name)).toEqual(['best'])
})

test('a rule for a token is for the one of the same holder, not for another’s of its name', async () => {
  const first = await startFilled()
  const text = await exported(first, ['routes', 'tokens', 'channels'])
  const second = await startManagement()
  await verifyOwner(second.owner)
  const { parts } = second.gateway
  const anna = parts.users.create({ username: 'anna' })
  const hers = parts.tokens.create({ userId: anna.id, name: 'ci' })
  const { items } = (await previewed(second, text)).data
  const route = items.find(({ part }: { part: string }) => part === 'routes')
  expect(route.notes).toEqual([])
  await imported(second, text)
  const rule = parts.routes.all()[0]?.rules.find(({ name }) => name === 'ci')
  expect(rule?.when.tokenIds).toHaveLength(1)
  expect(rule?.when.tokenIds).not.toContain(hers.id)
})

test('the audit log tells when all keys leave by an export, and when an import comes in or is taken back', async () => {
  const first = await startFilled()
  const events = async ({ owner }: typeof first): Promise<string[]> => {
    const { items } = (await owner.get('/api/log/audit?kind=admin')).body.data
    return items.map(({ content }: { content: string }) => content)
  }
  const before = (await events(first)).length
  await exported(first, ['channels'])
  expect(await events(first)).toHaveLength(before)
  const text = await exported(first, ['channels', 'tokens'], PASSPHRASE)
  expect((await events(first))[0]).toBe('Exported with their secrets: channels, tokens.')

  const second = await startManagement()
  await verifyOwner(second.owner)
  const { undo_id } = await imported(second, text, PASSPHRASE)
  const [added] = await events(second)
  expect(added).toMatch(
    /^Imported from switchyard: \d+ added, 0 changed \((?:channels|tokens), \w+\)\.$/,
  )
  await second.owner.send('POST', '/api/transfer/undo', { undo_id })
  expect(await events(second)).toEqual(['Undid the import from switchyard.', added])
})
