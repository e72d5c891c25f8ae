import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChannelFields } from '../../../../main/store/records/channels.ts'
import { type Pair, startPair, type Whole } from '../../../support/gateway/pair.ts'

let pair: Pair

const answer = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }
const broken = (status = 500) => ({
  status,
  body: { error: { message: `Broken with ${status}.` } },
})
const call = (model = 'chat-model', path = '/v1/chat/completions') =>
  pair.send(path, {
    body: { model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1, contents: [{}] },
    headers: { 'anthropic-version': '1' },
  })
const add = (name: string, fields: Partial<ChannelFields> = {}) =>
  pair.addChannelOf('chat', { name, key: `key-of-${name}`, ...fields })
/** The names of the channels that the vendor was called by, in order. */
const calledBy = () =>
  pair.upstream.requests.map(({ headers }) =>
    String(headers.authorization).replace('Bearer key-of-', ''),
  )
const triedBy = (one: Whole): number[] =>
  JSON.parse(pair.rowsOf(one)[0]?.other ?? '').admin_info.use_channel.map(Number)

beforeEach(async () => {
  pair = await startPair({ empty: true, handler: () => ({ body: answer }) })
})
afterEach(() => pair.close())

describe('a model that nobody serves', () => {
  test('unknown: 404 that names it', async () => {
    add('one')
    const refused = await call('nothing')
    expect(refused.status).toBe(404)
    expect(refused.json()).toMatchObject({
      error: {
        code: 'model_not_found',
        param: 'model',
        message: expect.stringContaining('"nothing"'),
      },
    })
    expect(pair.rowsOf(refused)).toMatchObject([
      { type: 5, status: 404, model: 'nothing', channelId: 0 },
    ])
  })

  test('known, but its channels are disabled or in another group: 503 that is not retried', async () => {
    add('off', { status: 2 })
    add('elsewhere', { groups: ['vip'] })
    const refused = await call()
    expect(refused.status).toBe(503)
    expect(refused.text).toContain('No enabled channel')
    expect(refused.headers['x-should-retry']).toBe('false')
  })

  test('in any wire format for conversations: 400 that says which channel it is', async () => {
    add('only-embeds', { settings: { endpoint_types: ['embeddings'] } })
    const refused = await call('chat-model', '/v1/messages')
    expect(refused.status).toBe(400)
    expect(refused.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error' },
    })
    expect(refused.text).toContain('only-embeds')
    expect(refused.text).toContain('endpoint types')
  })

  test('in the shape of each family', async () => {
    expect((await call('nothing', '/v1/messages')).json()).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error' },
    })
    expect((await call('nothing', '/v1beta/models/nothing:generateContent')).json()).toMatchObject({
      error: { code: 404, status: 'NOT_FOUND' },
    })
  })
})

describe('which channel is taken', () => {
  test('the highest priority first, then the next, and none twice', async () => {
    add('low', { priority: -1, weight: 1000 })
    add('middle-a', { priority: 5 })
    add('high', { priority: 10 })
    add('middle-b', { priority: 5 })
    pair.gateway.set({ RetryTimes: 10 })
    pair.upstream.script(broken(), broken(), broken(), broken())
    const refused = await call()
    const names = calledBy()
    expect(names).toHaveLength(4)
    expect(names[0]).toBe('high')
    expect(names.slice(1, 3).sort()).toEqual(['middle-a', 'middle-b'])
    expect(names[3]).toBe('low')
    expect(new Set(triedBy(refused)).size).toBe(4)
  })

  test('by weight within one priority', async () => {
    add('light', { weight: 10 })
    add('heavy', { weight: 90 })
    add('never', { weight: 0 })
    for (let times = 0; times < 20; times++)
      await Promise.all(Array.from({ length: 20 }, () => call()))
    const light = calledBy().filter((name) => name === 'light').length
    // 40 are expected of 400; fewer than 12 or more than 80 come once in millions of runs.
    expect(light).toBeGreaterThan(12)
    expect(light).toBeLessThan(80)
    expect(calledBy()).not.toContain('never')
  })

  test('in equal shares where no weight is set', async () => {
    for (const name of ['a', 'b']) add(name)
    for (let times = 0; times < 10; times++)
      await Promise.all(Array.from({ length: 20 }, () => call()))
    const share = calledBy().filter((name) => name === 'a').length
    expect(share).toBeGreaterThan(60)
    expect(share).toBeLessThan(140)
  })

  test('of the token’s group', async () => {
    add('everyone')
    add('vip', { groups: ['vip'] })
    pair.gateway.set({
      GroupRatio: { default: 1, vip: 1 },
      UserUsableGroups: { default: 'Default', vip: 'Important people' },
    })
    const token = pair.gateway.addToken({ group: 'vip' })
    const served = await pair.send('/v1/chat/completions', {
      body: { model: 'chat-model', messages: [{}] },
      headers: { authorization: `Bearer ${token.full}` },
    })
    expect(served.status).toBe(200)
    expect(calledBy()).toEqual(['vip'])
  })
})

describe('another channel is tried', () => {
  beforeEach(() => {
    add('first', { priority: 2 })
    add('second', { priority: 1 })
  })

  test.each([401, 402, 403, 404, 409, 413, 422, 429, 500, 501, 503, 529])(
    'after %i, and the client sees nothing of it',
    async (status) => {
      pair.upstream.script(broken(status))
      const served = await call()
      expect(served.status).toBe(200)
      expect(served.json()).toEqual(answer)
      expect(calledBy()).toEqual(['first', 'second'])
      expect(pair.rowsOf(served)).toMatchObject([{ status: 200, channelName: 'second' }])
      expect(pair.upstream.requests[1]?.body).toEqual(pair.upstream.requests[0]?.body)
    },
  )

  test.each([400, 408])('not after %i', async (status) => {
    pair.upstream.script(broken(status))
    const refused = await call()
    expect(refused.status).toBe(status)
    expect(refused.text).toContain(`Broken with ${status}.`)
    expect(calledBy()).toEqual(['first'])
  })

  test.each([504, 524])('after %i, unless the owner wants no second try of it', async (status) => {
    pair.upstream.script(broken(status))
    expect((await call()).status).toBe(200)
    pair.gateway.set({ RetryOnTimeout: false })
    pair.upstream.script(broken(status))
    expect((await call()).status).toBe(status)
  })

  test('only after the statuses that the owner lists', async () => {
    pair.gateway.set({ AutomaticRetryStatusCodes: '429,500-502' })
    pair.upstream.script(broken(503))
    expect((await call()).status).toBe(503)
    pair.upstream.script(broken(502))
    expect((await call()).status).toBe(200)
  })

  test('never for a body that the vendor finds fault with, whatever is listed', async () => {
    pair.gateway.set({ AutomaticRetryStatusCodes: '400-599' })
    pair.upstream.script(broken(400))
    expect((await call()).status).toBe(400)
    expect(calledBy()).toEqual(['first'])
  })

  test('not with RetryTimes 0', async () => {
    pair.gateway.set({ RetryTimes: 0 })
    pair.upstream.script(broken())
    expect((await call()).status).toBe(500)
    expect(calledBy()).toEqual(['first'])
  })

  test('after a connection that breaks before its answer', async () => {
    pair.upstream.script({ ending: 'reset-before-headers' })
    expect((await call()).status).toBe(200)
    expect(calledBy()).toEqual(['first', 'second'])
  })

  test('after a channel whose own settings are wrong', async () => {
    add('unknown-type', { type: 12_345, priority: 9 })
    add('circle', { priority: 8, modelMapping: { 'chat-model': 'a', a: 'chat-model' } })
    expect((await call()).status).toBe(200)
    expect(calledBy()).toEqual(['first'])
  })

  test('and when all fail the client reads the last vendor’s own words', async () => {
    const last = '{"error": {"message":"Second is tired.","code":"tired"} }'
    pair.upstream.script(broken(), { status: 503, body: last, headers: { 'retry-after': '7' } })
    const refused = await call()
    expect([refused.status, refused.text]).toEqual([503, last])
    expect(refused.headers['retry-after']).toBe('7')
    expect(pair.rowsOf(refused)).toMatchObject([
      { status: 503, channelName: 'second', content: 'Second is tired.', type: 5 },
    ])
    expect(triedBy(refused)).toEqual([1, 2])
  })
})
