import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { echoChannel, type Management, startManagement, verifyOwner } from '../management.ts'

const KEY = 'sk-vendor-0123456789abcdef'

const openAi = (fields: Record<string, unknown> = {}) => ({
  type: 1,
  name: 'OpenAI',
  key: KEY,
  models: 'gpt-a, gpt-b,,gpt-a ',
  ...fields,
})

async function create({ owner }: Management, fields: Record<string, unknown> = {}) {
  const { body } = await owner.send('POST', '/api/channel/', {
    mode: 'single',
    channel: openAi(fields),
  })
  if (!body.success) throw new Error(body.message)
  return body.data.ids[0] as number
}

const read = async ({ owner }: Management, id: number) =>
  (await owner.get(`/api/channel/${id}`)).body.data

describe('creating a channel', () => {
  test('keeps its fields, with blanks and doubles taken out of lists', async () => {
    const management = await startManagement()
    const id = await create(management, {
      base_url: 'https://example.org/v1//',
      group: 'default, vip',
      priority: 5,
      weight: 3,
      model_mapping: '{"gpt-a":"gpt-real"}',
      settings: '{"endpoint_types":["openai"]}',
    })
    expect(await read(management, id)).toMatchObject({
      id,
      type: 1,
      status: 1,
      name: 'OpenAI',
      models: 'gpt-a,gpt-b',
      group: 'default,vip',
      base_url: 'https://example.org/v1',
      priority: 5,
      weight: 3,
      model_mapping: '{"gpt-a":"gpt-real"}',
      endpoint_types: ['openai'],
    })
  })

  test('never gives the key away again', async () => {
    const management = await startManagement()
    const id = await create(management)
    const { owner, gateway } = management
    for (const path of [
      `/api/channel/${id}`,
      '/api/channel/',
      '/api/channel/search?keyword=open',
    ]) {
      const answer = JSON.stringify((await owner.get(path)).body)
      expect(answer).not.toContain(KEY)
      expect(answer).toContain('"key":""')
      expect(answer).toContain('"key_preview":"sk-…cdef"')
    }
    const copied = await owner.send('POST', `/api/channel/copy/${id}`)
    expect(JSON.stringify(copied.body)).not.toContain(KEY)
    expect(readFileSync(join(gateway.parts.dataFolder, 'state.json'), 'utf8')).not.toContain(KEY)
  })

  test('takes a bare record for a single channel', async () => {
    const { owner } = await startManagement()
    expect((await owner.send('POST', '/api/channel/', openAi())).body.data).toEqual({ ids: [1] })
  })

  test('in a batch makes one channel for every key', async () => {
    const management = await startManagement()
    const { body } = await management.owner.send('POST', '/api/channel/', {
      mode: 'batch',
      batch_add_set_key_prefix_2_name: true,
      channel: openAi({ key: 'sk-first-key\n\n sk-other-key \n' }),
    })
    expect(body.data).toEqual({ ids: [1, 2] })
    expect((await read(management, 1)).name).toBe('OpenAI sk-first')
    expect(management.gateway.parts.channels.byId(2)?.key).toBe('sk-other-key')
  })

  test('an unknown mode is refused with those that there are', async () => {
    const { owner } = await startManagement()
    const sent = { mode: 'something', channel: openAi() }
    const { body } = await owner.send('POST', '/api/channel/', sent)
    expect(body).toMatchObject({ code: 'invalid_params', field: 'mode' })
    expect(body.message).toMatch(/single, batch or multi_to_single/)
  })

  test('Echo needs neither key nor address', async () => {
    const { owner } = await startManagement()
    expect((await owner.send('POST', '/api/channel/', echoChannel())).body.data).toEqual({
      ids: [1],
    })
  })

  test('a server of one’s own needs no key', async () => {
    const management = await startManagement()
    await create(management, { type: 4, key: '', base_url: '' })
    await create(management, { key: '', base_url: 'http://192.168.1.20:8000/v1' })
  })

  test.each([
    [{ type: 5 }, 'type', /is 5, which isn’t a supported channel type/],
    [{ type: undefined }, 'type', /"type" is missing/],
    [{ key: '' }, 'key', /needs a key/],
    [{ key: 'sk-with blank' }, 'key', /one key a line/],
    [{ name: '' }, 'name', /cannot be empty/],
    [{ models: ' , ' }, 'models', /at least one model/],
    [{ models: 'm'.repeat(256) }, 'models', /longer than 255/],
    [{ type: 3, base_url: '' }, 'base_url', /needs a base URL/],
    [{ base_url: 'ftp://example.org' }, 'base_url', /http/],
    [{ base_url: 'https://user:secret@example.org' }, 'base_url', /user name or password/],
    [{ base_url: 'http://169.254.169.254/latest' }, 'base_url', /metadata/],
    [{ base_url: 'http://[fe80::1]/v1' }, 'base_url', /link-local/],
    [{ base_url: 'http://2852039166/' }, 'base_url', /metadata/],
    [{ base_url: 'http://metadata.google.internal/' }, 'base_url', /metadata/],
    [{ model_mapping: '{"a":' }, 'model_mapping', /JSON object/],
    [{ model_mapping: '["a"]' }, 'model_mapping', /JSON object/],
    [{ model_mapping: '{"a":5}' }, 'model_mapping', /"a"/],
    [{ model_mapping: '{"a":"b","b":"a"}' }, 'model_mapping', /loops/],
    [{ status_code_mapping: '{"429":503}' }, 'status_code_mapping', /429/],
    [{ status_code_mapping: '{"429":"307"}' }, 'status_code_mapping', /429/],
    [{ param_override: '{"operations":{}}' }, 'param_override', /must be a list/],
    [
      { param_override: '{"operations":[{"mode":"burn","path":"a"}]}' },
      'param_override',
      /operations\[0\]\.mode/,
    ],
    [
      { param_override: '{"operations":[{"mode":"regex_replace","path":"a","from":"("}]}' },
      'param_override',
      /operations\[0\]\.from isn’t a valid pattern/,
    ],
    [{ header_override: '{"X-A":"one\\r\\nX-B: two"}' }, 'header_override', /line break/],
    [{ header_override: '{"X A":"one"}' }, 'header_override', /isn’t a valid header name/],
    [{ header_override: '{"re:(":"one"}' }, 'header_override', /pattern/],
    [{ settings: '{"endpoint_types":["fax"]}' }, 'settings', /endpoint_types/],
    [{ settings: '{"upstream_stream":"often"}' }, 'settings', /"always" or "never"/],
    [
      { settings: '{"explicit_caching":"yes"}' },
      'settings',
      /explicit_caching must be true or false/,
    ],
    [
      { settings: '{"model_rules":{"m":{"colour":1}}}' },
      'settings',
      /"colour", which isn’t a rule/,
    ],
    [{ settings: '{"model_rules":{"*":{"sampling":"no"}}}' }, 'settings', /must be a boolean/],
    [{ weight: -1 }, 'weight', /0 or more/],
    [{ preset: 'no-such' }, 'preset', /preset/],
    [{ status: 3 }, 'status', /1 \(enabled\)/],
    [{ colour: 'red' }, 'colour', /no field/],
  ])('%j is refused at %s and nothing is kept', async (fields, field, sentence) => {
    const { owner, gateway } = await startManagement()
    const { status, body } = await owner.send('POST', '/api/channel/', openAi(fields))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_params', field })
    expect(body.message).toMatch(sentence)
    expect(gateway.parts.channels.all()).toHaveLength(0)
  })

  test('our own address is refused under every name', async () => {
    const { owner, gateway } = await startManagement()
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '127.1', 'x.localhost']) {
      const base_url = `http://${host}:${gateway.port}/v1`
      const { status, body } = await owner.send('POST', '/api/channel/', openAi({ base_url }))
      expect([host, status, body.field]).toEqual([host, 400, 'base_url'])
      expect(body.message).toMatch(/gateway itself/)
    }
  })
})

describe('changing a channel', () => {
  test('applies what is sent, keeps what is not, and an empty key keeps the stored one', async () => {
    const management = await startManagement()
    const id = await create(management, { priority: 5, remark: 'mine', tag: 'paid' })
    const { body } = await management.owner.send('PUT', '/api/channel/', {
      id,
      key: '',
      priority: 0,
      remark: '',
      tag: null,
    })
    expect(body.data).toMatchObject({ priority: 0, remark: null, tag: null, models: 'gpt-a,gpt-b' })
    expect(management.gateway.parts.channels.byId(id)?.key).toBe(KEY)
    await management.owner.send('PUT', '/api/channel/', { id, key: 'sk-new', key_mode: 'replace' })
    expect(management.gateway.parts.channels.byId(id)?.key).toBe('sk-new')
  })

  test('JSON fields are cleared by an empty text and by null', async () => {
    const management = await startManagement()
    const id = await create(management, {
      model_mapping: '{"gpt-a":"x"}',
      header_override: '{"X-Team":"blue"}',
    })
    await verifyOwner(management.owner)
    const cleared = { id, model_mapping: '', header_override: null }
    const { body } = await management.owner.send('PUT', '/api/channel/', cleared)
    expect(body.data).toMatchObject({ model_mapping: null, header_override: null })
  })

  test('a record that is sent back as it was read changes nothing', async () => {
    const management = await startManagement()
    const id = await create(management, {
      setting: '{"note":1}',
      settings: '{"own":true}',
      status_code_mapping: '{"429":"503"}',
      param_override: '{"temperature":0}',
    })
    const before = management.gateway.parts.channels.byId(id)
    const record = await read(management, id)
    expect((await management.owner.send('PUT', '/api/channel/', record)).status).toBe(200)
    expect(management.gateway.parts.channels.byId(id)).toEqual(before)
  })

  test('a change that makes the channel useless is refused and nothing of it is kept', async () => {
    const management = await startManagement()
    const id = await create(management)
    const { status, body } = await management.owner.send('PUT', '/api/channel/', {
      id,
      name: 'New name',
      models: '',
    })
    expect(status).toBe(400)
    expect(body.field).toBe('models')
    expect((await read(management, id)).name).toBe('OpenAI')
  })

  test('disabling takes its models away at once, and the reason is kept', async () => {
    const management = await startManagement()
    const id = await create(management)
    const { owner } = management
    const { body } = await owner.send('POST', `/api/channel/${id}/status`, { status: 2 })
    expect(body.data.status).toBe(2)
    expect(JSON.parse(body.data.other_info).status_reason).toBe('Disabled by ada')
    expect((await owner.get('/api/user/models')).body.data).toEqual([])
    expect((await owner.send('PUT', '/api/channel/', { id, status: 1 })).body.data.status).toBe(1)
    expect((await owner.get('/api/user/models')).body.data).toEqual(['gpt-a', 'gpt-b'])
    const wrong = await owner.send('POST', `/api/channel/${id}/status`, { status: 3 })
    expect(wrong.body.field).toBe('status')
  })

  test('copying keeps the key, takes a new name, and is untested', async () => {
    const management = await startManagement()
    const id = await create(management)
    const { owner, gateway } = management
    const lastTest = { model: 'gpt-a', problem: 'No such model.' }
    gateway.parts.channels.update(id, { testTime: 1, responseTime: 5, lastTest })
    const copy = (await owner.send('POST', `/api/channel/copy/${id}?suffix=%202`)).body.data
    expect(copy).toEqual({ id: id + 1 })
    expect(gateway.parts.channels.byId(copy.id)).toMatchObject({
      ...{ name: 'OpenAI 2', key: KEY },
      ...{ testTime: 0, responseTime: 0, lastTest: null },
    })
    expect((await owner.send('POST', '/api/channel/copy/99')).status).toBe(404)
  })

  test('a deleted channel is gone', async () => {
    const management = await startManagement()
    const id = await create(management)
    expect((await management.owner.send('DELETE', `/api/channel/${id}`)).status).toBe(200)
    expect((await management.owner.get(`/api/channel/${id}`)).status).toBe(404)
    expect((await management.owner.get('/api/channel/abc')).body.field).toBe('id')
  })
})

describe('the list of channels', () => {
  const several = async () => {
    const management = await startManagement()
    const { channels } = management.gateway.parts
    const fields = { models: ['m-one'], groups: ['default'], key: 'secret-key' }
    channels.createMany([
      { ...fields, type: 1, name: 'low', priority: 1 },
      { ...fields, type: 1, name: 'high_a', priority: 9, tag: 't', baseUrl: 'https://a.example' },
      { ...fields, type: 14, name: 'off', priority: 5, status: 2, tag: 't', models: ['m-two'] },
    ])
    return management
  }
  const names = async ({ owner }: Management, path: string) =>
    (await owner.get(path)).body.data.items.map(({ name }: { name: string }) => name)

  test('comes by priority, or by id, and counts the types', async () => {
    const management = await several()
    expect(await names(management, '/api/channel/')).toEqual(['high_a', 'off', 'low'])
    expect(await names(management, '/api/channel/?id_sort=true')).toEqual(['off', 'high_a', 'low'])
    expect(await names(management, '/api/channel/?sort_by=name&sort_order=asc')).toEqual([
      'high_a',
      'low',
      'off',
    ])
    const { data } = (await management.owner.get('/api/channel/?type=14&p=1')).body
    expect(data).toMatchObject({ total: 1, type_counts: { '1': 2, '14': 1 } })
  })

  test('can be narrowed by status and shown by tag', async () => {
    const management = await several()
    expect(await names(management, '/api/channel/?status=enabled')).toEqual(['high_a', 'low'])
    expect(await names(management, '/api/channel/?status=0')).toEqual(['off'])
    expect(await names(management, '/api/channel/?tag_mode=true')).toEqual(['low', 'high_a', 'off'])
  })

  test('is searched by id, name, address and model, never by key', async () => {
    const management = await several()
    const search = (query: string) => names(management, `/api/channel/search?${query}`)
    expect(await search('keyword=HIGH')).toEqual(['high_a'])
    expect(await search('keyword=1')).toEqual(['low'])
    expect(await search('keyword=a.example')).toEqual(['high_a'])
    expect(await search('keyword=%25')).toEqual([])
    expect(await search('keyword=secret-key')).toEqual([])
    expect(await search('model=two')).toEqual(['off'])
    expect((await management.owner.get('/api/channel/search')).body.data.page_size).toBe(20)
  })
})
