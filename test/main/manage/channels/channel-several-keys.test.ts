import { describe, expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, startManagement } from '../management.ts'

const [FIRST, SECOND, THIRD] = [
  'sk-first-0123456789abcd1111',
  'sk-second-0123456789abc2222',
  'sk-third-0123456789abcd3333',
] as const

async function create({ owner }: Management, fields: object = {}, mode = 'polling') {
  const { body } = await owner.send('POST', '/api/channel/', {
    mode: 'multi_to_single',
    multi_key_mode: mode,
    channel: {
      type: 1,
      name: 'Several',
      key: `${FIRST}\n\n ${SECOND} \n${FIRST}`,
      models: 'gpt-a',
      ...fields,
    },
  })
  if (!body.success) throw new Error(body.message)
  return body.data.ids[0] as number
}

const infoOf = async ({ owner }: Management, id: number) =>
  (await owner.get(`/api/channel/${id}`)).body.data.channel_info

const manage = ({ owner }: Management, channel_id: number, action: string, more: object = {}) =>
  owner.send('POST', '/api/channel/multi_key/manage', { channel_id, action, ...more })

const keysOf = ({ gateway }: Management, id: number) =>
  gateway.parts.channels.byId(id)?.key.split('\n')

const chat = ({ gateway }: Management) => {
  const { key } = gateway.parts.tokens.create({ userId: 1, name: 'tool', unlimitedQuota: true })
  return async () => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-a', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    return { status: response.status, text: await response.text() }
  }
}

const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-a',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
}

test('a key that was chosen by what was seen of it is not mistaken for another', async () => {
  const management = await startManagement()
  const id = await create(management)
  const seen = (await manage(management, id, 'get_key_status')).body.data.keys
  const chosen = { key_index: 0, key_preview: seen[0].key_preview }
  await manage(management, id, 'delete_key', chosen)
  // A second editor still looks at the list of before.
  const late = await manage(management, id, 'disable_key', chosen)
  expect([late.status, late.body.code, late.body.field]).toEqual([409, 'conflict', 'key_preview'])
  expect((await infoOf(management, id)).multi_key_status_list).toEqual({})
  expect(keysOf(management, id)).toEqual([SECOND])
})

describe('a channel with several keys', () => {
  test('holds each key once, shows how many but none of them, and its states only by itself', async () => {
    const management = await startManagement()
    const id = await create(management)
    expect(keysOf(management, id)).toEqual([FIRST, SECOND])
    await manage(management, id, 'disable_key', { key_index: 1 })
    const { body } = await management.owner.get(`/api/channel/${id}`)
    expect(body.data).toMatchObject({ key: '', key_count: 2, key_preview: 'sk-…1111' })
    expect(body.data.channel_info).toMatchObject({
      is_multi_key: true,
      multi_key_size: 2,
      multi_key_mode: 'polling',
      multi_key_polling_index: 0,
      multi_key_status_list: { 1: 2 },
      multi_key_disabled_reason: { 1: 'Disabled by ada' },
    })
    const { items } = (await management.owner.get('/api/channel/')).body.data
    expect(Object.keys(items[0].channel_info).sort()).toEqual([
      'is_multi_key',
      'multi_key_mode',
      'multi_key_polling_index',
      'multi_key_size',
    ])
    expect(JSON.stringify(items)).not.toContain(SECOND)
    const none = { mode: 'multi_to_single', channel: { type: 900, name: 'x', models: 'echo' } }
    const refused = await management.owner.send('POST', '/api/channel/', none)
    expect(refused.body).toMatchObject({ code: 'invalid_params', field: 'key' })
  })

  test('sends each call with the next key, and says in the log which it was', async () => {
    const upstream = await startUpstream(() => ({ body: completion }))
    onTestFinished(() => upstream.close())
    const management = await startManagement()
    const id = await create(management, {
      base_url: upstream.url,
      key: `${FIRST}\n${SECOND}\n${THIRD}`,
    })
    await manage(management, id, 'disable_key', { key_index: 1 })
    const ask = chat(management)
    for (let call = 0; call < 3; call++) expect((await ask()).status).toBe(200)
    expect(upstream.requests.map(({ headers }) => headers.authorization)).toEqual(
      [FIRST, THIRD, FIRST].map((key) => `Bearer ${key}`),
    )
    const { items } = management.gateway.parts.ledger.list({}, { page: 1, pageSize: 10 })
    expect(items.map(({ other }) => JSON.parse(other).admin_info)).toMatchObject(
      [0, 2, 0].map((index) => ({
        use_channel: [String(id)],
        is_multi_key: true,
        multi_key_index: index,
      })),
    )
    expect((await infoOf(management, id)).multi_key_polling_index).toBe(1)
  })
})

describe('editing keys', () => {
  test('a key that stays keeps its state, wherever it stands then, and the channel its rotation', async () => {
    const management = await startManagement()
    const id = await create(management)
    await manage(management, id, 'disable_key', { key_index: 1 })
    const edit = (fields: object) =>
      management.owner.send('PUT', '/api/channel/', { id, ...fields })
    await edit({ key: `${THIRD}\n${FIRST}`, key_mode: 'append' })
    expect(keysOf(management, id)).toEqual([FIRST, SECOND, THIRD])
    expect(await infoOf(management, id)).toMatchObject({
      multi_key_mode: 'polling',
      multi_key_status_list: { 1: 2 },
    })
    await edit({ key: `${SECOND}\n${THIRD}`, key_mode: 'replace', multi_key_mode: 'random' })
    expect(await infoOf(management, id)).toMatchObject({
      multi_key_size: 2,
      multi_key_mode: 'random',
      multi_key_status_list: { 0: 2 },
    })
    // An edit that does not change the keys leaves them alone.
    await edit({ name: 'Renamed', key: '' })
    expect(keysOf(management, id)).toEqual([SECOND, THIRD])
    expect((await infoOf(management, id)).multi_key_status_list).toEqual({ 0: 2 })
  })

  test('a channel of one key comes to have several when one is appended', async () => {
    const management = await startManagement()
    const { owner, gateway } = management
    const { id } = gateway.parts.channels.create({
      type: 1,
      name: 'One',
      key: FIRST,
      models: ['gpt-a'],
    })
    // Some clients send a mode with every edit.
    await owner.send('PUT', '/api/channel/', { id, multi_key_mode: 'random', priority: 1 })
    expect((await infoOf(management, id)).is_multi_key).toBe(false)
    await owner.send('PUT', '/api/channel/', { id, key: SECOND, key_mode: 'append' })
    expect(await infoOf(management, id)).toMatchObject({ is_multi_key: true, multi_key_size: 2 })
    const wrong = await owner.send('PUT', '/api/channel/', { id, key: THIRD, key_mode: 'add' })
    expect(wrong.body).toMatchObject({ code: 'invalid_params', field: 'key_mode' })
  })
})

describe('managing keys', () => {
  test('lists them by page and status, without showing them', async () => {
    const management = await startManagement()
    const id = await create(management, { key: `${FIRST}\n${SECOND}\n${THIRD}` })
    await manage(management, id, 'disable_key', { key_index: 2 })
    const { body } = await manage(management, id, 'get_key_status', { page: 2, page_size: 2 })
    expect(body.data).toEqual({
      keys: [
        {
          index: 2,
          status: 2,
          key_preview: 'sk-…3333',
          disabled_time: expect.any(Number),
          reason: 'Disabled by ada',
          why: { code: 'disabled_by', user: 'ada' },
        },
      ],
      total: 3,
      page: 2,
      page_size: 2,
      total_pages: 2,
      enabled_count: 2,
      manual_disabled_count: 1,
      auto_disabled_count: 0,
    })
    const enabled = await manage(management, id, 'get_key_status', { status: 1 })
    expect(enabled.body.data).toMatchObject({
      keys: [{ index: 0, key_preview: 'sk-…1111' }, { index: 1 }],
      total: 2,
      page_size: 50,
    })
  })

  test('a deleted key takes its state with it, and the last one stays', async () => {
    const management = await startManagement()
    const id = await create(management, { key: `${FIRST}\n${SECOND}\n${THIRD}` })
    await manage(management, id, 'disable_key', { key_index: 2 })
    const deleted = await manage(management, id, 'delete_key', { key_index: 0 })
    expect(deleted.body.data).toBe(1)
    expect(keysOf(management, id)).toEqual([SECOND, THIRD])
    expect((await infoOf(management, id)).multi_key_status_list).toEqual({ 1: 2 })
    await manage(management, id, 'delete_key', { key_index: 1 })
    const last = await manage(management, id, 'delete_key', { key_index: 0 })
    expect([last.status, last.body.code]).toEqual([409, 'conflict'])
    expect(keysOf(management, id)).toEqual([SECOND])
  })

  test('without an enabled key the channel is disabled, and is enabled with the first one again', async () => {
    const management = await startManagement()
    const id = await create(management)
    const statusOf = () => management.gateway.parts.channels.byId(id)?.status
    const all = await manage(management, id, 'disable_all_keys')
    expect(all.body.data).toBe(2)
    expect(statusOf()).toBe(3)
    const { other_info } = (await management.owner.get(`/api/channel/${id}`)).body.data
    expect(JSON.parse(other_info).status_reason).toBe('All keys are disabled')
    await manage(management, id, 'enable_key', { key_index: 1 })
    expect(statusOf()).toBe(1)
    expect((await manage(management, id, 'enable_all_keys')).body.data).toBe(1)
    // Only what the gateway disabled is thrown away.
    await manage(management, id, 'disable_key', { key_index: 0 })
    expect((await manage(management, id, 'delete_disabled_keys')).body.data).toBe(0)
    expect(keysOf(management, id)).toEqual([FIRST, SECOND])
  })

  test('disabling all by hand leaves those as they are that the gateway has disabled', async () => {
    const management = await startManagement()
    const id = await create(management)
    const refused = { status: 3, reason: 'status 401', time: 1 } as const
    management.gateway.parts.channels.update(id, {
      keyStates: [refused, { status: 1, reason: '', time: 0 }],
    })
    expect((await manage(management, id, 'disable_all_keys')).body.data).toBe(1)
    const { keys } = (await manage(management, id, 'get_key_status')).body.data
    expect(keys).toMatchObject([{ status: 3, reason: 'status 401' }, { status: 2 }])
  })

  test('a channel whose keys were all disabled by hand is not enabled without one', async () => {
    const management = await startManagement()
    const { owner, gateway } = management
    const id = await create(management, { tag: 'paid' })
    await manage(management, id, 'disable_all_keys')
    const byHand = await owner.send('POST', `/api/channel/${id}/status`, { status: 1 })
    expect([byHand.status, byHand.body.code]).toEqual([409, 'conflict'])
    expect(byHand.body.message).toContain('Enable one first')
    const other = gateway.parts.channels.create({
      ...{ type: 1, name: 'One', key: THIRD, models: ['gpt-a'], status: 2, tag: 'paid' },
    })
    const batch = { ids: [id, other.id], status: 1 }
    expect((await owner.send('POST', '/api/channel/status/batch', batch)).body.data).toBe(1)
    const tag = { tag: 'paid' }
    expect((await owner.send('POST', '/api/channel/tag/enabled', tag)).body.data).toBe(0)
    expect(gateway.parts.channels.byId(id)?.status).toBe(3)
    // Sent back as it was read, with new keys, it is in use again.
    const { data } = (await owner.get(`/api/channel/${id}`)).body
    const edit = { ...data, key: THIRD, key_mode: 'append' }
    expect((await owner.send('PUT', '/api/channel/', edit)).body.data.status).toBe(1)
  })

  test('what makes no sense is refused', async () => {
    const management = await startManagement()
    const id = await create(management)
    const one = management.gateway.parts.channels.create({ type: 900, name: 'E', models: ['echo'] })
    const refusals = [
      await manage(management, id, 'burn_key', { key_index: 0 }),
      await manage(management, id, 'disable_key'),
      await manage(management, id, 'disable_key', { key_index: 2 }),
      await manage(management, id, 'disable_key', { key_index: -1 }),
      await manage(management, one.id, 'get_key_status'),
      await manage(management, 99, 'get_key_status'),
    ]
    expect(refusals.map(({ status, body }) => [status, body.code, body.field])).toEqual([
      [400, 'invalid_params', 'action'],
      [400, 'invalid_params', 'key_index'],
      [400, 'invalid_params', 'key_index'],
      [400, 'invalid_params', 'key_index'],
      [409, 'conflict', 'channel_id'],
      [404, 'not_found', 'id'],
    ])
  })
})
