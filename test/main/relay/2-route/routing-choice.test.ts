import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'
import { refusal, type Stage, speaking, startStage } from './routing-stage.ts'

const broken = refusal(500, 'Broken.')
const limited = (seconds: number) =>
  refusal(429, 'Slow down.', { headers: { 'retry-after': String(seconds) } })
const keysOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `key-of-k${index}`).join('\n')

const times = async (count: number, run: () => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index++) await run()
}

describe('a channel with several keys', () => {
  test.each(['random', 'polling'] as const)(
    '%s: passes over the one that is limited',
    async (mode) => {
      const { add, call, asked, script } = await startStage()
      add('many', { key: keysOf(3), multiKeyMode: mode })
      script('k1', limited(300))
      while (!asked.includes('k1')) await call()
      asked.length = 0
      while (!asked.includes('k0') || !asked.includes('k2')) await call()
      await times(12, call)
      expect(asked).not.toContain('k1')
    },
  )

  test('is left alone when all its keys are limited, and the soonest end is told', async () => {
    const { add, call, asked, script } = await startStage()
    add('many', { key: keysOf(2), multiKeyMode: 'polling' })
    script('k0', limited(300))
    script('k1', limited(60))
    await times(2, call)
    const refused = await call()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(asked).toEqual(['k0', 'k1'])
  })

  test('a key that is refused is used last, not the channel', async () => {
    const { add, call, asked, script } = await startStage({ RetryTimes: 0 })
    add('many', { key: keysOf(2), multiKeyMode: 'polling' })
    script('k0', refusal(401, 'No such key.', { code: 'invalid_api_key' }))
    expect((await call()).status).toBe(502)
    await times(3, call)
    expect(asked).toEqual(['k0', 'k1', 'k1', 'k1'])
  })

  test.each([
    ['refused', refusal(401, 'No such key.', { code: 'invalid_api_key' })],
    ['limited', limited(300)],
  ])('a call whose key is %s goes on with another of the channel', async (_, failure) => {
    const { add, call, asked, script, routeOf } = await startStage()
    add('many', { key: keysOf(3), multiKeyMode: 'polling' })
    script('k0', failure)
    const answer = await call()
    expect([answer.status, asked]).toEqual([200, ['k0', 'k1']])
    expect(routeOf(answer).attempts).toMatchObject([{ key: 0 }, { key: 1, status: 200 }])
  })

  test('a call goes on with another key as often as it may with another channel', async () => {
    const { add, call, asked, always } = await startStage({ RetryTimes: 1 })
    add('many', { key: keysOf(4), multiKeyMode: 'polling' })
    for (const key of ['k0', 'k1', 'k2', 'k3']) always(key, limited(300))
    expect((await call()).status).toBe(429)
    expect(asked).toEqual(['k0', 'k1'])
  })

  test('where no key is to blame, the channel is not asked again', async () => {
    const { add, call, asked, script } = await startStage()
    add('many', { key: keysOf(2), multiKeyMode: 'polling' })
    script('k0', broken)
    expect((await call()).status).toBe(500)
    expect(asked).toEqual(['k0'])
  })

  test('that fails itself is still asked with no key that was refused', async () => {
    const { add, call, asked, script, always } = await startStage({ ChannelFailureCount: 1 })
    add('many', { key: keysOf(2), multiKeyMode: 'polling' })
    script('k0', refusal(401, 'No such key.', { code: 'invalid_api_key' }))
    always('k1', broken)
    await times(2, call)
    asked.length = 0
    await times(4, async () => expect((await call()).status).toBe(500))
    expect(asked).toEqual(['k1', 'k1', 'k1', 'k1'])
  })

  test('says in its note which key was tried', async () => {
    const { add, call, routeOf } = await startStage()
    add('many', { key: keysOf(2), multiKeyMode: 'polling' })
    await call()
    expect(routeOf(await call()).attempts).toMatchObject([{ key: 1, status: 200 }])
  })
})

describe('a channel that the key names', () => {
  async function pinnedStage(): Promise<{ stage: Stage; pinned: () => ReturnType<Stage['call']> }> {
    const stage = await startStage()
    const { id } = stage.add('named')
    stage.add('other', { priority: 9 })
    const authorization = `Bearer ${stage.pair.gateway.key}-${id}`
    return { stage, pinned: () => stage.call('chat', { headers: { authorization } }) }
  }

  test('is asked however it stands, and no other', async () => {
    const { stage, pinned } = await pinnedStage()
    stage.set({ ChannelFailureCount: 1 })
    stage.script('named', broken, broken)
    expect((await pinned()).status).toBe(500)
    expect((await pinned()).status).toBe(500)
    const answer = await pinned()
    expect(answer.status).toBe(200)
    expect(stage.asked).toEqual(['named', 'named', 'named'])
    expect(stage.routeOf(answer).candidates).toMatchObject([{ why: 'pinned', place: 1 }])
  })

  test('is waited for where that is short, and else asked at once', async () => {
    const { stage, pinned } = await pinnedStage()
    stage.script('named', limited(1), limited(300))
    await pinned()
    const waited = await pinned()
    expect(stage.routeOf(waited).attempts[0]?.waited).toBeGreaterThan(0)
    const begun = performance.now()
    expect((await pinned()).status).toBe(200)
    expect(performance.now() - begun).toBeLessThan(4000)
    expect(stage.asked).toEqual(['named', 'named', 'named'])
  })
})

test('channels that are set up wrongly, and were sent nothing, use up no tries', async () => {
  const { add, call, asked } = await startStage({ RetryTimes: 0 })
  for (const name of ['one', 'two', 'three'])
    add(name, { priority: 1, modelMapping: { 'model-a': 'b', b: 'model-a' } })
  add('good')
  expect((await call()).status).toBe(200)
  expect(asked).toEqual(['good'])
})

test('no other channel is tried when the call is older than its time', async () => {
  const { add, call, asked, routeOf, set } = await startStage({ RetryBudgetSeconds: 1 })
  add('slow', { priority: 1 }, { ...broken, delay: 1200 }, { ...broken, delay: 1200 })
  add('other')
  const refused = await call()
  expect([refused.status, asked]).toEqual([500, ['slow']])
  expect(routeOf(refused).attempts).toMatchObject([{ after: 'no_more_time' }])
  set({ RetryBudgetSeconds: 60 })
  expect((await call()).status).toBe(200)
})

test('among equals the more reliable one is drawn more often, where the owner wants that', async () => {
  const { add, call, asked, always, set } = await startStage({ ChannelFailureCount: 0 })
  add('good')
  add('bad')
  always('bad', broken)
  await times(40, call)
  set({ RouteByHealth: true })
  asked.length = 0
  await times(60, call)
  const bad = asked.filter((name) => name === 'bad').length
  // 6 of 66 are expected; more than 24 come once in a billion runs, none at all once in three hundred.
  expect(bad).toBeLessThan(24)
  // It keeps a share of a tenth, by which it can show that it answers again.
  asked.length = 0
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.95)
  onTestFinished(() => random.mockRestore())
  await call()
  expect(asked[0]).toBe('bad')
})

describe('what the log keeps of a choice', () => {
  test('candidates in their order, why one was left out, and each attempt', async () => {
    const { add, call, routeOf } = await startStage()
    const key = 'key-of-first'
    const busy = refusal(503, `Busy, says ${key}.`, { code: 'busy' })
    add('first', { priority: 2, weight: 5 }, { ...busy, delay: 60 })
    add('second', { ...speaking('messages'), priority: 1 })
    add('embeds', { settings: { endpoint_types: ['embeddings'] } })
    const before = Date.now()
    const { candidates, attempts, more } = routeOf(await call())
    expect(candidates).toEqual([
      { id: 1, name: 'first', priority: 2, weight: 5, native: true, place: 1 },
      { id: 2, name: 'second', priority: 1, weight: 0, place: 2 },
      { id: 3, name: 'embeds', priority: 0, weight: 0, why: 'format' },
    ])
    expect(more).toBeUndefined()
    expect(attempts).toMatchObject([
      { channel: 1, status: 503, code: 'busy', message: 'Busy, says ***.', after: 'next' },
      { channel: 2, status: 200 },
    ])
    const [first, second] = attempts.map(({ at, ms }) => ({ from: at, to: at + ms }))
    expect(first?.to).toBeGreaterThan(50)
    expect(second?.from).toBeGreaterThanOrEqual((first?.to ?? 0) - 2)
    expect(second?.to).toBeLessThanOrEqual(Date.now() - before + 50)
    expect(attempts[1]).not.toHaveProperty('after')
  })

  test('of thousands twenty, and how many more there were', async () => {
    const { call, routeOf, pair } = await startStage()
    const fields = { type: 1, baseUrl: pair.upstream.url, models: ['model-a'], groups: ['default'] }
    pair.gateway.parts.channels.createMany(
      Array.from({ length: 3000 }, (_, index) => ({
        ...fields,
        name: `c${index}`,
        key: 'some-key',
      })),
    )
    const { candidates, more } = routeOf(await call())
    expect([candidates.length, more]).toEqual([20, 2980])
    expect(candidates.map(({ place }) => place)).toEqual([...Array(20).keys()].map((at) => at + 1))
  })

  test('why the attempt of a client that left was the last', async () => {
    const { add, call, asked, pair, routeOf } = await startStage()
    add('only', {}, { ending: 'hang-before-headers' })
    const leaving = new AbortController()
    const waiting = call('chat', { signal: leaving.signal })
    while (asked.length === 0) await sleep(5)
    leaving.abort()
    await expect(waiting).rejects.toThrow()
    const [row] = await pair.gateway.rowsWhen(1)
    expect(routeOf({ id: row?.requestId } as never).attempts).toMatchObject([
      { code: 'client_gone', after: 'client_gone' },
    ])
  })

  test('channels of other groups, where none may serve', async () => {
    const { add, call, routeOf } = await startStage()
    add('vip', { groups: ['vip'] })
    const refused = await call()
    expect(refused.status).toBe(503)
    expect(routeOf(refused)).toMatchObject({ candidates: [{ name: 'vip', why: 'not_in_group' }] })
  })
})

describe('when all have failed the client is told', () => {
  test.each([
    [
      'what may pass rather than what only its owner can mend',
      [broken, refusal(401, 'Bad key.')],
      500,
    ],
    ['what says when to try again', [limited(7), broken], 429],
    ['what is final, whatever came before', [limited(7), refusal(400, 'Too long.')], 400],
    ['else the last', [broken, refusal(503, 'Busy.')], 503],
  ])('%s', async (_, replies, status) => {
    const { add, call, pair } = await startStage()
    replies.forEach((reply, index) => {
      add(`c${index}`, { priority: -index }, reply)
    })
    const refused = await call()
    expect(refused.status).toBe(status)
    const [row] = pair.rowsOf(refused)
    const told = replies.findIndex((reply) => reply.status === status)
    expect(row).toMatchObject({ type: 5, status, channelName: `c${told}` })
  })
})

test('a channel that is disabled while another one is asked is passed over', async () => {
  const stage = await startStage()
  stage.add('a', { priority: 2 })
  const { id } = stage.add('b', { priority: 1 })
  stage.add('c')
  let fail = (_reply: Reply) => {}
  const failing = new Promise<Reply>((resolve) => {
    fail = resolve
  })
  stage.script('a', failing)
  const answer = stage.call()
  await expect.poll(() => stage.asked).toEqual(['a'])
  stage.pair.gateway.parts.channels.update(id, { status: 2 })
  fail(refusal(500, 'Broken.'))
  expect((await answer).status).toBe(200)
  expect(stage.asked).toEqual(['a', 'c'])
})
