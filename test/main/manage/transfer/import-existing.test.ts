import { expect, test } from 'vitest'
import { echoChannel, type Management, startManagement, verifyOwner } from '../management.ts'

const openAi = {
  ...{ type: 1, name: 'OpenAI', key: 'sk-mine-0123456789abcd', models: 'gpt-5,gpt-5-mini' },
  ...{ base_url: 'https://api.openai.com/v1', group: 'default', tag: 'work', priority: 7 },
}

async function startWith(...channels: Record<string, unknown>[]): Promise<Management> {
  const management = await startManagement()
  await verifyOwner(management.owner)
  for (const channel of channels) {
    const { body } = await management.owner.send('POST', '/api/channel', echoChannel(channel))
    expect(body.message).toBe('')
  }
  return management
}

async function previewed({ owner }: Management, text: string) {
  const { body } = await owner.send('POST', '/api/transfer/preview', { text })
  expect(body.message).toBe('')
  return body.data
}

const stored = ({ gateway }: Management) => gateway.parts.channels.all()

const foreign = {
  '.env': 'OPENAI_API_KEY=sk-other-0123456789wxyz\n',
  link: 'switchyard://import?name=OpenAI&vendor=openai&key=sk-other-0123456789wxyz&models=gpt-evil',
}

test.each(Object.entries(foreign))(
  'a channel of mine is not touched unasked by the same name in a %s',
  async (kind, text) => {
    const management = await startWith(openAi)
    const before = stored(management)
    const { preview_id, items } = await previewed(management, text)
    expect(items).toMatchObject([{ name: 'OpenAI', state: 'conflict', ticked: false }])
    const keys = items[0].changes.find(({ field }: { field: string }) => field === 'keys')
    expect(keys).toEqual({ field: 'keys', from: 'sk-…abcd', to: 'sk-…wxyz' })
    expect(JSON.stringify(items)).not.toContain('sk-other-0123456789wxyz')
    const names = items[0].changes.map(({ field }: { field: string }) => field)
    expect(names.includes('models'), 'the models that the file names').toBe(kind === 'link')
    // Even ticked it stays as it is, until somebody says what to do.
    await management.owner.send('POST', '/api/transfer/apply', { preview_id, items: ['0'] })
    expect(stored(management)).toEqual(before)
  },
)

test('it can be added as a second channel, or replace mine without what the file doesn’t say', async () => {
  const management = await startWith(openAi)
  const choose = async (choice: string) => {
    const { preview_id } = await previewed(management, foreign.link)
    const { body } = await management.owner.send('POST', '/api/transfer/apply', {
      ...{ preview_id, items: ['0'], conflicts: { 0: choice } },
    })
    expect(body.message).toBe('')
    return body.data.undo_id
  }
  const undo_id = await choose('both')
  expect(stored(management)).toMatchObject([
    { name: 'OpenAI', key: openAi.key, models: ['gpt-5', 'gpt-5-mini'] },
    { name: 'OpenAI (2)', key: 'sk-other-0123456789wxyz', models: ['gpt-evil'], priority: 0 },
  ])
  await management.owner.send('POST', '/api/transfer/undo', { undo_id })
  await choose('replace')
  expect(stored(management)).toMatchObject([
    { name: 'OpenAI', key: 'sk-other-0123456789wxyz', models: ['gpt-evil'] },
  ])
  expect(stored(management)).toMatchObject([{ priority: 7, tag: 'work' }])
})

test('a key that a channel has already is recognised under any name, but not at another address', async () => {
  const management = await startWith(
    { ...openAi, name: 'Work account' },
    { ...openAi, name: 'Relay', key: 'sk-relay-0123456789ab', base_url: 'https://r.example.com' },
  )
  const link = (fields: string) => `switchyard://import?name=New&models=gpt-5&${fields}`
  const { items } = await previewed(
    management,
    [
      link(`vendor=openai&key=${openAi.key}`),
      link('base_url=https%3A%2F%2Fr.example.com%2Fv1&key=sk-relay-0123456789ab'),
      link(`base_url=https%3A%2F%2Felse.example.com&key=${openAi.key}`),
    ].join('\n'),
  )
  const same = (of: string) => ({ state: 'same', ticked: false, notes: [{ code: 'same_key', of }] })
  expect(items).toMatchObject([same('Work account'), same('Relay'), { state: 'new', ticked: true }])
  // A file that names no models asks for none.
  const keys = await previewed(management, `OPENAI_API_KEY=${openAi.key}\n`)
  expect(keys.items).toMatchObject([same('Work account')])
  // Further models of the same key are a choice.
  const more = await previewed(
    management,
    link(`vendor=openai&key=${openAi.key}`).replace('gpt-5', 'o9'),
  )
  expect(more.items).toMatchObject([
    { state: 'conflict', ticked: false, notes: [{ code: 'same_key' }] },
  ])
  expect(more.items[0].changes).toEqual([{ field: 'models', from: 'gpt-5, gpt-5-mini', to: 'o9' }])
})

test('a file without a key leaves the channel of its name enabled, with its key', async () => {
  const management = await startWith(openAi)
  const text = 'switchyard://import?name=OpenAI&vendor=openai&models=gpt-9'
  const { preview_id } = await previewed(management, text)
  await management.owner.send('POST', '/api/transfer/apply', {
    ...{ preview_id, items: ['0'], conflicts: { 0: 'replace' } },
  })
  expect(stored(management)).toMatchObject([{ key: openAi.key, status: 1, models: ['gpt-9'] }])
})

test('a token of mine that the file has as disabled opens nothing any more', async () => {
  const management = await startWith()
  const { owner, gateway } = management
  const made = await owner.send('POST', '/api/token', { name: 'laptop', unlimited_quota: true })
  expect(made.body.message).toBe('')
  const { key = '' } = gateway.parts.tokens.all()[0] ?? {}
  const models = async () =>
    (await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }))
      .status
  expect(await models()).toBe(200)
  const { body } = await owner.send('POST', '/api/transfer/export', { parts: ['tokens'] })
  const file = JSON.parse(body.data.text)
  file.data.tokens[0].disabled = true
  const { preview_id, items } = await previewed(management, JSON.stringify(file))
  expect(items).toMatchObject([{ name: 'laptop', state: 'changed' }])
  await owner.send('POST', '/api/transfer/apply', { preview_id, items: [items[0].id] })
  expect(await models()).toBe(401)
})

test('settings that let others in are not ticked, and others of our own file are', async () => {
  const management = await startWith()
  const settings = {
    ...{ TrustedProxies: ['10.0.0.0/8'], AllowedHosts: ['models.example.com'] },
    ...{ ServerAddress: 'https://models.example.com', RegisterEnabled: true, RetryTimes: 5 },
  }
  const { items } = await previewed(
    management,
    JSON.stringify({
      ...{ kind: 'switchyard-export', version: 1, exported_at: '', switchyard: '', parts: [] },
      data: { settings },
    }),
  )
  const ticked = items.map(({ name, ticked }: { name: string; ticked: boolean }) => [name, ticked])
  expect(Object.fromEntries(ticked)).toEqual({
    ...{ TrustedProxies: false, AllowedHosts: false, ServerAddress: false },
    ...{ RegisterEnabled: false, RetryTimes: true },
  })
  expect(items[0].notes).toEqual([{ code: 'opens_gateway', of: '' }])
})

test('a gateway that was paused when its settings were exported pauses none that imports them', async () => {
  const management = await startWith()
  const { owner } = management
  await owner.send('PUT', '/api/option/', { key: 'RetryTimes', value: 5 })
  management.gateway.parts.settings.update({ PausedSince: 1_700_000_000 })
  const { body } = await owner.send('POST', '/api/transfer/export', { parts: ['settings'] })
  const { settings } = JSON.parse(body.data.text).data
  expect([settings.RetryTimes, 'PausedSince' in settings]).toEqual([5, false])
  // Nor does a file that says so.
  const other = await startWith()
  const file = JSON.parse(body.data.text)
  file.data.settings.PausedSince = 1_700_000_000
  const { items, left_out } = await previewed(other, JSON.stringify(file))
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['RetryTimes'])
  expect(left_out).toMatchObject([{ name: 'settings: PausedSince' }])
})

test('a price of mine is not changed unasked by LiteLLM’s', async () => {
  const management = await startWith()
  await management.owner.send('PUT', '/api/prices', { model: 'm', input: 3, output: 9 })
  const { items } = await previewed(
    management,
    'model_list:\n  - model_name: m\n    litellm_params: { model: openai/m, api_key: sk-test-1 }\n    model_info: { input_cost_per_token: 0.000001 }\n',
  )
  const price = items.find(({ part }: { part: string }) => part === 'prices')
  expect(price).toMatchObject({ state: 'changed', ticked: false })
  expect(price.changes[0]).toEqual({ field: 'model_ratio', from: '1.5', to: '0.5' })
})

test('a price that my file no longer has is not in force after its import', async () => {
  const management = await startWith()
  const { owner, gateway } = management
  await owner.send('PUT', '/api/prices', { model: 'm', input: 3, output: 9 })
  const { body } = await owner.send('POST', '/api/transfer/export', { parts: ['prices'] })
  const file = JSON.parse(body.data.text)
  delete file.data.prices[0].completion_ratio
  const { preview_id, items } = await previewed(management, JSON.stringify(file))
  expect(items[0].changes).toEqual([{ field: 'completion_ratio', from: '3', to: '–' }])
  await owner.send('POST', '/api/transfer/apply', { preview_id, items: [items[0].id] })
  const { ModelRatio, CompletionRatio } = gateway.parts.settings.current
  expect([ModelRatio, CompletionRatio]).toEqual([{ m: 1.5 }, {}])
})

/** An export that somebody wrote or changed by hand. */
const groupsFile = (groups: object[]): string =>
  JSON.stringify({
    ...{ kind: 'switchyard-export', version: 1, switchyard: '1.0.0', parts: ['groups'] },
    exported_at: '2026-11-28T12:00:00.000Z',
    data: { groups },
  })

test('a group called auto is left out, as that name stands for several groups', async () => {
  const management = await startManagement()
  const groups = [
    { name: 'auto', ratio: 2 },
    { name: 'vip', ratio: 3 },
  ]
  const { items, left_out } = await previewed(management, groupsFile(groups))
  expect(items).toMatchObject([{ name: 'vip' }])
  expect(left_out).toMatchObject([{ name: 'groups: auto', reason: /stands for several/ }])
})

test('a group may be called constructor, and one that no setting can hold is left out by itself', async () => {
  const management = await startWith()
  const { owner, gateway } = management
  const groups = [
    { name: 'constructor', ratio: 2, description: 'Builders' },
    { name: 'long', ratio: 3, description: 'x'.repeat(2001) },
    { name: 'lines', ratio: 3, description: 'One\nTwo' },
    { name: 'two\nlines', ratio: 3, auto_place: 0 },
  ]
  const { preview_id, items, left_out } = await previewed(management, groupsFile(groups))
  expect(items).toMatchObject([{ id: '0', name: 'constructor', state: 'new' }])
  expect(left_out.map(({ name }: { name: string }) => name)).toEqual([
    ...['groups: long', 'groups: lines', 'groups: two\nlines'],
  ])
  const { body } = await owner.send('POST', '/api/transfer/apply', { preview_id, items: ['0'] })
  expect(body.message).toBe('')
  expect(gateway.parts.settings.current.GroupRatio).toMatchObject({ constructor: 2 })
})
