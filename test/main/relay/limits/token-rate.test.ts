import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair
let usage = { prompt_tokens: 400, completion_tokens: 100 }
/** The vendor's answers wait for it. */
let answering: Promise<void> | null = null

const call = (key: string, fields: object = {}) =>
  pair.send('/v1/chat/completions', {
    body: {
      model: 'chat-model',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
      ...fields,
    },
    headers: { authorization: `Bearer ${key}` },
  })
const claude = (key: string) =>
  pair.send('/v1/messages', {
    body: { model: 'chat-model', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] },
    headers: { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' },
  })
/** Lets so many milliseconds pass. */
function later(milliseconds: number) {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds)
}

beforeEach(async () => {
  usage = { prompt_tokens: 400, completion_tokens: 100 }
  answering = null
  pair = await startPair({
    handler: async () => {
      await answering
      return {
        headers: { 'x-ratelimit-remaining-requests': '9999' },
        body: { id: 'a', choices: [{ index: 0, message: { content: 'Ho' } }], usage },
      }
    },
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await pair.close()
})

test('a token is refused beyond its requests a minute, told exactly when to come back, and served then', async () => {
  const { full } = pair.gateway.addToken({ name: 'ada', requestsPerMinute: 2 })
  expect((await call(full)).status).toBe(200)
  expect((await call(full)).status).toBe(200)
  const refused = await call(full)
  expect(refused.status).toBe(429)
  expect(refused.headers['x-should-retry']).toBe('true')
  const seconds = Number(refused.headers['retry-after'])
  expect(seconds).toBeGreaterThan(50)
  expect(seconds).toBeLessThanOrEqual(60)
  // Codex waits as long as these very words say.
  expect(refused.json<{ error: object }>().error).toMatchObject({
    code: 'rate_limit_exceeded',
    message: expect.stringMatching(/"ada".*2 requests.*try again in (?:5\d(?:\.\d+)?|60) ?s/i),
  })
  expect(pair.upstream.requests).toHaveLength(2)
  // Another token of the same user has its own.
  expect((await call(pair.gateway.key)).status).toBe(200)
  later(60_001)
  expect((await call(full)).status).toBe(200)
})

test('requests slide: one that is a minute old makes room for one', async () => {
  const { full } = pair.gateway.addToken({ requestsPerMinute: 2 })
  await call(full)
  later(30_000)
  await call(full)
  expect((await call(full)).status).toBe(429)
  vi.restoreAllMocks()
  later(60_500)
  expect((await call(full)).status).toBe(200)
  expect((await call(full)).status).toBe(429)
})

test('what the vendor reported counts against the tokens of a minute, read and written', async () => {
  const { full } = pair.gateway.addToken({ tokensPerMinute: 1200 })
  expect((await call(full)).status).toBe(200)
  expect((await call(full)).status).toBe(200)
  const refused = await call(full, { max_tokens: 300 })
  expect(refused.status).toBe(429)
  expect(refused.json()).toMatchObject({
    error: { message: expect.stringContaining('1200 tokens') },
  })
  // A short answer still has room.
  expect((await call(full, { max_tokens: 10 })).status).toBe(200)
  later(60_001)
  expect((await call(full, { max_tokens: 300 })).status).toBe(200)
})

test('calls under way count with what they may take, so that many at once are no way around', async () => {
  const { full } = pair.gateway.addToken({ tokensPerMinute: 1000 })
  let answer = () => {}
  answering = new Promise((resolve) => {
    answer = resolve
  })
  const first = call(full, { max_tokens: 900 })
  while (pair.upstream.requests.length === 0) await new Promise((done) => setTimeout(done, 5))
  const refused = await call(full, { max_tokens: 900 })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  answer()
  expect((await first).status).toBe(200)
  // It took 500 in truth.
  expect((await call(full, { max_tokens: 100 })).status).toBe(200)
})

test('a call that allows its answer very much is taken to want a common length', async () => {
  const { full } = pair.gateway.addToken({ tokensPerMinute: 10_000 })
  expect((await call(full, { max_tokens: 64_000 })).status).toBe(200)
  expect((await call(full, { max_tokens: 64_000 })).status).toBe(200)
})

test('a call that alone is larger than the limit is let in when nothing else counts', async () => {
  const { full } = pair.gateway.addToken({ tokensPerMinute: 50 })
  expect((await call(full)).status).toBe(200)
  expect((await call(full)).status).toBe(429)
})

test('a call that failed has used no tokens, but was a request', async () => {
  const { full } = pair.gateway.addToken({ tokensPerMinute: 150, requestsPerMinute: 2 })
  pair.upstream.script({ status: 400, body: { error: { message: 'Broken.' } } })
  expect((await call(full)).status).toBe(400)
  expect((await call(full)).status).toBe(200)
  expect((await call(full)).status).toBe(429)
})

test.each([
  ['its model', 'other-model', 1_000_000],
  ['an empty balance', 'chat-model', 0],
])('a call refused for %s has used no tokens', async (_, model, quota) => {
  const { users } = pair.gateway.parts
  const { id: userId } = users.create({ username: 'bob', role: 1, quota })
  const limits = { modelLimitsEnabled: true, modelLimits: ['chat-model'] }
  const { full } = pair.gateway.addToken({ userId, tokensPerMinute: 1000, ...limits })
  expect((await call(full, { model, max_tokens: 900 })).status).toBe(403)
  users.update(userId, { quota: 1_000_000 })
  expect((await call(full, { max_tokens: 900 })).status).toBe(200)
})

test('clients read what is left of a limit where they read a vendor’s', async () => {
  const { full } = pair.gateway.addToken({ requestsPerMinute: 10, tokensPerMinute: 10_000 })
  const openai = await call(full)
  expect(openai.headers).toMatchObject({
    'x-ratelimit-limit-requests': '10',
    'x-ratelimit-remaining-requests': '9',
    'x-ratelimit-reset-requests': expect.stringMatching(/^(1m0s|59\.\d+s|\d+s)$/),
    'x-ratelimit-limit-tokens': '10000',
    'x-ratelimit-remaining-tokens': '9500',
  })
  const { headers } = await claude(full)
  expect(headers).toMatchObject({
    'anthropic-ratelimit-requests-limit': '10',
    'anthropic-ratelimit-requests-remaining': '8',
    'anthropic-ratelimit-tokens-remaining': '9000',
  })
  const reset = Date.parse(String(headers['anthropic-ratelimit-requests-reset']))
  expect(reset - Date.now()).toBeGreaterThan(50_000)
  expect(reset - Date.now()).toBeLessThanOrEqual(60_000)
  // Who has no limits sees the vendor's own.
  const free = await call(pair.gateway.key)
  expect(free.headers['x-ratelimit-remaining-requests']).toBe('9999')
  expect(free.headers['x-ratelimit-limit-tokens']).toBeUndefined()
})

test('clients never read that less than nothing is left', async () => {
  const { full } = pair.gateway.addToken({ tokensPerMinute: 300 })
  // Taken to use some 100 tokens, it uses 500.
  expect((await call(full)).headers['x-ratelimit-remaining-tokens']).toBe('0')
})

test('counting tokens is no request', async () => {
  const { full } = pair.gateway.addToken({ requestsPerMinute: 1 })
  pair.upstream.script({ body: { input_tokens: 5 } })
  const counted = await pair.send('/v1/messages/count_tokens', {
    body: { model: 'messages-model', messages: [{ role: 'user', content: 'Hi' }] },
    headers: { authorization: `Bearer ${full}`, 'anthropic-version': '2023-06-01' },
  })
  expect(counted.status).toBe(200)
  expect((await call(full)).status).toBe(200)
})
