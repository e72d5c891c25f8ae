import { describe, expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { echoChannel, startManagement } from '../management.ts'
import { signInAs } from '../users/people.ts'
import { completion } from './vendor-by-key.ts'

async function stage() {
  const upstream = await startUpstream(({ method }) =>
    method === 'GET' ? { body: { data: [{ id: 'gpt-a' }] } } : { body: completion },
  )
  onTestFinished(() => upstream.close())
  const management = await startManagement()
  const admin = await signInAs(management, { username: 'bob', role: 10 })
  return { ...management, upstream, admin }
}

const fresh = (fields: object) => ({
  type: 1,
  name: 'n',
  key: 'vendor-key',
  models: 'gpt-a',
  ...fields,
})

/** Addresses of this machine, its networks, or clouds' credentials; each with its field. */
const inside: [string, object][] = [
  ['base_url', { base_url: 'http://127.0.0.1:11434' }],
  ['base_url', { base_url: 'http://localhost:11434' }],
  ['base_url', { base_url: 'http://2130706433' }],
  ['base_url', { base_url: 'http://[::ffff:10.0.0.1]' }],
  ['base_url', { base_url: 'https://intranet' }],
  ['base_url', { type: 4, preset: 'ollama', key: '' }],
  ['base_url', { settings: '{"anthropic_base_url":"http://192.168.0.1"}' }],
  ['setting', { setting: '{"proxy":"http://127.0.0.1:3128"}' }],
  ['setting', { setting: '{"proxy":"socks5://10.0.0.1"}' }],
  ['setting', { setting: '{"proxy":"socks5://2130706433"}' }],
]

const forbidden: [string, object][] = [
  ['base_url', { base_url: 'http://169.254.169.254' }],
  ['settings', { settings: '{"anthropic_base_url":"http://169.254.169.254"}' }],
  ['base_url', { base_url: 'https://{model}.example', type: 8 }],
  ['setting', { setting: '{"proxy":"http://169.254.169.254"}' }],
]

test('only the owner names an address of this machine or its networks, and nobody a metadata service', async () => {
  const { admin, owner } = await stage()
  const { ids } = (await admin.send('POST', '/api/channel', fresh({}))).body.data
  for (const [field, fields] of inside) {
    for (const [method, path, body] of [
      ['POST', '/api/channel', fresh(fields)],
      [
        'PUT',
        '/api/channel',
        { id: ids[0], key: 'vendor-key', ...fields, ...('key' in fields && { key: 'vendor-key' }) },
      ],
    ] as const) {
      const refused = await admin.send(method, path, body)
      const { status, body: answer } = refused
      expect([method, fields, status, answer.field]).toEqual([method, fields, 403, field])
      expect(answer.message).toContain('Only the owner')
    }
    expect([fields, (await owner.send('POST', '/api/channel', fresh(fields))).status]).toEqual([
      fields,
      200,
    ])
  }
  for (const [field, fields] of forbidden) {
    const { status, body } = await owner.send('POST', '/api/channel', fresh(fields))
    expect([fields, status, body.field]).toEqual([fields, 400, field])
  }
  const draft = { type: 1, key: 'vendor-key', base_url: 'http://127.0.0.1:9' }
  const listed = await admin.send('POST', '/api/channel/fetch_models', draft)
  expect([listed.status, listed.body.field]).toEqual([403, 'base_url'])
})

describe('a channel of an administrator’s, whose host turns out to be this machine', () => {
  test.each([
    ['its address', (url: string) => ({ baseUrl: url })],
    ['its proxy', (url: string) => ({ baseUrl: 'http://vendor.example', setting: { proxy: url } })],
    [
      'its SOCKS proxy',
      (url: string) => ({
        baseUrl: 'http://vendor.example',
        setting: { proxy: url.replace('http', 'socks5') },
      }),
    ],
  ])('is not asked by lists, tests, balances, calls or WebSockets (%s)', async (_, fields) => {
    const { upstream, admin, owner, gateway } = await stage()
    // Like a public name that its owner leads here after it was entered.
    const place = fields(upstream.url.replace('127.0.0.1', 'localhost'))
    const settings = { endpoint_types: ['openai', 'realtime'] }
    const channel = {
      type: 43,
      name: 'n',
      key: 'vendor-key',
      models: ['gpt-a'],
      settings,
      ...place,
    }
    const { id } = gateway.parts.channels.create({ ...channel, publicOnly: true })
    const { key } = gateway.parts.tokens.create({ userId: 1, name: 't', unlimitedQuota: true })
    const authorization = `Bearer sk-${key}`
    const say = { model: 'gpt-a', messages: [{ role: 'user', content: 'Hi' }] }
    const refusals = [
      (await admin.get(`/api/channel/fetch_models/${id}`)).body.message,
      (await admin.get(`/api/channel/test/${id}`)).body.message,
      (await owner.get(`/api/channel/test/${id}`)).body.message,
      (await admin.get(`/api/channel/update_balance/${id}`)).body.message,
    ]
    for (const message of refusals) expect(message).toContain('private network')
    const call = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify(say),
    })
    expect([call.status, await call.text()]).toEqual([
      502,
      expect.stringContaining('private network'),
    ])
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/realtime?model=gpt-a`, {
      headers: { authorization },
    })
    const opened = await new Promise((resolve) => {
      socket.on('open', () => resolve(true)).on('error', () => resolve(false))
    })
    expect(opened).toBe(false)
    expect(upstream.requests).toEqual([])
  })
})

test('an administrator tests, lists and uses the local channel that the owner made', async () => {
  const { upstream, admin, owner } = await stage()
  const base_url = upstream.url.replace('127.0.0.1', 'localhost')
  const { ids } = (await owner.send('POST', '/api/channel', fresh({ base_url }))).body.data
  expect((await admin.get(`/api/channel/test/${ids[0]}`)).body.success).toBe(true)
  expect((await admin.get(`/api/channel/fetch_models/${ids[0]}`)).body.data).toEqual(['gpt-a'])
  const edit = { id: ids[0], name: 'Other', base_url, models: 'gpt-a,gpt-b' }
  expect((await admin.send('PUT', '/api/channel', edit)).status).toBe(200)
  expect((await admin.get(`/api/channel/test/${ids[0]}`)).body.success).toBe(true)
  const copied = (await admin.send('POST', `/api/channel/copy/${ids[0]}`)).body.data.id
  expect((await admin.get(`/api/channel/test/${copied}`)).body.success).toBe(true)
  // Echo is inside the gateway.
  expect((await admin.send('POST', '/api/channel', echoChannel())).status).toBe(200)
})

test('a channel reaches the own network once the owner has entered its address', async () => {
  const { upstream, admin, owner, gateway } = await stage()
  const base_url = upstream.url.replace('127.0.0.1', 'localhost')
  const { ids } = (await admin.send('POST', '/api/channel', fresh({}))).body.data
  const [id] = ids
  expect(gateway.parts.channels.byId(id)?.publicOnly).toBe(true)
  const moved = await owner.send('PUT', '/api/channel', { id, base_url, key: 'vendor-key' })
  expect(moved.status).toBe(200)
  expect((await admin.get(`/api/channel/test/${id}`)).body.success).toBe(true)
})

test('a channel whose proxy an administrator has changed reaches no private network any more', async () => {
  const { admin, owner, gateway } = await stage()
  const { ids } = (await owner.send('POST', '/api/channel', fresh({}))).body.data
  const [id] = ids
  expect(gateway.parts.channels.byId(id)?.publicOnly).toBe(false)
  const setting = JSON.stringify({ proxy: 'http://proxy.example:3128' })
  const edit = { id, setting, key: 'vendor-key' }
  expect((await admin.send('PUT', '/api/channel', edit)).status).toBe(200)
  expect(gateway.parts.channels.byId(id)?.publicOnly).toBe(true)
})
