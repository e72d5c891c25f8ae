import { describe, expect, onTestFinished, test } from 'vitest'
import { createConsoleCalls } from '../../../../main/desktop/console-calls.ts'
import type { ChannelFields } from '../../../../main/store/records/channels.ts'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import {
  type Management,
  startManagement,
  startUnset,
  type Visitor,
  verifyOwner,
} from '../management.ts'
import { signInAs } from '../users/people.ts'

const KEY = 'sk-vendor-0123456789abcdef'
const THIEF = 'https://thief.example'

async function stage() {
  const management = await startManagement()
  const admin = await signInAs(management, { username: 'bob', role: 10 })
  return { ...management, admin }
}

const add = ({ gateway }: Management, fields: Partial<ChannelFields> = {}) =>
  gateway.parts.channels.create({
    ...{ type: 1, name: 'Vendor', key: KEY, models: ['gpt-a'], baseUrl: 'https://vendor.example' },
    ...fields,
  }).id

const change = (who: Visitor, fields: object) => who.send('PUT', '/api/channel', fields)

const acts = ({ gateway }: Management): string[] =>
  gateway.parts.ledger
    .list({ type: 3 }, { page: 1, pageSize: 100 })
    .items.map(({ content }) => content)

/** All ways to have the stored key sent elsewhere, to someone else, or in another header. */
const detours: [string, object, Partial<ChannelFields>?][] = [
  ['another host', { base_url: THIEF }],
  ['another port', { base_url: 'https://vendor.example:8443' }],
  ['http in place of https', { base_url: 'http://vendor.example' }],
  ['another tenant of the same host', { base_url: 'https://vendor.example/bob' }],
  ['the address of the type', { base_url: '' }],
  ['another type, with another address', { type: 43 }, { baseUrl: '' }],
  ['another type, with another header', { type: 14 }],
  ['another type, which asks the same host for a balance', { type: 20 }],
  ['another preset', { preset: 'groq' }, { baseUrl: '', preset: 'openai' }],
  ['a second address', { settings: `{"anthropic_base_url":"${THIEF}"}` }],
  ['another header for the key', { settings: '{"anthropic_auth":"bearer"}' }],
  ['a proxy', { setting: '{"proxy":"http://thief.example:8080"}' }],
  ['no proxy', { setting: '' }, { setting: { proxy: 'http://10.0.0.1:8080' } }],
  ['a header of another name', { header_override: '{"x-echo":"{api_key}"}' }],
  ['another virtual host', { header_override: '{"host":"thief.example"}' }],
  ['no override', { header_override: '' }, { headerOverride: { authorization: 'none' } }],
  ['another key beside it', { base_url: THIEF, key: 'sk-bob', key_mode: 'append' }],
  ['an empty key', { base_url: THIEF, key: '' }],
]

describe('a stored key', () => {
  test('follows nobody to another address unless it is entered again or the owner is verified', async () => {
    const management = await stage()
    const { admin, owner, gateway, signIn } = management
    const verified = await signIn()
    await verifyOwner(verified)
    for (const [way, fields, before] of detours) {
      const id = add(management, before)
      const stored = gateway.parts.channels.byId(id)
      const refused = await change(admin, { id, ...fields })
      expect([way, refused.status, refused.body.field]).toEqual([way, 400, 'key'])
      expect(refused.body.message).toMatch(/enter the key again/i)
      // The owner is asked who it is instead.
      const unverified = await change(owner, { id, ...fields })
      expect([unverified.status, unverified.body.code]).toEqual([403, 'VERIFICATION_REQUIRED'])
      expect(gateway.parts.channels.byId(id)).toEqual(stored)
      expect(acts(management)).toHaveLength(detours.findIndex(([one]) => one === way))
      const { status } = await change(verified, { id, ...fields })
      expect([way, status]).toEqual([way, 200])
    }
  })

  test('gives way to the one that an administrator enters with the new address, and that is logged', async () => {
    const management = await stage()
    const { admin, gateway } = management
    const id = add(management, { key: `${KEY}\nsk-second`, multiKeyMode: 'random' })
    const { status } = await change(admin, { id, base_url: THIEF, key: 'sk-bob' })
    expect([status, gateway.parts.channels.byId(id)?.key]).toEqual([200, 'sk-bob'])
    expect(acts(management)).toEqual([
      `bob changed where the key of channel "Vendor" (${id}) is sent (base_url) and entered the key again: https://vendor.example before, https://thief.example now`,
    ])
  })

  test('never reaches the list of models of another host', async () => {
    const upstream = await startUpstream(() => ({ body: { data: [{ id: 'm' }] } }))
    onTestFinished(() => upstream.close())
    const management = await stage()
    const { admin } = management
    const id = add(management)
    await change(admin, { id, base_url: upstream.url })
    await admin.get(`/api/channel/fetch_models/${id}`)
    const copied = (await admin.send('POST', `/api/channel/copy/${id}`)).body.data.id
    const echo = { id: copied, header_override: '{"x-key":"{api_key}"}', base_url: upstream.url }
    expect((await change(admin, echo)).body.success).toBe(false)
    await admin.get(`/api/channel/test/${copied}`)
    expect(upstream.requests).toEqual([])
  })

  test('never leaves its path for another tenant’s by the name of a model or of an API version', async () => {
    const upstream = await startUpstream(() => ({ body: {} }))
    onTestFinished(() => upstream.close())
    const management = await stage()
    const { admin } = management
    const near = `${upstream.url}/ann`
    const gemini = { type: 24, baseUrl: near, models: ['m'] }
    const climbing = '../../../bob/v1beta/models/m'
    for (const [fields, edit] of [
      // None of these is kept any more, but may have been.
      [{ ...gemini, other: '..' }, {}],
      [{ ...gemini, other: '..\\bob' }, {}],
      [{ ...gemini, other: 'bob' }, {}],
      [gemini, { model_mapping: JSON.stringify({ m: climbing }) }],
      [gemini, { models: climbing }],
      [{ type: 3, baseUrl: near, other: '2024-10-21' }, { models: '..' }],
      [{ type: 8, baseUrl: `${near}/{model}/chat/completions` }, { models: '..' }],
    ] as const) {
      const id = add(management, { ...fields })
      expect([edit, (await change(admin, { id, ...edit })).status]).toEqual([edit, 200])
      await admin.get(`/api/channel/test/${id}`)
      await admin.get(`/api/channel/test/${id}?model=${encodeURIComponent(climbing)}`)
      await admin.get(`/api/channel/fetch_models/${id}`)
      // Servers and proxies resolve what a client leaves in it.
      const asked = upstream.requests.map(({ url }) => new URL(url, upstream.url).pathname)
      expect([edit, asked.filter((url) => !url.startsWith('/ann/'))]).toEqual([edit, []])
    }
  })

  test('that cannot be read at present does not follow either', async () => {
    const management = await stage()
    const { admin, gateway } = management
    const id = add(management)
    gateway.parts.state.update((draft) => {
      const [stored] = draft.channels
      if (stored) stored.key = 'sealed-with-another-key'
    })
    expect(gateway.parts.channels.byId(id)?.keyUnreadable).toBe(true)
    expect((await change(admin, { id, base_url: THIEF })).body.field).toBe('key')
  })

  test('stays when all that changes is something else, or the same address in other words', async () => {
    const management = await stage()
    const { admin, gateway } = management
    const setting = { proxy: 'http://ann:word@10.0.0.1:8080' }
    const headerOverride = { 'x-one': '1', 'x-two': '2' }
    const id = add(management, { setting, headerOverride })
    for (const fields of [
      { name: 'Other', models: 'gpt-b,gpt-c', weight: 3, priority: 9, group: 'default,vip' },
      { model_mapping: '{"gpt-b":"gpt-a"}', test_model: 'gpt-b', remark: 'mine', tag: 'paid' },
      { status: 2 },
      { status: 1 },
      { param_override: '{"temperature":0}', status_code_mapping: '{"429":"503"}' },
      { settings: '{"idle_seconds":9,"endpoint_types":["openai"]}' },
      { base_url: 'https://Vendor.example/v1/' },
      { setting: '{"proxy":"http://ann:***@10.0.0.1:8080/"}' },
      { header_override: '{"x-two":"2","x-one":"1"}' },
    ]) {
      expect([fields, (await change(admin, { id, ...fields })).status]).toEqual([fields, 200])
    }
    expect(gateway.parts.channels.byId(id)).toMatchObject({ key: KEY, setting })
    expect(acts(management)).toEqual([])
  })

  test('of an Azure channel stays with another API version', async () => {
    const management = await stage()
    const id = add(management, { type: 3, other: '2024-10-21' })
    expect((await change(management.admin, { id, other: 'v1' })).status).toBe(200)
  })

  test('takes no header override of a whole tag but the owner’s', async () => {
    const management = await stage()
    const { admin, owner, gateway } = management
    const id = add(management, { tag: 'paid' })
    const second = add(management, { tag: 'paid', headerOverride: { 'x-key': '{api_key}' } })
    const edit = { tag: 'paid', header_override: '{"x-key":"{api_key}"}' }
    const refused = await admin.send('PUT', '/api/channel/tag', edit)
    expect([refused.status, refused.body.field]).toEqual([403, 'header_override'])
    expect(refused.body.message).toContain('each channel')
    const unverified = await owner.send('PUT', '/api/channel/tag', edit)
    expect(unverified.body.code).toBe('VERIFICATION_REQUIRED')
    expect(gateway.parts.channels.byId(id)?.headerOverride).toEqual({})
    await verifyOwner(owner)
    expect((await owner.send('PUT', '/api/channel/tag', edit)).status).toBe(200)
    expect(gateway.parts.channels.byId(id)?.headerOverride).toEqual({ 'x-key': '{api_key}' })
    // The other one had it already.
    expect(acts(management)).toHaveLength(1)
    const same = { tag: 'paid', weight: 3, header_override: null }
    expect((await admin.send('PUT', '/api/channel/tag', same)).status).toBe(200)
    expect(gateway.parts.channels.byId(second)?.weight).toBe(3)
  })

  test('follows the owner from the desktop, who has no password, and from a script that sends it again', async () => {
    const { gateway } = await startUnset()
    const { parts } = gateway
    const calls = createConsoleCalls(parts)
    await calls.call('setup.run', {})
    const id = add({ gateway } as Management)
    const moved = await calls.call('channel.update', { id, base_url: THIEF })
    expect(moved).toMatchObject({ ok: true })
    expect(acts({ gateway } as Management)).toHaveLength(1)
    await calls.call('user.update-self', { password: 'correct horse' })
    const back = { id, base_url: 'https://vendor.example' }
    expect(await calls.call('channel.update', back)).toMatchObject({
      error: { code: 'VERIFICATION_REQUIRED' },
    })
    parts.users.update(1, { accessToken: 'token-of-the-owner'.padEnd(32, 'x') })
    const authorization = `Bearer ${parts.users.byId(1)?.accessToken}`
    const script = async (fields: object) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ ...back, ...fields })
      return (await fetch(`${gateway.url}/api/channel`, { method: 'PUT', headers, body })).status
    }
    expect([await script({}), await script({ key: KEY })]).toEqual([403, 200])
  })

  test('is not asked for where there is none', async () => {
    const management = await stage()
    const id = add(management, { type: 4, key: '', preset: 'ollama', baseUrl: 'https://a.example' })
    expect((await change(management.admin, { id, base_url: THIEF })).status).toBe(200)
  })
})

describe('a secret in a header override', () => {
  const headerOverride = {
    Authorization: 'Bearer hidden-word-1',
    'x-title': 'Switchyard',
    'x-auth': '{api_key}',
  }
  const shown = { ...headerOverride, Authorization: '***' }

  test('is never shown, and stays when it comes back hidden', async () => {
    const management = await stage()
    const { admin, gateway } = management
    const id = add(management, { headerOverride })
    const record = await admin.get(`/api/channel/${id}`)
    expect(JSON.parse(record.body.data.header_override)).toEqual(shown)
    expect(JSON.stringify((await admin.get('/api/channel')).body)).not.toContain('hidden-word')
    const back = { id, header_override: record.body.data.header_override, name: 'Other' }
    expect((await change(admin, back)).status).toBe(200)
    expect(gateway.parts.channels.byId(id)?.headerOverride).toEqual(headerOverride)
  })

  test('is not brought to another header or channel by its mask', async () => {
    const management = await stage()
    const { admin, owner } = management
    const id = add(management, { headerOverride })
    const fresh = { type: 1, name: 'n', key: 'k', models: 'm' }
    for (const [who, method, path, body] of [
      [owner, 'PUT', '/api/channel', { id, header_override: '{"x-token":"***"}' }],
      [admin, 'POST', '/api/channel', { ...fresh, header_override: '{"x-token":"***"}' }],
      [owner, 'PUT', '/api/channel/tag', { tag: 't', header_override: '{"x-token":"***"}' }],
    ] as const) {
      const { status, body: answer } = await who.send(method, path, body)
      expect([path, status, answer.field]).toEqual([path, 400, 'header_override'])
    }
  })

  test('does not go to a new address with a new key', async () => {
    const management = await stage()
    const { admin, gateway } = management
    const id = add(management, { headerOverride })
    const moved = { id, base_url: THIEF, key: 'sk-bob' }
    const refused = await change(admin, moved)
    expect([refused.status, refused.body.field]).toEqual([400, 'header_override'])
    const hidden = await change(admin, { ...moved, header_override: JSON.stringify(shown) })
    expect(hidden.body.field).toBe('header_override')
    const own = { ...moved, header_override: '{"Authorization":"Bearer bob"}' }
    expect((await change(admin, own)).status).toBe(200)
    expect(gateway.parts.channels.byId(id)?.headerOverride).toEqual({ Authorization: 'Bearer bob' })
  })
})
