import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { durationOf, sentenceHint } from '../../../../main/relay/failure/retry-hint.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'
import { refusal, speaking, startStage } from './routing-stage.ts'

const limited = (headers: Record<string, string>, message = 'Slow down.', details?: object[]) =>
  refusal(429, message, { headers, code: 'rate_limit_exceeded', ...(details && { details }) })

/** The time in so many seconds, as GLM writes it. */
const inBeijing = (seconds: number): string =>
  new Date(Date.now() + (8 * 3600 + seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')

const retryInfo = (retryDelay: string) => [
  { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
]

describe('the vendor’s word on when to try again', () => {
  test.each([
    ['6m0s', 360],
    ['1.5s', 1.5],
    ['174ms', 0.174],
    ['1h2m3s', 3723],
    ['1d', 86_400],
    ['20', 20],
    ['', null],
    ['soon', null],
    ['-1', null],
    ['0s', null],
    ['99999999999999999999s', null],
  ])('%s is %s seconds', (text, seconds) => {
    expect(durationOf(text)).toBe(seconds)
  })

  test.each([
    ['Rate limit reached for gpt-4o: Limit 30000. Please try again in 18.642s. Visit …', 18.642],
    ['Please try again in 174ms.', 0.174],
    ['Please try again in 6m0s.', 360],
    ['Please retry after 12 seconds.', 12],
    ['Please try again later.', null],
    ['Please try again in a few hours.', null],
  ])('%s', (sentence, seconds) => {
    expect(sentenceHint(sentence)).toBe(seconds)
  })

  test.each([
    ['Usage limit reached for 5 hour. Your limit will reset at 2026-11-29 05:38:28', 18_508],
    ['[1310][Weekly Limit Exhausted. Your limit will reset at 2026-12-01 00:30:00][id]', 172_800],
    ['已达到 5 小时的使用上限。您的限额将在 2026-11-29 00:30:10 重置。', 10],
    ['The limit resets at 2026-11-28T16:31:00Z.', 60],
    ['It will reset at 2026-11-28 18:31:00 +02:00.', 60],
    // Over by now: it says nothing.
    ['Your limit will reset at 2026-11-28 16:30:00', null],
    ['Your limit will reset at 2026-13-41 16:30:00', null],
    ['Your limit will reset at noon.', null],
    ['“reset at 2999-01-01 00:00:00” is no date.', null],
  ])('“%s” names the time, which GLM means as Beijing’s', (sentence, seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T16:30:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    expect(sentenceHint(sentence)).toBe(seconds)
  })

  const ways: [string, Reply, number, number][] = [
    ['seconds', limited({ 'retry-after': '30' }), 30, 30],
    ['milliseconds', limited({ 'retry-after-ms': '30500', 'retry-after': '99' }), 31, 31],
    ['Google’s RetryInfo', limited({}, 'Quota.', retryInfo('34.07s')), 34, 35],
    ['OpenAI’s sentence', limited({}, 'Limit. Please try again in 40s. Visit us.'), 40, 40],
    ['GLM’s time of day', limited({}, `Your limit will reset at ${inBeijing(1200)}`), 1100, 1200],
    [
      'when the limit that was reached is full again',
      limited({
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '1m0s',
        'x-ratelimit-remaining-tokens': '500',
        'x-ratelimit-reset-tokens': '6m0s',
      }),
      60,
      60,
    ],
    [
      'when all limits that were reached are full again',
      limited({
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '20s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '6m0s',
      }),
      360,
      360,
    ],
  ]
  test.each(ways)('as %s: told at once, and the channel is left alone so long', async (...way) => {
    const [, reply, least, most] = way
    const { add, call, asked, pair } = await startStage()
    add('only', {}, reply)
    const first = await call()
    const hint = Number(first.headers['retry-after'])
    if (!('retry-after' in (reply.headers ?? {}))) {
      expect(hint).toBeGreaterThanOrEqual(least)
      expect(hint).toBeLessThanOrEqual(most)
    }
    const second = await call()
    expect(second.status).toBe(429)
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(least - 10)
    expect(Number(second.headers['retry-after'])).toBeLessThanOrEqual(most)
    expect(asked).toEqual(['only'])
    expect(pair.rowsOf(second)).toMatchObject([{ type: 5, status: 429, quota: 0 }])
  })

  test('as a date', async () => {
    const { add, call } = await startStage()
    add('only', {}, limited({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() }))
    await call()
    const second = await call()
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(45)
    expect(Number(second.headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  test('as a date of the vendor’s clock, where this machine’s is an hour slow', async () => {
    const { add, call } = await startStage()
    const vendors = (seconds: number) => new Date(Date.now() + 3_600_000 + seconds * 1000)
    const dates = { date: vendors(0).toUTCString(), 'retry-after': vendors(60).toUTCString() }
    add('only', {}, limited(dates))
    await call()
    const second = await call()
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(45)
    expect(Number(second.headers['retry-after'])).toBeLessThanOrEqual(60)
  })
})

const shapes: Readonly<Record<WireFormat, object>> = {
  chat: { error: { type: 'rate_limit_error', code: 'channels_rate_limited' } },
  responses: { error: { type: 'rate_limit_error', code: 'channels_rate_limited' } },
  messages: { type: 'error', error: { type: 'rate_limit_error' } },
  'generate-content': {
    error: {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      details: [{ retryDelay: expect.stringMatching(/^\d+s$/) }],
    },
  },
}

describe.each(Object.keys(shapes) as WireFormat[])(
  '%s: all channels were told to wait',
  (format) => {
    test('429 in its own shape, with the soonest end and the vendor’s sentence', async () => {
      const { add, call, asked, routeOf } = await startStage()
      add('long', speaking(format), limited({ 'retry-after': '300' }, 'Come back in five minutes.'))
      add('short', speaking(format), limited({ 'retry-after': '60' }, 'Come back in a minute.'))
      const told = await call(format)
      // The refusal that heals first.
      expect(told.headers['retry-after']).toBe('60')
      expect(asked.sort()).toEqual(['long', 'short'])
      const refused = await call(format)
      expect(refused.status).toBe(429)
      expect(refused.json()).toMatchObject(shapes[format])
      expect(refused.text).toContain('Come back in a minute.')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
      expect(refused.headers['x-should-retry']).toBe('true')
      expect(asked).toHaveLength(2)
      expect(routeOf(refused)).toMatchObject({
        candidates: [
          { name: 'short', why: 'rate_limited', reason: 'Come back in a minute.' },
          { name: 'long', why: 'rate_limited' },
        ],
        attempts: [],
      })
      expect(routeOf(refused).candidates[0]?.until).toBeGreaterThan(Date.now() + 40_000)
    })
  },
)

test('a channel that was left alone and heals sooner than the one just asked is told of', async () => {
  const { add, call, asked, script, pair } = await startStage()
  add('sooner', { priority: 1 }, limited({ 'retry-after': '60' }))
  add('later')
  expect((await call()).status).toBe(200)
  script('later', limited({ 'retry-after': '300' }))
  const told = await call()
  expect(told.status).toBe(429)
  expect(Number(told.headers['retry-after'])).toBeGreaterThan(50)
  expect(Number(told.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect(asked).toEqual(['sooner', 'later', 'later'])
  expect(pair.rowsOf(told)).toMatchObject([{ type: 5, status: 429, channelName: 'later' }])
})

test('of more channels than a call looks at, the log lists those that come back first', async () => {
  const { add, call, asked, routeOf } = await startStage({ RetryTimes: 20 })
  for (let index = 1; index <= 66; index++)
    add(`${index}`, {}, limited({ 'retry-after': String(400 - 4 * index) }))
  for (let times = 0; times < 4; times++) await call()
  expect(asked).toHaveLength(66)
  const { candidates } = routeOf(await call())
  expect(candidates.slice(0, 3).map(({ name }) => name)).toEqual(['66', '65', '64'])
})

describe('a short wait', () => {
  test('is waited for, and the client sees nothing but a slower answer', async () => {
    const { add, call, asked, routeOf } = await startStage()
    add('only', {}, limited({ 'retry-after': '1' }))
    expect((await call()).status).toBe(429)
    const answer = await call()
    expect(answer.status).toBe(200)
    expect(asked).toEqual(['only', 'only'])
    const [note] = routeOf(answer).attempts
    expect(note?.waited).toBeGreaterThan(0)
    expect(note?.waited).toBeLessThanOrEqual(1000)
  })

  test('is not waited for where another channel can serve', async () => {
    const { add, call, asked } = await startStage()
    add('limited', { priority: 1 }, limited({ 'retry-after': '2' }))
    add('other')
    expect((await call()).status).toBe(200)
    expect((await call()).status).toBe(200)
    expect(asked).toEqual(['limited', 'other', 'other'])
  })

  test('longer than the owner allows is none', async () => {
    const { add, call, asked } = await startStage({ RetryWaitSeconds: 0 })
    add('only', {}, limited({ 'retry-after': '1' }))
    await call()
    expect((await call()).status).toBe(429)
    expect(asked).toEqual(['only'])
  })

  test('ends at once when the client leaves, and nobody is asked', async () => {
    const { add, call, asked, pair } = await startStage()
    add('only', {}, limited({ 'retry-after': '4' }))
    await call()
    const leaving = new AbortController()
    const waiting = call('chat', { signal: leaving.signal })
    while (pair.gateway.parts.openCalls.size === 0) await sleep(5)
    await sleep(50)
    const begun = performance.now()
    leaving.abort()
    await expect(waiting).rejects.toThrow()
    const rows = await pair.gateway.rowsWhen(2)
    expect(performance.now() - begun).toBeLessThan(2000)
    expect(rows[0]).toMatchObject({ status: 499 })
    expect(pair.gateway.parts.openCalls.size).toBe(0)
    expect(asked).toEqual(['only'])
  })
})

test('OpenAI’s own client sees no error when one of two channels is limited', async () => {
  const { add, pair, asked, always } = await startStage()
  add('limited', { priority: 1 })
  always('limited', limited({ 'retry-after': '30' }))
  add('other')
  const client = new OpenAI({
    apiKey: pair.gateway.key,
    baseURL: `${pair.gateway.url}/v1`,
    maxRetries: 0,
  })
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  for (let times = 0; times < 3; times++) {
    const answer = await client.chat.completions.create({ model: 'model-a', messages })
    expect(answer.choices[0]?.message.content).toBe('ok')
    const stream = await client.chat.completions.create({
      model: 'model-a',
      messages,
      stream: true,
    })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('ok')
  }
  // After the first refusal it is left alone.
  expect(asked.filter((name) => name === 'limited')).toHaveLength(1)
})
