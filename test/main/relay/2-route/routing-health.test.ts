import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'
import { smallStreams } from '../../../support/upstreams/small-streams.ts'
import { goodAnswer, goodStream, refusal, type Stage, startStage } from './routing-stage.ts'

const broken = refusal(500, 'Broken.')
/** Cools down at once, for one second. */
const SOON = { ChannelFailureCount: 1, ChannelCooldownSeconds: 1, ChannelCooldownMaxSeconds: 1 }
const LONG = { ChannelFailureCount: 1, ChannelCooldownSeconds: 600 }

const calls = (stage: Stage, count: number) =>
  Promise.all(Array.from({ length: count }, () => stage.call()))

describe('a channel that has failed', () => {
  test('three times in a row is asked last, even after lower tiers', async () => {
    const { add, call, asked } = await startStage({ RetryTimes: 5 })
    add('high', { priority: 9 }, broken, broken, broken)
    add('low', { priority: -1 })
    for (let times = 0; times < 5; times++) expect((await call()).status).toBe(200)
    expect(asked).toEqual(['high', 'low', 'high', 'low', 'high', 'low', 'low', 'low'])
  })

  test('and is the only one is never silently refused', async () => {
    const { add, call, asked, routeOf } = await startStage(LONG)
    add('only', {}, broken, broken)
    expect((await call()).status).toBe(500)
    const second = await call()
    expect(second.status).toBe(500)
    expect(routeOf(second).candidates).toMatchObject([{ why: 'open', reason: 'Broken.', place: 1 }])
    expect((await call()).status).toBe(200)
    expect(asked).toHaveLength(3)
  })

  test('is asked as a last resort, of several that first which is open again soonest', async () => {
    const { add, call, asked, always, set } = await startStage({ ...LONG, RetryTimes: 5 })
    add('later', { priority: 3 })
    add('sooner', { priority: 2 })
    add('open', { priority: 1 })
    always('later', broken)
    await call()
    set({ ChannelCooldownSeconds: 60 })
    always('sooner', broken)
    await call()
    always('open', broken)
    asked.length = 0
    await call()
    expect(asked).toEqual(['open', 'sooner', 'later'])
  })

  test('by the client’s own fault stays as it is', async () => {
    const { add, call, asked, routeOf } = await startStage(LONG)
    const bad = refusal(400, 'max_tokens is wrong.')
    add('first', { priority: 1 }, bad, refusal(422, 'Unprocessable.'), refusal(413, 'Too large.'))
    add('second')
    for (let times = 0; times < 4; times++) await call()
    expect(asked.filter((name) => name === 'first')).toHaveLength(4)
    expect(routeOf(await call()).candidates[0]).toMatchObject({ name: 'first', place: 1 })
  })

  test('because the client left stays as it is', async () => {
    const { add, call, asked, pair } = await startStage(LONG)
    add('first', { priority: 1 }, { ending: 'hang-before-headers' })
    add('second')
    const leaving = new AbortController()
    const waiting = call('chat', { signal: leaving.signal })
    while (asked.length === 0) await sleep(5)
    leaving.abort()
    await expect(waiting).rejects.toThrow()
    await pair.gateway.rowsWhen(1)
    await call()
    expect(asked).toEqual(['first', 'first'])
  })
})

describe('when its cooldown is over', () => {
  test('exactly one of twenty calls tries it, the others are served elsewhere', async () => {
    const stage = await startStage(SOON)
    stage.add('first', { priority: 1 }, broken)
    stage.add('second')
    await stage.call()
    await sleep(1300)
    stage.asked.length = 0
    let end: (reply: Reply) => void = () => undefined
    stage.script('first', new Promise((resolve) => (end = resolve)))
    const underWay = calls(stage, 20)
    while (stage.asked.length < 20) await sleep(20)
    end({ body: goodAnswer.chat })
    const answers = await underWay
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(stage.asked.filter((name) => name === 'first')).toHaveLength(1)
    const others = answers.map((answer) => stage.routeOf(answer).candidates)
    expect(others.filter((list) => list.some(({ why }) => why === 'half-open'))).toHaveLength(19)
    // It answered, so that all go there again.
    stage.asked.length = 0
    await calls(stage, 3)
    expect(stage.asked).toEqual(['first', 'first', 'first'])
  })

  test('a trial that the client leaves is made by the next call', async () => {
    const { add, call, asked, pair } = await startStage(SOON)
    add('first', { priority: 1 }, broken, { ending: 'hang-before-headers' })
    add('second')
    await call()
    await sleep(1300)
    const leaving = new AbortController()
    const trial = call('chat', { signal: leaving.signal })
    while (asked.length < 3) await sleep(5)
    leaving.abort()
    await expect(trial).rejects.toThrow()
    await pair.gateway.rowsWhen(2)
    await call()
    expect(asked).toEqual(['first', 'second', 'first', 'first'])
  })
})

describe('a stream that is cut after it began', () => {
  const cut: Reply = { chunks: [smallStreams.chat.begin], ending: 'cut' }
  const failing: Reply = { chunks: [smallStreams.chat.begin, smallStreams.chat.error], pause: 100 }

  test.each([
    ['by its connection', cut],
    ['by an error of the vendor’s', failing],
  ])('%s is told, tried nowhere else, and speaks against its channel', async (_, reply) => {
    const { add, call, asked, routeOf } = await startStage({ ChannelFailureCount: 2 })
    add('first', { priority: 1 }, reply, reply, goodStream('chat'))
    add('second')
    for (let times = 0; times < 2; times++) {
      const answer = await call('chat', { stream: true })
      expect(answer.text).toContain('"error"')
      expect(answer.text).not.toContain('[DONE]')
      expect(routeOf(answer).attempts).toMatchObject([{ status: 200, after: 'begun' }])
    }
    expect((await call('chat', { stream: true })).text).toContain('[DONE]')
    expect(asked).toEqual(['first', 'first', 'second'])
  })

  test('by its client says nothing of the channel', async () => {
    const { add, call, asked, pair } = await startStage(LONG)
    add('first', { priority: 1 }, { chunks: [smallStreams.chat.begin], ending: 'hang' })
    add('second')
    const leaving = new AbortController()
    const streaming = call('chat', { stream: true, signal: leaving.signal })
    while (asked.length === 0) await sleep(5)
    await sleep(100)
    leaving.abort()
    await expect(streaming).rejects.toThrow()
    await pair.gateway.rowsWhen(1)
    await call()
    expect(asked).toEqual(['first', 'first'])
  })
})

test('a model that a channel has not keeps it from no other model', async () => {
  const { add, call, asked } = await startStage()
  const models = ['model-a', 'model-b']
  add('first', { priority: 1, models }, refusal(404, 'No.', { code: 'model_not_found' }))
  add('second', { models })
  await call()
  await call()
  await call('chat', { model: 'model-b' })
  expect(asked).toEqual(['first', 'second', 'second', 'first'])
})

test('a vendor that cannot count tokens is asked for answers all the same', async () => {
  const { add, call, asked, pair } = await startStage(LONG)
  add('first', { type: 14, priority: 1 }, refusal(404, 'Not found.'))
  add('second', { type: 14 }, refusal(404, 'Not found.'))
  const body = { model: 'model-a', messages: [{ role: 'user', content: 'Hi' }] }
  const headers = { 'anthropic-version': '2023-06-01' }
  const counted = await pair.send('/v1/messages/count_tokens', { body, headers })
  expect(counted.json<{ input_tokens: number }>().input_tokens).toBeGreaterThan(0)
  const [row] = await pair.gateway.rowsWhen(1)
  expect(row?.isEstimated).toBe(true)
  asked.length = 0
  await call('messages')
  expect(asked).toEqual(['first'])
})

test('a vendor that is too busy to count tokens is asked for answers all the same', async () => {
  const { add, call, asked, pair } = await startStage(LONG)
  add('first', { type: 14, priority: 1 }, refusal(429, 'Too many counts.'))
  add('second', { type: 14 }, { body: { input_tokens: 3 } })
  const body = { model: 'model-a', messages: [{ role: 'user', content: 'Hi' }] }
  const headers = { 'anthropic-version': '2023-06-01' }
  const counted = await pair.send('/v1/messages/count_tokens', { body, headers })
  expect(counted.json()).toMatchObject({ input_tokens: 3 })
  asked.length = 0
  await call('messages')
  expect(asked).toEqual(['first'])
})

test('a vendor that refuses to count tokens is not disabled for that', async () => {
  const { add, always, pair } = await startStage({ AutomaticDisableChannelEnabled: true })
  const { id } = add('first', { type: 14, priority: 1 })
  add('second', { type: 14 })
  always('first', refusal(401, 'No such path for this key.', { type: 'authentication_error' }))
  const body = { model: 'model-a', messages: [{ role: 'user', content: 'Hi' }] }
  const headers = { 'anthropic-version': '2023-06-01' }
  for (let times = 0; times < 4; times++)
    await pair.send('/v1/messages/count_tokens', { body, headers })
  expect(pair.gateway.parts.channels.byId(id)?.status).toBe(1)
})
