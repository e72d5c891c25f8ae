import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type Handler,
  type Reply,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, startManagement } from '../management.ts'

const KEY = 'sk-right-0123456789abcdef'
const WRONG = 'sk-wrong-0123456789abcdef'

const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
}
const modelList = { body: { data: [{ id: 'gpt-large' }, { id: 'gpt-mini' }] } }

async function withVendor(...replies: Reply[]) {
  return withVendorThat(undefined, ...replies)
}

async function withVendorThat(answers: Handler | undefined, ...replies: Reply[]) {
  const [management, vendor] = await Promise.all([startManagement(), startUpstream(answers)])
  onTestFinished(() => vendor.close())
  vendor.script(...replies)
  const check = (fields: object = {}, visitor = management.owner) =>
    visitor.send('POST', '/api/channel/check', {
      ...{ type: 1, name: 'Vendor', base_url: vendor.url, key: KEY, models: 'gpt-large,gpt-mini' },
      ...fields,
    })
  return { ...management, vendor, check }
}

const lastCall = ({ gateway }: Pick<Management, 'gateway'>) =>
  gateway.parts.ledger.list({}, { page: 1, pageSize: 10 }).items[0]

describe('checking a channel that is not saved', () => {
  test('a wrong key is told in the vendor’s own sentence, the right one passes with a small model', async () => {
    const sentence = 'Incorrect API key provided. You can find your key at the vendor’s page.'
    const refused = { status: 401, body: { error: { message: sentence } } }
    const { check, vendor, gateway } = await withVendor(refused)
    const wrong = await check({ key: WRONG })
    expect(wrong.status).toBe(200)
    expect(wrong.body.data).toEqual({
      ...{ why: null, ok: false, models: null, tested_model: null, ms: expect.any(Number) },
      ...{ status: 401, problem: sentence, step: 'models', keys: 1, refused_key: null },
    })
    // No call is made where the list has shown that the key is wrong.
    expect(vendor.requests).toHaveLength(1)

    vendor.script(modelList, { body: completion, delay: 60 })
    const { data } = (await check()).body
    expect(data).toEqual({
      ...{ ok: true, why: null, models: ['gpt-large', 'gpt-mini'], tested_model: 'gpt-mini' },
      ...{ ms: expect.any(Number), status: 200, problem: null, step: 'call' },
      ...{ keys: 1, refused_key: null },
    })
    expect(data.ms).toBeGreaterThan(50)
    expect(vendor.last().url).toBe('/v1/chat/completions')
    expect(vendor.last().headers.authorization).toBe(`Bearer ${KEY}`)
    expect(vendor.last().json()).toMatchObject({ model: 'gpt-mini', max_tokens: 16 })
    expect(gateway.parts.channels.all()).toEqual([])
  })

  test('of several keys all are checked, and the refused one is named', async () => {
    const second = 'sk-right-second-9876543210'
    const { check, vendor } = await withVendorThat(({ url, headers }) => {
      if (!headers.authorization?.startsWith('Bearer sk-right')) {
        return { status: 401, body: { error: { message: 'No such key.' } } }
      }
      return url === '/v1/models' ? modelList : { body: completion }
    })
    const key = [KEY, second, WRONG, KEY].join('\n')
    const { data } = (await check({ key })).body
    expect(data).toMatchObject({
      ...{ ok: false, status: 401, problem: 'No such key.', keys: 4 },
      refused_key: { number: 3, preview: 'sk-…cdef' },
    })
    expect(JSON.stringify(data)).not.toContain(WRONG)
    const good = (await check({ key: `${KEY}\n${second}` })).body.data
    expect(good).toMatchObject({ ok: true, keys: 2, refused_key: null, tested_model: 'gpt-mini' })
    const used = vendor.requests.map(({ headers }) => headers.authorization)
    expect(used.slice(-2)).toContain(`Bearer ${second}`)
  })

  test('shows in Calls as a test under the name that was typed', async () => {
    const management = await withVendor(modelList, { body: completion })
    await management.check()
    expect(lastCall(management)).toMatchObject({
      ...{ tokenName: 'model test', channelId: 0, channelName: 'Vendor', model: 'gpt-mini' },
      ...{ quota: 0, status: 200 },
    })
  })

  test.each([[400], [403], [404]])(
    'a vendor without a list of models (%i) is asked with a model of the channel',
    async (status) => {
      const missing = { status, body: { error: { message: 'Not found' } } }
      const { check } = await withVendor(missing, { body: completion })
      expect((await check()).body.data).toMatchObject({
        ...{ ok: true, models: null, tested_model: 'gpt-mini', problem: null, step: 'call' },
      })
    },
  )

  test.each(['error', 'message', 'detail'])(
    'a refusal that is a plain text under "%s" is told by its words alone',
    async (field) => {
      const sentence = 'This key has expired.'
      const { check } = await withVendor({ status: 401, body: { [field]: sentence } })
      expect((await check()).body.data).toMatchObject({ status: 401, problem: sentence })
    },
  )

  test('none of the channel’s models is listed: one of the vendor’s is tested', async () => {
    const { check, vendor } = await withVendor(modelList, { body: completion })
    const { data } = (await check({ models: 'old-1,old-2' })).body
    expect(data).toMatchObject({ ok: true, tested_model: 'gpt-mini' })
    expect(vendor.last().json()).toMatchObject({ model: 'gpt-mini' })
  })

  test('a call that the vendor refuses is told with its model and the vendor’s sentence', async () => {
    const sentence = 'You exceeded your current quota, please check your plan.'
    const poor = { status: 429, body: { error: { message: sentence, code: 'insufficient_quota' } } }
    const { check, gateway } = await withVendor(modelList, poor)
    expect((await check()).body.data).toMatchObject({
      ...{ ok: false, tested_model: 'gpt-mini', status: 429, problem: sentence, step: 'call' },
    })
    // An unsaved channel has no health that could cool down.
    expect(gateway.parts.health.circuits(0)).toEqual([])
  })

  test('a redirect is named, and nothing is sent after it', async () => {
    const elsewhere = await startUpstream()
    onTestFinished(() => elsewhere.close())
    const moved = { status: 302, headers: { location: `${elsewhere.url}/v1/models` } }
    const { check, vendor } = await withVendor(moved)
    const { data } = (await check()).body
    expect(data).toMatchObject({ ok: false, status: 302, step: 'models' })
    expect(data.problem).toContain(`redirects to ${elsewhere.url}`)
    vendor.script({ status: 404 }, { ...moved, status: 307 })
    const call = (await check()).body.data
    expect(call).toMatchObject({ ok: false, status: 307, step: 'call' })
    expect(call.problem).toContain('redirects')
    expect(elsewhere.requests).toHaveLength(0)
  })

  test.each([
    ['models', [{ ending: 'hang-before-headers' as const }]],
    ['call', [modelList, { ending: 'hang-before-headers' as const }]],
  ])(
    'a vendor that is silent at its %s is told in words after the channel’s time limit',
    async (step, replies) => {
      const { check } = await withVendor(...replies)
      const { data } = (await check({ settings: '{"first_byte_seconds":0.3}' })).body
      expect(data).toMatchObject({ ok: false, status: null, step })
      expect(data.problem).toMatch(/did not (send|answer|begin).*0\.3 s/)
    },
  )

  test('a vendor has its time where the channel’s own limit is off', async () => {
    const answers = [modelList, { body: completion }].map((reply) => ({ ...reply, delay: 60 }))
    const { check } = await withVendor(...answers)
    const { data } = (await check({ settings: '{"first_byte_seconds":0}' })).body
    expect(data).toMatchObject({ ok: true, models: ['gpt-large', 'gpt-mini'], problem: null })
  })

  test('a vendor that quotes the key does not bring it into the answer, the log or the ledger', async () => {
    const quoted = (status: number) => ({
      status,
      body: { error: { message: `Bad key ${KEY} for this project` } },
    })
    const { check, gateway } = await withVendor(quoted(401), modelList, quoted(401))
    for (const step of ['models', 'call']) {
      const { data } = (await check()).body
      expect(data).toMatchObject({ ok: false, step, problem: 'Bad key *** for this project' })
    }
    expect(JSON.stringify(lastCall({ gateway }))).not.toContain(KEY)
    const { dataFolder } = gateway.parts
    const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true })
    const kept = files.filter((file) => file.isFile())
    expect(kept.length).toBeGreaterThan(2)
    for (const { parentPath, name } of kept) {
      expect(readFileSync(join(parentPath, name)).includes(KEY), name).toBe(false)
    }
  })

  test.each(['http://169.254.169.254/', 'http://metadata/', 'http://[::ffff:169.254.169.254]/'])(
    'never asks %s',
    async (url) => {
      const { check } = await withVendor()
      expect((await check({ base_url: url })).body).toMatchObject({
        success: false,
        field: 'base_url',
      })
    },
  )

  test('an administrator who is not the owner may not have this machine asked', async () => {
    const { check, gateway, visitor, vendor } = await withVendor()
    const accessToken = 'access-token-of-bob'.padEnd(32, 'x')
    gateway.parts.users.create({ username: 'bob', role: 10, accessToken })
    const bob = visitor()
    const send: typeof bob.send = (method, path, body) =>
      visitor().send(method, path, body, { authorization: `Bearer ${accessToken}` })
    expect((await check({}, { ...bob, send })).status).toBe(403)
    expect(vendor.requests).toHaveLength(0)
  })

  test('a missing key or address is named before anybody is asked', async () => {
    const { check, vendor } = await withVendor()
    expect((await check({ key: '', base_url: 'https://vendor.example' })).body.field).toBe('key')
    expect((await check({ type: 3, base_url: '' })).body.field).toBe('base_url')
    expect(vendor.requests).toHaveLength(0)
  })
})

describe('checking a stored channel', () => {
  const store = ({ gateway }: Management, url: string, fields: object = {}) =>
    gateway.parts.channels.create({
      ...{ type: 1, name: 'Stored', key: KEY, baseUrl: url, models: ['gpt-mini'] },
      ...fields,
    })

  test('uses the stored key at the stored address, and changes nothing', async () => {
    const management = await withVendor(modelList, { body: completion })
    const { vendor, owner, gateway } = management
    const { id } = store(management, vendor.url)
    const before = gateway.parts.channels.byId(id)
    const { body } = await owner.send('POST', '/api/channel/check', { id })
    expect(body.data).toMatchObject({ ok: true, tested_model: 'gpt-mini' })
    expect(vendor.last().headers.authorization).toBe(`Bearer ${KEY}`)
    expect(gateway.parts.channels.byId(id)).toBe(before)
    expect(lastCall(management)).toMatchObject({ channelId: id, channelName: 'Stored' })
  })

  test.each([
    ['base_url', (url: string) => ({ base_url: url })],
    ['settings', (url: string) => ({ settings: JSON.stringify({ anthropic_base_url: url }) })],
    ['proxy', (url: string) => ({ setting: JSON.stringify({ proxy: url }) })],
  ])(
    'its key is not sent elsewhere by a changed %s, not even for the owner',
    async (name, fields) => {
      const management = await withVendor(modelList, { body: completion })
      const { vendor, owner, gateway } = management
      const { id } = store(management, 'https://stored.example')
      const asked = { id, ...fields(vendor.url) }
      const { status, body } = await owner.send('POST', '/api/channel/check', asked)
      expect([status, body.field]).toEqual([400, 'key'])
      expect(body.message).toContain(name)
      expect(body.message).toContain('Enter the key again to check.')
      expect(vendor.requests).toHaveLength(0)
      expect(gateway.parts.ledger.list({}, { page: 1, pageSize: 10 }).total).toBe(0)
    },
  )

  test('a stored secret header is not sent elsewhere either', async () => {
    const management = await withVendor()
    const { vendor, owner } = management
    const headerOverride = { 'X-Team-Token': 'team-secret-12345' }
    const { id } = store(management, 'https://stored.example', { headerOverride })
    const asked = {
      id,
      base_url: vendor.url,
      key: WRONG,
      header_override: '{"X-Team-Token":"***"}',
    }
    expect((await owner.send('POST', '/api/channel/check', asked)).body.field).toBe(
      'header_override',
    )
    expect(vendor.requests).toHaveLength(0)
  })

  test('a typed key is checked at the new address', async () => {
    const management = await withVendor(modelList, { body: completion })
    const { vendor, owner } = management
    const { id } = store(management, 'https://stored.example')
    const asked = { id, base_url: vendor.url, key: WRONG }
    const { body } = await owner.send('POST', '/api/channel/check', asked)
    expect(body.data).toMatchObject({ ok: true })
    expect(vendor.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill(`Bearer ${WRONG}`),
    )
  })
})
