import { describe, expect, test } from 'vitest'
import { type Management, startManagement } from '../management.ts'

async function withTags() {
  const management = await startManagement()
  const shared = { type: 1, key: 'sk-vendor', models: ['gpt-a'] }
  management.gateway.parts.channels.createMany([
    { ...shared, name: 'one', tag: 'paid', priority: 5, headerOverride: { 'X-Team': 'blue' } },
    { ...shared, name: 'two', tag: 'paid', status: 3, models: ['gpt-a', 'gpt-b', 'gpt-c'] },
    { ...shared, name: 'three', tag: 'paid-too' },
    { ...shared, name: 'four' },
  ])
  return management
}

const show = ({ gateway }: Management, field: 'status' | 'tag' | 'priority') =>
  gateway.parts.channels.all().map((channel) => channel[field])

describe('a tag as a switch', () => {
  test('disables and enables all its channels and no other, also those disabled by the gateway', async () => {
    const management = await withTags()
    const { owner } = management
    const off = await owner.send('POST', '/api/channel/tag/disabled', { tag: 'paid' })
    expect([off.status, off.body.success, off.body.data]).toEqual([200, true, 2])
    expect(show(management, 'status')).toEqual([2, 2, 1, 1])
    expect(management.gateway.parts.channels.serving('default', 'gpt-b')).toHaveLength(0)
    const on = await owner.send('POST', '/api/channel/tag/enabled', { tag: 'paid' })
    expect(on.body.data).toBe(2)
    expect(show(management, 'status')).toEqual([1, 1, 1, 1])
    expect((await owner.send('POST', '/api/channel/tag/enabled', { tag: 'paid' })).body.data).toBe(
      0,
    )
  })

  test('that no channel has changes none, and is no failure', async () => {
    const { owner } = await withTags()
    const { status, body } = await owner.send('POST', '/api/channel/tag/disabled', { tag: 'PAID' })
    expect([status, body.success, body.data]).toEqual([200, true, 0])
  })

  test('has to be named', async () => {
    const management = await withTags()
    for (const sent of [{}, { tag: '' }, { tag: ' ' }, { tag: null }, { tag: 5 }]) {
      const { status, body } = await management.owner.send(
        'POST',
        '/api/channel/tag/disabled',
        sent,
      )
      expect([status, body.code, body.field]).toEqual([400, 'invalid_params', 'tag'])
    }
    expect(show(management, 'status')).toEqual([1, 3, 1, 1])
  })
})

describe('editing by tag', () => {
  test('changes what is sent in all its channels, and nothing else', async () => {
    const management = await withTags()
    const { owner, gateway } = management
    const { status, body } = await owner.send('PUT', '/api/channel/tag', {
      tag: 'paid',
      priority: 0,
      weight: null,
      models: null,
      groups: ' vip, default ',
      model_mapping: '{"gpt-a":"real"}',
      param_override: '{"temperature":0}',
    })
    expect([status, body.success, body.data]).toEqual([200, true, undefined])
    const [one, two, three] = gateway.parts.channels.all()
    expect(one).toMatchObject({
      tag: 'paid',
      priority: 0,
      groups: ['vip', 'default'],
      modelMapping: { 'gpt-a': 'real' },
      paramOverride: { temperature: 0 },
      headerOverride: { 'X-Team': 'blue' },
      models: ['gpt-a'],
      key: 'sk-vendor',
    })
    expect(two?.models).toEqual(['gpt-a', 'gpt-b', 'gpt-c'])
    expect(three).toMatchObject({ groups: ['default'], modelMapping: {} })
    expect(gateway.parts.channels.serving('vip', 'gpt-a')).toHaveLength(1)
  })

  test('an empty text clears an override, but neither models, groups nor the mapping', async () => {
    const { owner, gateway } = await withTags()
    await owner.send('PUT', '/api/channel/tag', { tag: 'paid', model_mapping: '{"gpt-a":"real"}' })
    await owner.send('PUT', '/api/channel/tag', {
      tag: 'paid',
      models: '',
      groups: '',
      model_mapping: '',
      header_override: '',
    })
    expect(gateway.parts.channels.byId(1)).toMatchObject({
      models: ['gpt-a'],
      groups: ['default'],
      modelMapping: { 'gpt-a': 'real' },
      headerOverride: {},
    })
    await owner.send('PUT', '/api/channel/tag', { tag: 'paid', model_mapping: '{}' })
    expect(gateway.parts.channels.byId(1)?.modelMapping).toEqual({})
  })

  test('renames the tag, and takes it away with an empty name', async () => {
    const management = await withTags()
    const { owner } = management
    await owner.send('PUT', '/api/channel/tag', { tag: 'paid', new_tag: 'bought' })
    expect(show(management, 'tag')).toEqual(['bought', 'bought', 'paid-too', null])
    await owner.send('PUT', '/api/channel/tag', { tag: 'bought', new_tag: null, priority: 2 })
    expect(show(management, 'tag')).toEqual(['bought', 'bought', 'paid-too', null])
    await owner.send('PUT', '/api/channel/tag', { tag: 'bought', new_tag: '' })
    expect(show(management, 'tag')).toEqual([null, null, 'paid-too', null])
  })

  test('is refused as a whole when a field is wrong', async () => {
    const { owner, gateway } = await withTags()
    const before = gateway.parts.state.data.channels
    for (const [sent, status, code, field] of [
      [{ tag: 'none', priority: 1 }, 404, 'not_found', 'tag'],
      [{ priority: 1 }, 400, 'invalid_params', 'tag'],
      [{ tag: 'paid', header_override: '{"X-A":' }, 400, 'invalid_params', 'header_override'],
      [{ tag: 'paid', param_override: '[1]' }, 400, 'invalid_params', 'param_override'],
      [{ tag: 'paid', model_mapping: '{"a":"b","b":"a"}' }, 400, 'invalid_params', 'model_mapping'],
      [{ tag: 'paid', models: 'm'.repeat(256) }, 400, 'invalid_params', 'models'],
      [{ tag: 'paid', weight: -1 }, 400, 'invalid_params', 'weight'],
      [{ tag: 'paid', key: 'sk' }, 400, 'invalid_params', 'key'],
    ] as const) {
      const answer = await owner.send('PUT', '/api/channel/tag', sent)
      expect([answer.status, answer.body.code, answer.body.field]).toEqual([status, code, field])
    }
    expect(gateway.parts.state.data.channels).toBe(before)
  })
})

test('the models of a tag are the longest list among its channels', async () => {
  const { owner } = await withTags()
  const longest = await owner.get('/api/channel/tag/models?tag=paid')
  expect(longest.body.data).toBe('gpt-a,gpt-b,gpt-c')
  expect((await owner.get('/api/channel/tag/models?tag=none')).body.data).toBe('')
  const { status, body } = await owner.get('/api/channel/tag/models')
  expect([status, body.field]).toEqual([400, 'tag'])
})
