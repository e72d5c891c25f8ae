import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair

const turns = [{ role: 'user', content: 'Hi' }]
const answer = { model: 'm', choices: [], usage: { prompt_tokens: 1000, completion_tokens: 500 } }
const call = (key: string, model = 'chat-model') =>
  pair.send('/v1/chat/completions', {
    body: { model, messages: turns },
    headers: { authorization: `Bearer ${key}` },
  })

beforeAll(async () => {
  pair = await startPair({ handler: () => ({ body: answer }) })
})
afterAll(() => pair.close())

describe('a token that may not make this call', () => {
  const past = Date.parse('2026-07-05T08:09:00Z') / 1000
  test.each([
    ['disabled', { status: 2 as const }, 401, 'token_disabled', 'Enable it'],
    ['expired', { expiredTime: past }, 401, 'token_expired', 'expired at 2026-07-05 08:09 UTC.'],
    [
      'without quota',
      { unlimitedQuota: false, grantedQuota: 0 },
      401,
      'insufficient_quota',
      'Add quota',
    ],
    [
      'for other models',
      { modelLimitsEnabled: true, modelLimits: ['a', 'b'] },
      403,
      'model_not_allowed',
      'Allowed: a, b',
    ],
    [
      'for no model',
      { modelLimitsEnabled: true, modelLimits: [] },
      403,
      'model_not_allowed',
      'Allowed: none',
    ],
    ['for other addresses', { allowIps: ['10.0.0.0/8'] }, 403, 'access_denied', 'from 127.0.0.1'],
  ])('%s', async (_, fields, status, code, words) => {
    const token = pair.gateway.addToken({ name: 'laptop', ...fields })
    const before = pair.upstream.requests.length
    const refused = await call(token.full)
    expect(refused.status).toBe(status)
    const { error } = refused.json<{ error: { code: string; message: string } }>()
    expect(error.code).toBe(code)
    expect(error.message).toContain(words)
    expect(error.message).toContain('"laptop"')
    expect(refused.headers['x-should-retry']).toBe('false')
    expect(pair.upstream.requests.length).toBe(before)
    const rows = pair.rowsOf(refused)
    expect(rows).toMatchObject([{ type: 5, status, quota: 0, tokenName: 'laptop' }])
    // For a console in another language.
    const { error_reason: reason } = JSON.parse(rows[0]?.other ?? '')
    expect(reason).toMatchObject({ code: expect.any(String), token: 'laptop' })
  })

  test('whose user is disabled', async () => {
    const user = pair.gateway.parts.users.create({ username: 'gone', role: 1, status: 2 })
    const refused = await call(pair.gateway.addToken({ userId: user.id }).full)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('gone')
  })
})

describe('a token that may', () => {
  test.each([
    { expiredTime: Math.floor(Date.now() / 1000) + 60 },
    { allowIps: ['127.0.0.0/8'] },
    { allowIps: ['10.0.0.1', '127.0.0.1'] },
    { modelLimitsEnabled: true, modelLimits: ['chat-model'] },
    { unlimitedQuota: false, grantedQuota: 1 },
  ])('%j', async (fields) => {
    expect((await call(pair.gateway.addToken(fields).full)).status).toBe(200)
  })
})

describe('quota', () => {
  test('is charged by the price of the model and ends the token when it is used up', async () => {
    pair.gateway.set({ ModelRatio: { 'chat-model': 2 }, CompletionRatio: { 'chat-model': 4 } })
    const token = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: 7000 })
    const first = await call(token.full)
    expect(pair.rowsOf(first)).toMatchObject([{ quota: (1000 + 500 * 4) * 2, status: 200 }])
    expect((await call(token.full)).status).toBe(200)
    const third = await call(token.full)
    expect(third.status).toBe(401)
    expect(third.json()).toMatchObject({ error: { type: 'insufficient_quota' } })
    expect(pair.gateway.parts.ledger.totals('token', token.id).quota).toBe(12_000)
    pair.gateway.set({ ModelRatio: {}, CompletionRatio: {} })
  })

  test('counts cached input by its own ratio and a group by its factor', async () => {
    pair.gateway.set({
      ModelRatio: { 'chat-model': 1 },
      CacheRatio: { 'chat-model': 0.1 },
      GroupRatio: { default: 0.5 },
    })
    pair.upstream.script({
      body: {
        choices: [],
        usage: {
          prompt_tokens: 1000,
          completion_tokens: 100,
          prompt_tokens_details: { cached_tokens: 900 },
        },
      },
    })
    const first = await call(pair.gateway.key)
    expect(pair.rowsOf(first)[0]?.quota).toBe((100 + 90 + 100) / 2)
    pair.gateway.set({ ModelRatio: {}, CacheRatio: {}, GroupRatio: { default: 1 } })
  })

  test('a price by the call is taken whatever was used', async () => {
    pair.gateway.set({ ModelPrice: { 'chat-model': 0.01 } })
    expect(pair.rowsOf(await call(pair.gateway.key))[0]?.quota).toBe(5000)
    pair.gateway.set({ ModelPrice: {} })
  })

  test('a call at its vendor’s peak hours is booked at the price of these hours', async () => {
    pair.addChannelOf('chat', { models: ['deepseek-flash'] })
    const bookedAt = async (time: string) => {
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.parse(time))
      const [row] = pair.rowsOf(await call(pair.gateway.key, 'deepseek-flash'))
      clock.mockRestore()
      return { quota: row?.quota ?? 0, factor: JSON.parse(row?.other ?? '').peak_factor }
    }
    const plain = await bookedAt('2026-11-20T04:30:00Z')
    expect(plain.quota).toBeGreaterThan(0)
    const peak = await bookedAt('2026-11-20T03:30:00Z')
    expect(peak).toEqual({ quota: 2 * plain.quota, factor: 2 })
  })

  test('a model without a price is shown as unpriced, not as free', async () => {
    const [row] = pair.rowsOf(await call(pair.gateway.key))
    expect(row?.quota).toBe(0)
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ unpriced: true })
  })

  test('a failed call costs nothing', async () => {
    pair.gateway.set({ ModelRatio: { 'chat-model': 1 }, RetryTimes: 0 })
    pair.upstream.script({ status: 500, body: { error: { message: 'Broken.' } } })
    const failed = await call(pair.gateway.key)
    expect(pair.rowsOf(failed)).toMatchObject([{ quota: 0, type: 5, content: 'Broken.' }])
    pair.gateway.set({ ModelRatio: {}, RetryTimes: 2 })
  })

  test('in self-use mode an empty balance refuses a user, and never the owner', async () => {
    const { users } = pair.gateway.parts
    const owner = users.all().find(({ role }) => role === 100)
    users.update(owner?.id ?? 0, { quota: -1 })
    expect((await call(pair.gateway.key)).status).toBe(200)
    for (const role of [1, 10] as const) {
      const user = users.create({ username: `poor-${role}`, role, quota: 0 })
      const token = pair.gateway.addToken({ userId: user.id })
      const before = pair.upstream.requests.length
      const refused = await call(token.full)
      expect(refused.status).toBe(403)
      expect(refused.text).toContain('used up its quota')
      expect(pair.upstream.requests).toHaveLength(before)
    }
  })

  test('outside of self-use mode an empty balance refuses the owner too', async () => {
    pair.gateway.set({ SelfUseModeEnabled: false, ModelRatio: { 'chat-model': 1 } })
    expect((await call(pair.gateway.key)).status).toBe(403)
    pair.gateway.set({ SelfUseModeEnabled: true, ModelRatio: {} })
  })
})
