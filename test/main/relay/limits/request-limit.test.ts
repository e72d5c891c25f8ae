import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair

const answer = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }
const broken = { status: 400, body: { error: { message: 'Broken.' } } }
const call = (key = pair.gateway.key) =>
  pair.send('/v1/chat/completions', {
    body: { model: 'chat-model', messages: [{ role: 'user', content: 'Hi' }] },
    headers: { authorization: `Bearer ${key}` },
  })
const statuses = async (count: number, key?: string) => {
  const seen: number[] = []
  for (let times = 0; times < count; times++) seen.push((await call(key)).status)
  return seen
}

beforeEach(async () => {
  pair = await startPair({ handler: () => ({ body: answer }) })
  pair.gateway.set({ ModelRequestRateLimitEnabled: true })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await pair.close()
})

describe('a user who calls too often', () => {
  test('is refused with 429 and told when to come back, and is served then', async () => {
    pair.gateway.set({ ModelRequestRateLimitCount: 2, ModelRequestRateLimitDurationMinutes: 2 })
    expect(await statuses(2)).toEqual([200, 200])
    const refused = await call()
    expect(refused.status).toBe(429)
    expect(refused.json()).toMatchObject({
      error: { code: 'rate_limit_exceeded', message: expect.stringContaining('in 2 minutes') },
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(110)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(120)
    expect(pair.upstream.requests).toHaveLength(2)
    const now = performance.now.bind(performance)
    const told = Number(refused.headers['retry-after']) * 1000
    vi.spyOn(performance, 'now').mockImplementation(() => now() + told)
    expect((await call()).status).toBe(200)
  })

  test('is told in the shape of the format that was called', async () => {
    pair.gateway.set({ ModelRequestRateLimitCount: 1 })
    await call()
    const refused = await pair.send('/v1/messages', {
      body: {
        model: 'messages-model',
        max_tokens: 1,
        messages: [{ role: 'user', content: 'Hi' }],
      },
      headers: { 'anthropic-version': '2023-06-01' },
    })
    expect(refused.status).toBe(429)
    expect(refused.json()).toMatchObject({
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message: expect.stringContaining(': 1 call, 1000 answered calls in 1 minute.'),
      },
    })
    const google = await pair.send('/v1beta/models/gemini-model:generateContent', {
      body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    })
    expect(google.json()).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } })
  })

  test('is counted over all tokens, beside other users', async () => {
    pair.gateway.set({ ModelRequestRateLimitCount: 2 })
    const second = pair.gateway.addToken().full
    expect(await statuses(2)).toEqual([200, 200])
    expect((await call(second)).status).toBe(429)
    const user = pair.gateway.parts.users.create({ username: 'bob', role: 1, quota: 1_000_000 })
    expect((await call(pair.gateway.addToken({ userId: user.id }).full)).status).toBe(200)
  })
})

test('of answered calls only those count that were answered well', async () => {
  pair.gateway.set({ ModelRequestRateLimitSuccessCount: 2, RetryTimes: 0 })
  pair.upstream.script(broken, broken, broken)
  expect(await statuses(6)).toEqual([400, 400, 400, 200, 200, 429])
})

test('a group may have limits of its own', async () => {
  pair.gateway.set({
    ModelRequestRateLimitCount: 1,
    ModelRequestRateLimitGroup: { vip: [0, 3] },
  })
  const user = pair.gateway.parts.users.create({
    username: 'bob',
    role: 1,
    quota: 1_000_000,
    group: 'vip',
  })
  pair.addChannelOf('chat', { groups: ['vip'] })
  const token = pair.gateway.addToken({ userId: user.id })
  expect(await statuses(4, token.full)).toEqual([200, 200, 200, 429])
  expect(await statuses(2)).toEqual([200, 429])
})

test('a token that calls in another group than its user’s is under the limits of that one', async () => {
  pair.gateway.set({
    ModelRequestRateLimitCount: 1,
    ModelRequestRateLimitGroup: { vip: [2, 0] },
    GroupRatio: { default: 1, vip: 1 },
    UserUsableGroups: { default: '', vip: '' },
  })
  pair.addChannelOf('chat', { groups: ['vip'] })
  const { full } = pair.gateway.addToken({ group: 'vip' })
  expect(await statuses(3, full)).toEqual([200, 200, 429])
})

test('a group that is called like what every object has is under the limits of all', async () => {
  pair.gateway.set({ ModelRequestRateLimitCount: 1, GroupRatio: { default: 1, constructor: 1 } })
  const user = pair.gateway.parts.users.create({
    username: 'bob',
    role: 1,
    quota: 1_000_000,
    group: 'constructor',
  })
  pair.addChannelOf('chat', { groups: ['constructor'] })
  const token = pair.gateway.addToken({ userId: user.id })
  expect(await statuses(2, token.full)).toEqual([200, 429])
})

test('calls that nothing limits are not remembered', async () => {
  pair.gateway.set({ ModelRequestRateLimitCount: 0 })
  expect(await statuses(3)).toEqual([200, 200, 200])
  pair.gateway.set({ ModelRequestRateLimitCount: 2 })
  expect(await statuses(3)).toEqual([200, 200, 429])
})

test('the option takes effect at once, both ways', async () => {
  pair.gateway.set({ ModelRequestRateLimitCount: 1 })
  expect(await statuses(2)).toEqual([200, 429])
  pair.gateway.set({ ModelRequestRateLimitEnabled: false })
  expect(await statuses(2)).toEqual([200, 200])
})

test('counting tokens is no request', async () => {
  pair.gateway.set({ ModelRequestRateLimitCount: 1 })
  await call()
  pair.upstream.script({ body: { input_tokens: 5 } })
  const counted = await pair.send('/v1/messages/count_tokens', {
    body: { model: 'messages-model', messages: [{ role: 'user', content: 'Hi' }] },
    headers: { 'anthropic-version': '2023-06-01' },
  })
  expect(counted.status).toBe(200)
})
