import { describe, expect, test } from 'vitest'
import type { CircuitChange } from '../../../../main/relay/circuit/health.ts'
import { repeat, withClock } from './health-clock.ts'

describe('failures in a row', () => {
  test('cool down what they are held against, and that only', () => {
    const { fail, state, health } = withClock()
    repeat(2, fail)
    expect(state()).toBe('closed')
    fail()
    expect([state(), state('a', 'other'), state('b')]).toEqual(['open', 'open', 'closed'])
    repeat(3, () => fail({ blame: 'model' }, 'b'))
    expect([state('b'), state('b', 'other')]).toEqual(['open', 'closed'])
    repeat(3, () => fail({ blame: 'channel' }, 'c'))
    expect([state('c'), state('d')]).toEqual(['open', 'open'])
    expect(health.ofKey(2, 'a', 'm')).toEqual({ state: 'closed' })
  })

  test('count only within the window, and only with no answer between them', () => {
    const { fail, answer, pass, state } = withClock()
    repeat(2, fail)
    answer()
    repeat(2, fail)
    pass(61)
    fail()
    expect(state()).toBe('closed')
    repeat(2, fail)
    expect(state()).toBe('open')
    // Never three within a minute, then three.
    for (const seconds of [0, 40, 40]) {
      pass(seconds)
      fail({}, 'b')
    }
    expect(state('b')).toBe('closed')
    pass(10)
    fail({}, 'b')
    expect(state('b')).toBe('open')
  })

  test('need be only one where the vendor asks for a pause, and none where it is switched off', () => {
    const { fail, state, settings } = withClock()
    fail({ isAtOnce: true })
    expect(state()).toBe('open')
    settings.ChannelFailureCount = 0
    expect(state()).toBe('closed')
    repeat(5, () => fail({ isAtOnce: true }, 'b'))
    settings.ChannelFailureCount = 3
    expect(state('b')).toBe('closed')
  })

  test('are told without the key', () => {
    const { fail, health } = withClock()
    fail({ isAtOnce: true, reason: `Key sk-secret is wrong.\n${'x'.repeat(400)}` }, 'sk-secret')
    const circuit = health.ofKey(1, 'sk-secret', 'm')
    expect(circuit).toMatchObject({ reason: expect.stringMatching(/^Key \*\*\* is wrong\. x/) })
    expect(health.circuits(1)[0]?.reason).toHaveLength(300)
  })
})

describe('the wait', () => {
  test('doubles with each probe that fails up to the longest, and begins anew after an answer', () => {
    const { fail, answer, pass, left, state } = withClock()
    fail({ isAtOnce: true })
    const waits: number[] = []
    repeat(6, () => {
      waits.push(left() ?? 0)
      pass(left() ?? 0)
      expect(state()).toBe('half-open')
      fail()
    })
    for (const [index, most] of [10, 20, 40, 80, 100, 100].entries()) {
      expect(waits[index]).toBeLessThanOrEqual(most)
      expect(waits[index]).toBeGreaterThanOrEqual(most * 0.8)
    }
    pass(left() ?? 0)
    answer()
    fail({ isAtOnce: true })
    expect(left()).toBeLessThanOrEqual(10)
  })

  test('is never longer than the longest, also where that is shorter than the first', () => {
    const { fail, left } = withClock({ ChannelCooldownMaxSeconds: 2 })
    fail({ isAtOnce: true })
    expect(left()).toBeLessThanOrEqual(2)
  })

  test('is not prolonged by calls that were under way when it began', () => {
    const { fail, health, pass, state } = withClock()
    const late = Array.from({ length: 20 }, () => health.watch(1, 'a', 'm'))
    fail({ isAtOnce: true })
    pass(10)
    for (const watch of late)
      watch.failed({ blame: 'key', reason: 'late', retryAfter: null, isAtOnce: true })
    expect(state()).toBe('half-open')
  })

  test('is the vendor’s own where it names one, of no more than an hour', () => {
    const { fail, left, health } = withClock()
    fail({ retryAfter: 2.5 })
    expect(left()).toBe(2.5)
    expect(health.ofKey(1, 'a', 'm')).toMatchObject({ isHinted: true })
    fail({ retryAfter: 1e9 }, 'b')
    expect(left('b')).toBe(3600)
    for (const retryAfter of [0, -5, Number.NaN]) fail({ retryAfter }, 'c')
    // Such a hint is none: these were three failures as any.
    expect(health.ofKey(1, 'c', 'm')).toMatchObject({ state: 'open', isHinted: false })
  })

  test('is not ended by a call beside it that is told to wait less', () => {
    const { fail, left } = withClock()
    fail({ retryAfter: 60 })
    fail({ retryAfter: 2 })
    expect(left()).toBe(60)
  })

  test('of a vendor that names a second again and again grows beyond what it names', () => {
    const { fail, pass, health, left } = withClock()
    repeat(4, () => {
      fail({ retryAfter: 1 })
      pass(1)
    })
    expect(health.ofKey(1, 'a', 'm')).toMatchObject({ state: 'open', isHinted: false })
    expect(left()).toBeGreaterThan(5)
  })

  test('is forgotten when nobody has asked for long', () => {
    const { fail, pass, left, state, health } = withClock()
    fail({ isAtOnce: true })
    pass((left() ?? 0) + 101)
    expect(state()).toBe('closed')
    expect(health.circuits(1)).toEqual([])
    fail()
    expect(state()).toBe('closed')
  })
})

test('a channel stands as the best of its keys', () => {
  const { fail, health, pass } = withClock()
  const state = (keys: string[], model: string | null = 'm') =>
    health.ofChannel({ id: 1 }, keys, model).state
  fail({ isAtOnce: true }, 'a')
  expect([state(['a']), state(['a', 'b']), state([])]).toEqual(['open', 'closed', 'closed'])
  fail({ isAtOnce: true, blame: 'model' }, 'b')
  expect([state(['a', 'b']), state(['a', 'b'], 'other')]).toEqual(['open', 'closed'])
  expect(state(['a', 'b'], null)).toBe('closed')
  pass(9)
  fail({ isAtOnce: true, blame: 'channel' }, 'c')
  pass(1)
  expect(state(['a', 'b', 'c', 'd'])).toBe('open')
})

describe('memory', () => {
  test('of ten thousand models that callers named there is a bound, and what is over goes first', () => {
    const { fail, health, pass } = withClock()
    for (let model = 0; model < 10_000; model++) fail({ blame: 'model' }, 'a', `model-${model}`)
    expect(health.circuits(1)).toHaveLength(1000)
    expect(health.circuits(1).at(-1)?.model).toBe('model-9999')
    pass(61)
    fail()
    expect(health.circuits(1)).toHaveLength(1)
  })

  test('of a channel that was changed nothing stays, and late reports of before count for nothing', () => {
    const { fail, health, answer, state } = withClock()
    repeat(6, () => answer())
    const late = health.watch(1, 'a', 'm')
    fail({ isAtOnce: true })
    health.strike(1, 'a')
    health.forget(1)
    late.failed({ blame: 'channel', reason: 'late', retryAfter: 60, isAtOnce: true })
    expect(state()).toBe('closed')
    expect(health.overview(1)).toEqual({ failures: 0, strikes: 0, calls: 0 })
    expect(health.stats(1)).toBeNull()
  })

  test('of one key can be dropped alone', () => {
    const { fail, health, state } = withClock()
    for (const key of ['a', 'b']) fail({ isAtOnce: true }, key)
    fail({ isAtOnce: true, blame: 'model' }, 'a')
    health.strike(1, 'a')
    health.forget(1, 'a')
    expect([state('a'), state('b')]).toEqual(['closed', 'open'])
    expect(health.overview(1)).toMatchObject({ failures: 3, strikes: 0 })
  })
})

test('strikes are counted by key until that key answers', () => {
  const { health, answer } = withClock()
  expect([health.strike(1, 'a'), health.strike(1, 'a'), health.strike(1, 'b')]).toEqual([1, 2, 1])
  expect(health.strike(1, null)).toBe(1)
  answer('b')
  expect([health.strike(1, 'a'), health.strike(1, 'b'), health.strike(1, null)]).toEqual([3, 1, 1])
  expect(health.overview(1).strikes).toBe(3)
})

describe('the figures of late', () => {
  test('are share and mean of five minutes, and none of a few calls', () => {
    const { health, fail, pass } = withClock()
    const slow = (seconds: number) => {
      const watch = health.watch(1, 'a', 'm')
      pass(seconds)
      watch.answered()
      watch.release()
    }
    repeat(4, () => slow(1))
    expect([health.stats(1), health.overview(1).calls]).toEqual([null, 4])
    slow(6)
    expect(health.stats(1)).toEqual({ successRate: 1, latency: 2000, calls: 5 })
    repeat(5, fail)
    expect(health.stats(1)).toEqual({ successRate: 0.5, latency: 2000, calls: 10 })
    pass(180)
    slow(1)
    expect(health.stats(1)?.calls).toBe(11)
    pass(180)
    expect([health.stats(1), health.overview(1).calls]).toEqual([null, 1])
  })

  test('count an answer that was cut as a failure, and no call twice', () => {
    const { health } = withClock()
    repeat(5, () => {
      const watch = health.watch(1, 'a', 'm')
      watch.answered()
      watch.answered()
      watch.failed({ blame: 'channel', reason: 'cut', retryAfter: null, isAtOnce: false })
    })
    expect(health.stats(1)).toEqual({ successRate: 0, latency: null, calls: 5 })
  })
})

test('listeners hear when something begins to cool down and when it answers again, and of no call between', () => {
  const { health, fail, answer, pass } = withClock()
  const heard: CircuitChange[] = []
  const end = health.onChange((change) => heard.push(change))
  repeat(6, fail)
  repeat(3, () => answer('b'))
  expect(heard).toEqual([
    {
      channelId: 1,
      key: 'a',
      model: null,
      circuit: expect.objectContaining({ state: 'open' }),
    },
  ])
  pass(10)
  repeat(3, () => answer())
  expect(heard.slice(1)).toEqual([
    { channelId: 1, key: 'a', model: null, circuit: { state: 'closed' } },
  ])
  fail({ isAtOnce: true })
  health.forget(1)
  expect(heard.map(({ circuit }) => circuit.state)).toEqual(['open', 'closed', 'open', 'closed'])
  end()
  fail({ isAtOnce: true })
  expect(heard).toHaveLength(4)
})
