import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../support/gateway/pair.ts'

let pair: Pair

const answer = {
  choices: [{ message: { content: 'Hi' } }],
  usage: { prompt_tokens: 30_000, completion_tokens: 5_000, total_tokens: 35_000 },
}

beforeAll(async () => {
  pair = await startPair({ handler: () => ({ body: answer }) })
  pair.gateway.set({ ModelRatio: { 'chat-model': 1 }, CompletionRatio: { 'chat-model': 2 } })
})
afterAll(() => pair.close())

const paths = {
  subscription: ['/v1/dashboard/billing/subscription', '/dashboard/billing/subscription'],
  usage: ['/v1/dashboard/billing/usage?start_date=2026-11-01', '/dashboard/billing/usage'],
  token: ['/api/usage/token', '/api/usage/token/'],
  log: ['/api/log/token', '/api/log/token/'],
}
const all = Object.values(paths).flat()

const ask = (path: string, key: string) =>
  pair.send(path, { method: 'GET', headers: { authorization: `Bearer ${key}` }, withoutKey: true })

/** One call of 40 000 units: 30 000 of input, 5 000 of output that count twice. */
async function spend(key: string) {
  const body = { model: 'chat-model', messages: [{ role: 'user', content: 'Hi' }] }
  const headers = { authorization: `Bearer ${key}` }
  const called = await pair.send('/v1/chat/completions', { body, headers, withoutKey: true })
  expect(called.status).toBe(200)
}

describe('a token with a limit', () => {
  let key: string
  const expiredTime = 4_000_000_000

  beforeAll(async () => {
    const token = pair.gateway.addToken({
      name: 'chat client',
      unlimitedQuota: false,
      grantedQuota: 1_000_000,
      modelLimitsEnabled: true,
      modelLimits: ['chat-model', 'other'],
      expiredTime,
    })
    key = token.full
    await spend(key)
  })

  test.each(paths.subscription)('%s: what it was given, in dollars', async (path) => {
    const { status, json, headers } = await ask(path, key)
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('application/json')
    expect(json()).toEqual({
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: 2,
      hard_limit_usd: 2,
      system_hard_limit_usd: 2,
      access_until: expiredTime,
    })
  })

  test.each(paths.usage)('%s: what it used, in cents', async (path) => {
    expect((await ask(path, key)).json()).toEqual({ object: 'list', total_usage: 8 })
  })

  test.each(paths.token)('%s: both in units, and what it may use', async (path) => {
    expect((await ask(path, key)).json()).toEqual({
      code: true,
      message: 'ok',
      data: {
        object: 'token_usage',
        name: 'chat client',
        total_granted: 1_000_000,
        total_used: 40_000,
        total_available: 960_000,
        unlimited_quota: false,
        model_limits: { 'chat-model': true, other: true },
        model_limits_enabled: true,
        expires_at: expiredTime,
      },
    })
  })
})

test('a token without a limit is said to have a hundred million dollars, and never to end', async () => {
  const { full } = pair.gateway.addToken({ name: 'free' })
  await spend(full)
  expect((await ask('/v1/dashboard/billing/subscription', full)).json()).toMatchObject({
    hard_limit_usd: 100_000_000,
    access_until: 0,
  })
  expect((await ask('/v1/dashboard/billing/usage', full)).json()).toMatchObject({ total_usage: 8 })
  expect((await ask('/api/usage/token/', full)).json()).toMatchObject({
    data: { unlimited_quota: true, total_used: 40_000, expires_at: 0, model_limits: {} },
  })
})

test.each(['笔记本电脑', 'Zoë’s café'])(
  'the answer about a token named %s is whole',
  async (name) => {
    const { full } = pair.gateway.addToken({ name })
    expect((await ask('/api/usage/token', full)).json()).toMatchObject({ data: { name } })
  },
)

test('a token that is used up beyond its limit, or expired, still learns that it is', async () => {
  const limit = { unlimitedQuota: false, grantedQuota: 10_000 }
  const { full } = pair.gateway.addToken({ ...limit })
  await spend(full)
  expect((await ask('/api/usage/token', full)).json()).toMatchObject({
    data: { total_granted: 40_000, total_used: 40_000, total_available: 0 },
  })
  const expired = pair.gateway.addToken({ ...limit, expiredTime: 1 })
  expect((await ask('/api/usage/token', expired.full)).json()).toMatchObject({
    data: { total_available: 10_000, expires_at: 1 },
  })
})

describe('without DisplayTokenStatEnabled', () => {
  beforeAll(() => pair.gateway.set({ DisplayTokenStatEnabled: false }))
  afterAll(() => pair.gateway.set({ DisplayTokenStatEnabled: true }))

  test('chat clients are told what the user has and used, with any of their tokens', async () => {
    const { users } = pair.gateway.parts
    const { id } = users.create({ username: 'bob', quota: 1_000_000 })
    const [one, two] = [0, 1].map(() =>
      pair.gateway.addToken({ userId: id, unlimitedQuota: false, grantedQuota: 500_000 }),
    )
    await spend(one?.full ?? '')
    for (const token of [one, two]) {
      const key = token?.full ?? ''
      expect((await ask('/v1/dashboard/billing/subscription', key)).json()).toMatchObject({
        hard_limit_usd: 2,
        access_until: 0,
      })
      expect((await ask('/dashboard/billing/usage', key)).json()).toMatchObject({ total_usage: 8 })
    }
    // Its own path goes on telling of the token.
    expect((await ask('/api/usage/token', two?.full ?? '')).json()).toMatchObject({
      data: { total_granted: 500_000, total_used: 0 },
    })
  })
})

describe('the log of a token', () => {
  test.each(paths.log)('%s: its own calls, newest first, and nobody else’s', async (path) => {
    const one = pair.gateway.addToken({ name: 'one' })
    const other = pair.gateway.addToken({ name: 'other' })
    await spend(one.full)
    await spend(other.full)
    await spend(one.full)
    const { status, json } = await ask(path, one.full)
    expect(status).toBe(200)
    const answer = json<{ success: boolean; message: string; data: Record<string, unknown>[] }>()
    expect(answer).toMatchObject({ success: true, message: '' })
    expect(answer.data.map(({ id, token_name }) => [id, token_name])).toEqual([
      [1, 'one'],
      [2, 'one'],
    ])
    expect(answer.data[0]).toMatchObject({ model_name: 'chat-model', quota: 40_000, type: 2 })
    expect(answer.data[0]).toMatchObject({ channel_name: '' })
    expect(String(answer.data[0]?.other)).not.toContain('admin_info')
  })

  test('tells from where it was used only where its user has asked for that', async () => {
    const { users } = pair.gateway.parts
    const user = users.create({ username: 'anna' })
    users.update(user.id, { quota: 1_000_000 })
    const { full } = pair.gateway.addToken({ userId: user.id })
    await spend(full)
    const ipOf = async () =>
      (await ask('/api/log/token', full)).json<{ data: [{ ip: string }] }>().data[0].ip
    expect(await ipOf()).toBe('')
    users.update(user.id, { setting: JSON.stringify({ record_ip_log: true }) })
    expect(await ipOf()).toBe('127.0.0.1')
  })

  test('is empty for a token that was never used', async () => {
    const { full } = pair.gateway.addToken({})
    expect((await ask('/api/log/token', full)).json()).toMatchObject({ data: [] })
  })
})

test.each(all)('%s is asked for anew each time: money changes with every call', async (path) => {
  const answer = await ask(path, pair.gateway.key)
  expect(answer.status).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
})

describe.each(all)('%s is refused', (path) => {
  const isManaged = path.startsWith('/api/')

  test('without a key and with a wrong one, in the shape of its clients', async () => {
    const without = await pair.send(path, { method: 'GET', withoutKey: true })
    for (const refused of [without, await ask(path, 'sk-unknown')]) {
      expect(refused.status).toBe(401)
      expect(refused.json()).toMatchObject(
        isManaged
          ? { success: false, message: expect.any(String) }
          : { error: { message: expect.any(String), code: 'invalid_api_key' } },
      )
    }
  })

  test('to a disabled token, from a foreign address, to a disabled user', async () => {
    const disabled = pair.gateway.addToken({ status: 2 })
    expect((await ask(path, disabled.full)).status).toBe(401)
    const elsewhere = pair.gateway.addToken({ allowIps: ['10.0.0.0/8'] })
    expect((await ask(path, elsewhere.full)).status).toBe(403)
    const user = pair.gateway.parts.users.create({ username: `gone${Math.random()}`.slice(0, 12) })
    const token = pair.gateway.addToken({ userId: user.id })
    pair.gateway.parts.users.update(user.id, { status: 2 })
    expect((await ask(path, token.full)).status).toBe(403)
  })

  test('to any other method than GET and HEAD', async () => {
    const posted = await pair.send(path, { body: {} })
    expect(posted.status).toBe(405)
    expect(posted.headers.allow).toBe('GET')
    const head = await pair.send(path, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.bytes).toHaveLength(0)
  })
})
