import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../support/gateway/pair.ts'

let pair: Pair
let key: string

beforeAll(async () => {
  pair = await startPair({ handler: () => ({ body: { choices: [] } }) })
  key = pair.gateway.key
})
afterAll(() => pair.close())

const body = { model: 'chat-model', messages: [{ role: 'user', content: 'Hi' }] }
const call = (headers: Record<string, string>, query = '') =>
  pair.send(`/v1/chat/completions${query}`, { body, headers, withoutKey: true })
const models = (headers: Record<string, string>, query = '') =>
  pair.send(`/v1/models${query}`, { method: 'GET', headers, withoutKey: true })

describe('a key is taken from', () => {
  const carriers: [string, (key: string) => Record<string, string>][] = [
    ['Authorization: Bearer', (one) => ({ authorization: `Bearer ${one}` })],
    ['Authorization: bearer', (one) => ({ authorization: `bearer  ${one}` })],
    ['Authorization alone', (one) => ({ authorization: one })],
    ['x-api-key', (one) => ({ 'x-api-key': one })],
    ['x-goog-api-key', (one) => ({ 'x-goog-api-key': one })],
    ['api-key', (one) => ({ 'api-key': one })],
  ]
  test.each(carriers)('%s, with and without sk-', async (_, carry) => {
    expect((await call(carry(key))).status).toBe(200)
    expect((await call(carry(key.slice(3)))).status).toBe(200)
    expect((await call(carry(`${key.slice(0, -1)}!`))).status).toBe(401)
  })

  test('?key=, which goes no further', async () => {
    const answer = await call({}, `?key=${key}&alt=json`)
    expect(answer.status).toBe(200)
    expect(pair.upstream.last().url).toBe('/v1/chat/completions')
    expect(JSON.stringify(pair.rowsOf(answer))).not.toContain(key.slice(3))
  })

  test('a header only: one in the model’s place is no model, and stands in no row', async () => {
    const refused = await pair.send('/v1/chat/completions', { body: { ...body, model: key } })
    expect(refused.status).toBe(404)
    const rows = pair.rowsOf(refused)
    expect(rows).toMatchObject([{ model: 'sk-***' }])
    expect(JSON.stringify(rows)).not.toContain(key.slice(3))
  })

  test('the carrier that holds a real one, whatever dummies stand beside it', async () => {
    expect((await call({ authorization: 'Bearer dummy', 'x-api-key': key })).status).toBe(200)
    expect((await call({ authorization: 'Bearer sk-xxx', 'x-goog-api-key': key })).status).toBe(200)
    expect((await call({ 'x-api-key': 'none', authorization: `Bearer ${key}` })).status).toBe(200)
    expect((await call({ authorization: 'Bearer x' }, `?key=${key}`)).status).toBe(200)
  })
})

describe('a call without a good key says what is wrong', () => {
  test.each([
    [{}, 'No key was sent'],
    [{ authorization: 'Bearer ' }, 'No key was sent'],
    [{ authorization: 'Bearer sk-unknown' }, 'not a token of this gateway'],
    [{ 'x-api-key': 'sk-ant-api03-abc' }, 'not a token of this gateway'],
    [{ authorization: 'Bearer sk-abc***xyz' }, 'masked form'],
  ])('%j', async (headers, words) => {
    const answer = await call(headers as Record<string, string>)
    expect(answer.status).toBe(401)
    expect(answer.json()).toMatchObject({
      error: {
        message: expect.stringContaining(words),
        type: 'authentication_error',
        code: 'invalid_api_key',
      },
    })
    expect(answer.headers['x-should-retry']).toBe('false')
  })

  test.each([
    ['/v1/messages', { type: 'error', error: { type: 'authentication_error' } }],
    ['/v1beta/models/m:generateContent', { error: { code: 401, status: 'UNAUTHENTICATED' } }],
    ['/v1/models/m:generateContent', { error: { code: 401, status: 'UNAUTHENTICATED' } }],
  ])('%s: in the shape of its clients', async (path, shape) => {
    const answer = await pair.send(path, { body: {}, withoutKey: true })
    expect(answer.status).toBe(401)
    expect(answer.json()).toMatchObject(shape)
  })

  test('nothing of it reaches a vendor', async () => {
    const before = pair.upstream.requests.length
    await call({ authorization: 'Bearer nobody' })
    expect(pair.upstream.requests.length).toBe(before)
  })
})

describe('a key that names a channel', () => {
  test('goes to that channel, and to no other when it fails', async () => {
    const other = pair.addChannelOf('chat', { name: 'pinned', key: 'pinned-key', priority: -5 })
    const answer = await call({ authorization: `Bearer ${key}-${other.id}` })
    expect(answer.status).toBe(200)
    expect(pair.rowsOf(answer)[0]?.channelName).toBe('pinned')
    const before = pair.upstream.requests.length
    pair.upstream.script({ status: 500, body: { error: { message: 'Broken.' } } })
    expect((await call({ authorization: `Bearer ${key}-${other.id}` })).status).toBe(500)
    expect(pair.upstream.requests.length - before).toBe(1)
    pair.gateway.parts.channels.update(other.id, { status: 2 })
    const disabled = await call({ authorization: `Bearer ${key}-${other.id}` })
    expect(disabled.status).toBe(403)
    expect(disabled.text).toContain('disabled')
  })

  test.each(['999', 'abc', '', '1x'])('%j is no channel: 400', async (id) => {
    expect((await call({ authorization: `Bearer ${key}-${id}` })).status).toBe(400)
  })

  test('is for administrators', async () => {
    const user = pair.gateway.parts.users.create({ username: 'common', role: 1, quota: 1_000_000 })
    const token = pair.gateway.addToken({ userId: user.id })
    expect((await call({ authorization: `Bearer ${token.full}` })).status).toBe(200)
    expect((await call({ authorization: `Bearer ${token.full}-1` })).status).toBe(403)
    // The key of the other tests is the owner's.
    const admin = pair.gateway.parts.users.create({ username: 'admin', role: 10, quota: 1_000_000 })
    const { full } = pair.gateway.addToken({ userId: admin.id })
    expect((await call({ authorization: `Bearer ${full}-1` })).status).toBe(200)
  })
})

describe('a call that is wrong', () => {
  test('is refused for who makes it first, as a right one would be', async () => {
    const { users } = pair.gateway.parts
    const barred = users.create({ username: 'barred', status: 2 })
    const common = users.create({ username: 'plain' })
    const cases = [
      [pair.gateway.addToken({ userId: barred.id }).full, 403],
      [pair.gateway.addToken({ allowIps: ['10.0.0.0/8'] }).full, 403],
      [pair.gateway.addToken({ status: 2 }).full, 401],
      [pair.gateway.addToken({ userId: common.id, group: 'gone' }).full, 403],
      [`${pair.gateway.addToken({ userId: common.id }).full}-1`, 403],
      [key, 400],
    ] as const
    for (const [one, status] of cases) {
      for (const wrong of [{}, { ...body, messages: [] }, '{"model":']) {
        const answer = await pair.send('/v1/chat/completions', {
          ...{ body: wrong, headers: { authorization: one }, withoutKey: true },
        })
        expect([answer.status, one, wrong]).toEqual([status, one, wrong])
      }
    }
  })
})

describe('GET /v1/models answers in the shape its client reads', () => {
  test.each([
    ['OpenAI', { authorization: 'K' }, '', ['object', 'data', 'success']],
    [
      'Anthropic by version',
      { authorization: 'K', 'anthropic-version': '1' },
      '',
      ['has_more', 'first_id'],
    ],
    ['Anthropic by key', { 'x-api-key': 'K' }, '?limit=1000', ['has_more', 'first_id']],
    ['Google by key', { 'x-goog-api-key': 'K' }, '', ['models', 'nextPageToken']],
    ['Google by query', {}, '?key=K', ['models', 'nextPageToken']],
    ['Codex', { authorization: 'K' }, '?client_version=0.1', ['models']],
  ])('%s', async (_, headers, query, fields) => {
    const withKey = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('K', key)]),
    )
    const answer = await models(withKey, query.replace('K', key))
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json())).toEqual(expect.arrayContaining(fields))
  })

  test('Codex finds each model by its slug', async () => {
    const list = await models({ authorization: key }, '?client_version=0.1')
    const slugs = list.json<{ models: { slug: string }[] }>().models.map(({ slug }) => slug)
    expect(slugs).toContain('chat-model')
  })

  test('and only with what the token may use', async () => {
    const token = pair.gateway.addToken({
      modelLimitsEnabled: true,
      modelLimits: ['chat-model', 'gone'],
    })
    const list = (await models({ authorization: token.full })).json<{ data: { id: string }[] }>()
    expect(list.data.map(({ id }) => id)).toEqual(['chat-model'])
  })

  test.each([
    ['disabled', { status: 2 as const }],
    ['expired', { expiredTime: 1 }],
    ['used from elsewhere', { allowIps: ['10.0.0.0/8'] }],
  ])('and not to a token that is %s', async (_, fields) => {
    const token = pair.gateway.addToken(fields)
    expect((await models({ authorization: token.full })).status).toBeGreaterThanOrEqual(401)
  })
})
