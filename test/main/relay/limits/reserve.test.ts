import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { priceOf } from '../../../../main/relay/pricing/model-price.ts'
import { type Pair, startPair, type Whole } from '../../../support/gateway/pair.ts'

let pair: Pair

const USD = 500_000
const answer = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 100 } }
const call = (key: string, fields: object = {}, model = 'chat-model') =>
  pair.send('/v1/chat/completions', {
    body: { model, messages: [{ role: 'user', content: 'Hi' }], ...fields },
    headers: { authorization: `Bearer ${key}` },
  })
const codeOf = (one: Whole) => one.json<{ error: { code: string } }>().error.code
const wordsOf = (one: Whole) => one.json<{ error: { message: string } }>().error.message
const { parse } = JSON
/** The upstream answers once this resolves. */
let gate: Promise<void> = Promise.resolve()

/** Makes `count` calls at once; none is answered before the gateway has decided on all of them. */
async function atOnce(count: number, allowed: number, make: (index: number) => Promise<Whole>) {
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  let refused = 0
  const calls = Array.from({ length: count }, async (_, index) => {
    const one = await make(index)
    if (one.status !== 200 && ++refused === count - allowed) open()
    return one
  })
  return Promise.all(calls)
}

beforeEach(async () => {
  gate = Promise.resolve()
  pair = await startPair({ handler: () => gate.then(() => ({ body: answer })) })
  pair.gateway.set({ ModelRatio: { 'chat-model': 1 }, PreConsumedQuota: 0 })
})
afterEach(() => pair.close())

const held = () => {
  const { reservations, users } = pair.gateway.parts
  const tokens = pair.gateway.parts.tokens.all().map(({ id }) => reservations.ofToken(id))
  return [...tokens, ...users.all().map(({ id }) => reservations.ofUser(id))].filter(Boolean)
}

describe('a token with a quota', () => {
  test('is not overdrawn by fifty calls at once', async () => {
    const token = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: 2050 })
    // Each may cost 20 for its prompt and 180 for its answer, and costs 200.
    const calls = await atOnce(50, 10, () => call(token.full, { max_tokens: 180 }))
    const good = calls.filter(({ status }) => status === 200)
    expect(good).toHaveLength(10)
    expect(pair.upstream.requests).toHaveLength(10)
    expect(pair.gateway.parts.ledger.totals('token', token.id).quota).toBe(2000)
    const refused = calls.filter(({ status }) => status === 403)
    expect(refused).toHaveLength(40)
    expect(new Set(refused.map(codeOf))).toEqual(new Set(['pre_consume_token_quota_failed']))
    expect(held()).toEqual([])
  })

  test('is overdrawn by one call at most when none of fifty says how long its answer may be', async () => {
    const token = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: 150 })
    const calls = await atOnce(50, 1, () => call(token.full))
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(pair.upstream.requests).toHaveLength(1)
    expect(pair.gateway.parts.ledger.totals('token', token.id).quota).toBe(200)
    expect(held()).toEqual([])
  })

  test('is held to what the dearest group costs that its call may cross to', async () => {
    const { channels } = pair.gateway.parts
    pair.gateway.set({
      GroupRatio: { default: 1, none: 99, cheap: 1, dear: 50 },
      UserUsableGroups: { none: '', cheap: '', dear: '' },
      AutoGroups: ['none', 'cheap', 'dear'],
    })
    for (const group of ['cheap', 'dear']) {
      pair.addChannelOf('chat', { groups: [group], name: group })
    }
    channels.update(channels.all()[0]?.id ?? 0, { status: 2 })
    const limits = { group: 'auto', unlimitedQuota: false, grantedQuota: 1000 }
    const staying = pair.gateway.addToken(limits)
    expect((await call(staying.full, { max_tokens: 500 })).status).toBe(200)
    const crossing = pair.gateway.addToken({ ...limits, crossGroupRetry: true })
    const refused = await call(crossing.full, { max_tokens: 500 })
    expect(codeOf(refused)).toBe('pre_consume_token_quota_failed')
  })

  test('is held to its vendor’s peak price at peak hours', async () => {
    pair.addChannelOf('chat', { models: ['deepseek-flash'] })
    const ask = (key: string) => call(key, { max_tokens: 1_000_000 }, 'deepseek-flash')
    const tokens = priceOf('deepseek-flash', pair.gateway.parts.settings.current)?.tokens
    const grantedQuota = Math.round((tokens?.output ?? 0) * 1.5 * USD)
    const token = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota })
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T03:30:00Z'))
    expect((await ask(token.full)).status).toBe(403)
    clock.mockReturnValue(Date.parse('2026-11-20T04:30:00Z'))
    expect((await ask(token.full)).status).toBe(200)
    clock.mockRestore()
  })

  test('is held to the price of the service tier that it asks for', async () => {
    pair.addChannelOf('chat', { models: ['gpt-5.5'] })
    const ask = (key: string, tier: string) =>
      call(key, { max_tokens: 100_000, service_tier: tier }, 'gpt-5.5')
    const tokens = priceOf('gpt-5.5', pair.gateway.parts.settings.current)?.tokens
    const grantedQuota = Math.round(((tokens?.output ?? 0) / 10) * 1.5 * USD)
    const token = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota })
    expect((await ask(token.full, 'fast')).status).toBe(403)
    expect((await ask(token.full, 'flex')).status).toBe(200)
  })

  test('refuses a call whose answer may cost more than is left, before it is sent', async () => {
    const token = pair.gateway.addToken({
      name: 'laptop',
      unlimitedQuota: false,
      grantedQuota: 1000,
    })
    pair.gateway.set({ CompletionRatio: { 'chat-model': 4 } })
    const refused = await call(token.full, { max_tokens: 250 })
    expect(refused.status).toBe(403)
    expect(wordsOf(refused)).toMatch(/"laptop" has \$0\.002 left .* may cost \$0\.002\d/)
    expect(refused.headers['x-should-retry']).toBe('false')
    expect(pair.upstream.requests).toHaveLength(0)
    expect((await call(token.full, { max_tokens: 200 })).status).toBe(200)
  })

  test('gets back what was held when the call fails', async () => {
    pair.gateway.set({ RetryTimes: 0 })
    const token = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: 1000 })
    for (const status of [500, 400, 429]) {
      pair.upstream.script({ status, body: { error: { message: 'No.' } } })
      expect((await call(token.full, { max_tokens: 900 })).status).toBe(status)
    }
    pair.upstream.script({ ending: 'reset-before-headers' })
    expect((await call(token.full, { max_tokens: 900 })).status).toBe(502)
    expect(held()).toEqual([])
    expect((await call(token.full, { max_tokens: 900 })).status).toBe(200)
  })

  test('gets it back when the client leaves', async () => {
    const token = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: 1000 })
    pair.upstream.script({ ending: 'hang-before-headers' })
    const leaving = new AbortController()
    const gone = pair.send('/v1/chat/completions', {
      body: { model: 'chat-model', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 900 },
      headers: { authorization: `Bearer ${token.full}` },
      signal: leaving.signal,
    })
    await expect.poll(held).not.toEqual([])
    leaving.abort()
    await expect(gone).rejects.toThrow()
    await expect.poll(held).toEqual([])
  })

  test('that has more than ten dollars may ask for an answer that could cost more', async () => {
    const token = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: 11 * USD })
    expect((await call(token.full, { max_tokens: 12 * USD })).status).toBe(200)
    // But not twice at once: what is held for the first is all there is.
    const both = await Promise.all([1, 2].map(() => call(token.full, { max_tokens: 12 * USD })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    const refused = both.find(({ status }) => status === 403)
    expect(refused && wordsOf(refused)).toContain('has $0.00 left')
  })

  test('holds the price of a call for each picture, and nothing for a model without a price', async () => {
    pair.gateway.set({ ModelRatio: {}, ModelPrice: { 'chat-model': 0.01 } })
    const token = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: 4999 })
    expect((await call(token.full)).status).toBe(403)
    pair.gateway.set({ ModelPrice: {} })
    expect((await call(token.full, { max_tokens: 1_000_000 })).status).toBe(200)
  })

  test('holds PreConsumedQuota tokens at least', async () => {
    pair.gateway.set({ PreConsumedQuota: 500 })
    const keys = [499, 500].map(
      (grantedQuota) => pair.gateway.addToken({ unlimitedQuota: false, grantedQuota }).full,
    )
    const calls = await Promise.all(keys.map((key) => call(key)))
    expect(calls.map(({ status }) => status)).toEqual([403, 200])
  })

  test('may count tokens for nothing', async () => {
    pair.gateway.set({ ModelRatio: { 'messages-model': 100 }, PreConsumedQuota: 500 })
    const token = pair.gateway.addToken({ unlimitedQuota: false, grantedQuota: 1 })
    pair.upstream.script({ body: { input_tokens: 5 } })
    const counted = await pair.send('/v1/messages/count_tokens', {
      body: { model: 'messages-model', messages: [{ role: 'user', content: 'Hi' }] },
      headers: { authorization: `Bearer ${token.full}`, 'anthropic-version': '2023-06-01' },
    })
    expect(counted.status).toBe(200)
  })
})

describe.each([true, false])('a user, in self-use mode %s,', (SelfUseModeEnabled) => {
  test('is not overdrawn by calls of several tokens at once', async () => {
    pair.gateway.set({ SelfUseModeEnabled })
    const user = pair.gateway.parts.users.create({ username: 'bob', role: 1, quota: 1040 })
    const keys = [1, 2].map(() => pair.gateway.addToken({ userId: user.id }).full)
    const calls = await atOnce(20, 5, (index) => call(keys[index % 2] ?? '', { max_tokens: 180 }))
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(5)
    const refused = calls.find(({ status }) => status === 403)
    expect(refused && codeOf(refused)).toBe('insufficient_quota')
    expect(refused && wordsOf(refused)).toContain('"bob" has')
    expect(held()).toEqual([])
  })
})

describe('where the gateway serves more than its owner', () => {
  beforeEach(() => pair.gateway.set({ SelfUseModeEnabled: false }))

  test('a model without a price is refused before it is sent, and not listed', async () => {
    const user = pair.gateway.parts.users.create({ username: 'bob', role: 1, quota: 1000 })
    const token = pair.gateway.addToken({ userId: user.id })
    pair.gateway.set({ ModelRatio: {} })
    const refused = await call(token.full)
    expect(refused.status).toBe(400)
    expect(codeOf(refused)).toBe('model_price_error')
    expect(wordsOf(refused)).toMatch(/"chat-model" has no price here\. The owner can/)
    expect(pair.upstream.requests).toHaveLength(0)
    const list = () =>
      pair.send('/v1/models', {
        method: 'GET',
        headers: { authorization: `Bearer ${token.full}` },
      })
    expect((await list()).json()).toMatchObject({ data: [] })
    pair.gateway.set({ ModelRatio: { 'chat-model': 1 } })
    expect((await list()).json()).toMatchObject({ data: [{ id: 'chat-model' }] })
  })

  test('a user who has allowed themselves models without a price pays the ratio for them', async () => {
    const setting = JSON.stringify({ accept_unset_model_ratio_model: true })
    const user = pair.gateway.parts.users.create({ username: 'bob', role: 1, quota: USD, setting })
    pair.gateway.set({ ModelRatio: {} })
    const served = await call(pair.gateway.addToken({ userId: user.id }).full)
    expect(served.status).toBe(200)
    const [row] = pair.rowsOf(served)
    expect(row).toMatchObject({ quota: 200 * 37.5, isUnpriced: false })
    expect(parse(row?.other ?? '')).toMatchObject({ price_source: 'unset', model_ratio: 37.5 })
  })
})

describe('an answer whose vendor tells no usage', () => {
  const message = { role: 'assistant', content: 'word '.repeat(400) }
  const untold = { choices: [{ index: 0, message, finish_reason: 'stop' }] }
  const chunk = { choices: [{ index: 0, delta: { content: 'word '.repeat(400) } }] }

  test('costs the price of a call where there is one', async () => {
    pair.gateway.set({ ModelPrice: { 'chat-model': 0.05 } })
    pair.upstream.script({ body: untold })
    expect(pair.rowsOf(await call(pair.gateway.key))[0]?.quota).toBe(USD / 20)
    pair.upstream.script({ status: 400, body: { error: { message: 'No.' } } })
    expect(pair.rowsOf(await call(pair.gateway.key))[0]).toMatchObject({
      ...{ quota: 0, isUnpriced: false },
    })
  })

  test.each([false, true])('is counted from its words, streamed: %s', async (stream) => {
    const chunks = [`data: ${JSON.stringify(chunk)}\n\n`, 'data: [DONE]\n\n']
    pair.upstream.script(stream ? { chunks } : { body: untold })
    const [row] = pair.rowsOf(await call(pair.gateway.key, { stream }))
    expect(row?.completionTokens).toBeGreaterThan(300)
    expect(row?.quota).toBe((row?.promptTokens ?? 0) + (row?.completionTokens ?? 0))
    expect(parse(row?.other ?? '')).toMatchObject({ estimated: true })
  })

  test('is counted of what was embedded, words or tokens', async () => {
    pair.gateway.set({ ModelRatio: { embedder: 1 } })
    pair.addChannelOf('chat', { models: ['embedder'] })
    for (const input of [['word word word'], [[1, 2, 3, 4]]]) {
      pair.upstream.script({ body: { data: [{ embedding: [0.5], index: 0 }] } })
      const made = await pair.send('/v1/embeddings', { body: { model: 'embedder', input } })
      expect(pair.rowsOf(made)[0]).toMatchObject({ quota: 4, promptTokens: 4 })
    }
  })

  test('is unknown where words say nothing of it, and not free', async () => {
    pair.gateway.set({ ModelRatio: { ranked: 1 } })
    pair.addChannelOf('chat', { models: ['ranked'] })
    pair.upstream.script({ body: { results: [{ index: 0, relevance_score: 1 }] } })
    const ranked = await pair.send('/v1/rerank', {
      body: { model: 'ranked', query: 'a', documents: ['a'] },
    })
    const [row] = pair.rowsOf(ranked)
    expect(row).toMatchObject({ status: 200, quota: 0, isUnpriced: true })
    expect(parse(row?.other ?? '')).toMatchObject({ usage_unknown: true })
  })
})

test('a model that is called like what every object has costs no more than any other', async () => {
  pair.addChannelOf('chat', { models: ['constructor'] })
  const [row] = pair.rowsOf(await call(pair.gateway.key, {}, 'constructor'))
  expect(row).toMatchObject({ quota: 0, isUnpriced: true })
})

test('a row keeps the ratios of its time when prices change', async () => {
  pair.gateway.set({ CompletionRatio: { 'chat-model': 4 } })
  const first = await call(pair.gateway.key)
  pair.gateway.set({ ModelRatio: { 'chat-model': 9 }, GroupRatio: { default: 3 } })
  const [row] = pair.rowsOf(first)
  expect(row?.quota).toBe(500)
  expect(parse(row?.other ?? '')).toMatchObject({
    ...{ model_ratio: 1, completion_ratio: 4, group_ratio: 1, user_group_ratio: -1 },
    ...{ model_price: -1, price_source: 'own' },
  })
  expect(pair.rowsOf(await call(pair.gateway.key))[0]?.quota).toBe(500 * 27)
})
