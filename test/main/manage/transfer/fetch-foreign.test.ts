import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type ForeignGateway,
  fetchForeign,
} from '../../../../main/manage/transfer/fetch-foreign.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type RecordedRequest,
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'

let gateway: TestGateway
let foreign: ScriptedUpstream | undefined

beforeAll(async () => {
  gateway = await startTestGateway()
})

afterEach(async () => {
  await foreign?.close()
  foreign = undefined
})

afterAll(() => gateway.close())

const ok = (data: unknown): Reply => ({ body: { success: true, message: '', data } })

const pathOf = ({ url }: RecordedRequest) => new URL(url, 'http://x')

async function read(
  from: ForeignGateway['from'],
  handler: (request: RecordedRequest) => Reply,
  path = '',
  user_id = 7,
) {
  foreign = await startUpstream(handler)
  const user = gateway.parts.users.all().find(({ role }) => role === 100) ?? null
  const source = {
    from,
    address: foreign.url + path,
    access_token: 'test-access-token',
    ...(user_id !== 0 && { user_id }),
  }
  return fetchForeign(source, { parts: gateway.parts, user, signal: new AbortController().signal })
}

/** QuantumNous/new-api: model/channel.go; songquanpeng/one-api has a part of these fields. */
const row = (id: number, type: number, more: object = {}) => ({
  id,
  type,
  key: '',
  status: 1,
  name: `channel ${id}`,
  weight: 0,
  base_url: '',
  models: 'model-a,model-b',
  group: 'default',
  model_mapping: '',
  priority: 0,
  ...more,
})

test('new-api: all pages of channels, tokens and prices come along, without channel keys', async () => {
  const all = Array.from({ length: 150 }, (_, at) => row(at + 1, 43))
  all[0] = row(1, 43, {
    model_mapping: '{"gpt-4o":"deepseek-chat"}',
    group: 'default,vip',
    priority: 5,
    weight: 10,
    tag: 'cn',
  })
  all[1] = row(2, 26, { base_url: 'glm-coding-plan' })
  all[2] = row(3, 36)
  all[3] = row(4, 43, {
    settings: '{"azure_responses_version":"preview"}',
    test_model: 'm',
    other: '',
  })
  const token = {
    id: 1,
    key: 'abcd**********wxyz',
    status: 1,
    name: 'laptop',
    expired_time: -1,
    remain_quota: 500,
    unlimited_quota: false,
    model_limits_enabled: true,
    model_limits: 'model-a',
    allow_ips: '',
  }
  const answer = await read(
    'new-api',
    (request) => {
      expect(request.method).toBe('GET')
      expect(request.headers.authorization).toBe('Bearer test-access-token')
      expect(request.headers['new-api-user']).toBe('7')
      const { pathname, searchParams } = pathOf(request)
      // Newer versions take page 0 for page 1.
      const page = Math.max(1, Number(searchParams.get('p')))
      const part = (items: unknown[]) =>
        ok({
          items: items.slice((page - 1) * 100, page * 100),
          total: items.length,
          page,
          page_size: 100,
        })
      if (pathname === '/api/channel/') return part(all)
      if (pathname === '/api/token/') return part([token])
      return ok([
        { key: 'ModelRatio', value: '{"model-a":0.14}' },
        { key: 'CompletionRatio', value: '{"model-a":1.5}' },
        { key: 'CacheRatio', value: '{"model-a":0.1}' },
        { key: 'CreateCacheRatio', value: '{"model-a":1.25}' },
        { key: 'GroupRatio', value: '{"vip":0.8,"staff":1}' },
        { key: 'UserUsableGroups', value: '{"default":"All","vip":"Fast"}' },
      ])
    },
    '/v1/',
  )
  const { channels = [], tokens, prices, groups } = answer.transfer
  expect(channels).toHaveLength(149)
  expect(channels[0]).toEqual({
    name: 'channel 1',
    type: 43,
    base_url: null,
    keys: [],
    models: ['model-a', 'model-b', 'gpt-4o'],
    model_mapping: { 'gpt-4o': 'deepseek-chat' },
    priority: 5,
    weight: 10,
    group: 'default,vip',
    tag: 'cn',
    disabled: true,
  })
  expect(channels[1]).toMatchObject({
    type: 26,
    base_url: 'https://open.bigmodel.cn/api/coding/paas/v4',
  })
  expect(tokens).toMatchObject([
    { name: 'laptop', key: null, models: ['model-a'], granted_quota: 500 },
  ])
  expect(prices).toEqual([
    {
      ...{ model: 'model-a', model_ratio: 0.14, completion_ratio: 1.5 },
      ...{ cache_ratio: 0.1, create_cache_ratio: 1.25 },
    },
  ])
  expect(groups).toMatchObject([
    { name: 'vip', ratio: 0.8, description: 'Fast' },
    { name: 'staff', ratio: 1, description: null },
  ])
  const left = Object.fromEntries(answer.leftOut.map(({ name, reason }) => [name, reason]))
  expect(left['channel 3']).toContain('no counterpart')
  expect(left['channel 4: settings, test_model']).toContain('Enter them in the channel')
  expect(left['Key of channel 1']).toContain('expose channel keys')
  expect(left['Key of token laptop']).toContain('masked')
  expect(left['Users, redemption codes and logs']).toContain('own tokens')
})

test('tokens that had expired or were used up come along enabled: what they lack can be given here', async () => {
  const tokens = [1, 2, 3, 4].map((status) => ({ id: status, key: '', status, name: `${status}` }))
  const { transfer } = await read('new-api', (request) => {
    const { pathname } = pathOf(request)
    return ok(pathname === '/api/token/' ? { items: tokens, total: tokens.length } : { items: [] })
  })
  const disabled = transfer.tokens?.filter((token) => token.disabled).map(({ name }) => name)
  expect(transfer.tokens).toHaveLength(4)
  expect(disabled).toEqual(['2'])
})

test('a token gets what it had left, not what it had used, and its models only where they limit it', async () => {
  const tokens = [
    { id: 1, name: 'rich', remain_quota: 500, used_quota: 300 },
    { id: 2, name: 'in debt', remain_quota: -20, used_quota: 100 },
    { id: 3, name: 'free', model_limits_enabled: false, model_limits: 'model-a' },
  ]
  const { transfer } = await read('new-api', (request) =>
    ok(pathOf(request).pathname === '/api/token/' ? { items: tokens, total: 3 } : { items: [] }),
  )
  expect(transfer.tokens).toMatchObject([
    { name: 'rich', granted_quota: 500 },
    { name: 'in debt', granted_quota: 0 },
    { name: 'free', granted_quota: 0, models: null },
  ])
})

test('one-api: pages of ten from 0, its own type numbers, tokens in clear', async () => {
  const all = [
    row(1, 36),
    row(2, 43),
    row(3, 26),
    ...Array.from({ length: 20 }, (_, at) => row(at + 4, 1)),
  ]
  const key = 'a'.repeat(48)
  const answer = await read('one-api', (request) => {
    expect(request.headers.authorization).toBe('test-access-token')
    const { pathname, searchParams } = pathOf(request)
    const page = Number(searchParams.get('p'))
    if (pathname === '/api/channel/') return ok(all.slice(page * 10, page * 10 + 10))
    if (pathname === '/api/token/')
      return ok(
        page === 0
          ? [
              {
                id: 1,
                key,
                status: 2,
                name: 'old',
                expired_time: -1,
                remain_quota: 5,
                unlimited_quota: true,
                models: null,
              },
            ]
          : null,
      )
    return { body: { success: false, message: 'no permission' } }
  })
  const { channels = [], tokens, prices } = answer.transfer
  expect(channels).toHaveLength(22)
  expect(channels.slice(0, 2)).toMatchObject([
    { type: 43, name: 'channel 1' },
    { type: 1, base_url: 'https://api.baichuan-ai.com' },
  ])
  expect(tokens).toMatchObject([{ key, disabled: true, models: null, unlimited_quota: true }])
  expect(prices).toBeUndefined()
  const left = Object.fromEntries(answer.leftOut.map(({ name, reason }) => [name, reason]))
  expect(left['channel 2']).toContain('43 of one-api')
  expect(left['Prices and groups']).toContain('no permission')
  // By code, so that the console says it in its language.
  expect(answer.leftOut.map(({ coded }) => coded)).toContainEqual({
    ...{ subject: 'gateway_options', of: '', reason: 'part_refused' },
    params: { problem: '“no permission”' },
  })
})

test('one channel that cannot be read does not hide the others', async () => {
  const answer = await read('new-api', (request) => {
    const { pathname, searchParams } = pathOf(request)
    const isFirst = searchParams.get('p') === '0'
    if (pathname !== '/api/channel/' || !isFirst) return ok([])
    return ok([row(1, 43, { models: 5 }), row(2, 43, { base_url: 'ftp://x' }), row(3, 43)])
  })
  expect(answer.transfer.channels).toMatchObject([{ name: 'channel 3' }])
  expect(answer.leftOut.map(({ reason }) => reason).join()).toContain(
    '“data[0].models” must be text',
  )
})

test('a refusal, a redirect, endless pages and a page that is no JSON are told in a sentence', async () => {
  await expect(
    read('new-api', () => ({ body: { success: false, message: 'wrong token' } })),
  ).rejects.toThrow(/“wrong token”. Check the address and the access token/)
  await foreign?.close()
  await expect(
    read('new-api', () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } })),
  ).rejects.toThrow(/it redirects to/)
  expect(foreign?.requests).toHaveLength(1)
  await foreign?.close()
  await expect(read('one-api', () => ({ body: '<html>login</html>' }))).rejects.toThrow(
    /did not answer with JSON/,
  )
  await foreign?.close()
  let id = 0
  await expect(read('one-api', () => ok([row(id++, 1)]))).rejects.toThrow(/more than 300 pages/)
  await foreign?.close()
  await expect(read('one-api', () => ok([5]))).rejects.toMatchObject({
    code: 'upstream_error',
    field: 'address',
  })
})

test('a refused access token names the field to look at, and the user ID where it is missing', async () => {
  const refused = () => ({ status: 401, body: { success: false, message: 'no New-Api-User' } })
  const problem = async (from: ForeignGateway['from'], user_id: number) => {
    const { field, message } = await read(from, refused, '', user_id).catch((error) => error)
    await foreign?.close()
    return [field, message]
  }
  expect(await problem('new-api', 0)).toEqual([
    'user_id',
    'new-api refused: “no New-Api-User”. Enter the user ID of the token’s owner.',
  ])
  expect(await problem('new-api', 7)).toEqual([
    'access_token',
    'new-api refused: “no New-Api-User”. Check the access token and the user ID.',
  ])
  expect(await problem('one-api', 0)).toEqual([
    'access_token',
    'one-api refused: “no New-Api-User”. Check the access token.',
  ])
})

test('an address that is none, and a token that no header takes, are refused unasked', async () => {
  const user = gateway.parts.users.all()[0] ?? null
  const context = { parts: gateway.parts, user, signal: new AbortController().signal }
  const source = { from: 'new-api' as const, address: 'ftp://x', access_token: 't' }
  expect(() => fetchForeign(source, context)).toThrow(expect.objectContaining({ field: 'address' }))
  const own = { ...source, address: gateway.parts.address().url }
  expect(() => fetchForeign(own, context)).toThrow(/address of this gateway itself/)
  const token = { ...source, address: 'https://x.example.com', access_token: 'a\nb' }
  expect(() => fetchForeign(token, context)).toThrow(
    expect.objectContaining({ field: 'access_token' }),
  )
})
