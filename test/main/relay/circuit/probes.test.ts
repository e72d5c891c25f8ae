import { describe, expect, test } from 'vitest'
import { repeat, withClock } from './health-clock.ts'

describe('half-open', () => {
  const over = () => {
    const all = withClock()
    all.fail({ isAtOnce: true })
    all.pass(10)
    return all
  }

  test('one of twenty calls is the probe, and its answer closes the circuit', () => {
    const { health, state } = over()
    const probes = Array.from({ length: 20 }, () => {
      const before = state()
      return { before, watch: health.watch(1, 'a', 'm') }
    })
    expect(probes.filter(({ before }) => before === 'half-open')).toHaveLength(1)
    // Those beside it say nothing by their end.
    for (const { watch } of probes.slice(1)) watch.release()
    expect(state()).toBe('probing')
    probes[0]?.watch.answered()
    expect(state()).toBe('closed')
  })

  test('a probe that shows nothing is given back, and one that never ends is waited for no longer than a minute', () => {
    const { health, state, pass } = over()
    const first = health.watch(1, 'a', 'm')
    expect(state()).toBe('probing')
    first.release()
    expect(state()).toBe('half-open')
    health.watch(1, 'a', 'm')
    pass(59)
    expect(state()).toBe('probing')
    pass(1)
    const third = health.watch(1, 'a', 'm')
    // The end of an earlier one is no end of this.
    first.release()
    expect(state()).toBe('probing')
    third.release()
    expect(state()).toBe('half-open')
  })

  test('only what answers closes again, not another model', () => {
    const { fail, answer, state, pass } = over()
    for (const model of ['m', 'n']) fail({ blame: 'model', isAtOnce: true }, 'b', model)
    pass(10)
    answer('b', 'm')
    expect([state('b', 'm'), state('b', 'n'), state('a')]).toEqual([
      'closed',
      'half-open',
      'half-open',
    ])
  })

  test('an answer to a call from before the cooldown ends nothing', () => {
    const { fail, health, state, pass } = withClock()
    const early = health.watch(1, 'a', 'm')
    pass(1)
    fail({ retryAfter: 30 })
    early.answered()
    expect(state()).toBe('open')
  })
})

test('streams that are cut one after the other cool their channel down, although each had begun well', () => {
  const { health, state, pass } = withClock()
  const cut = () => {
    const watch = health.watch(1, 'a', 'm')
    watch.answered()
    watch.release()
    pass(1)
    watch.failed({ blame: 'channel', reason: 'cut', retryAfter: null, isAtOnce: false })
    watch.failed({ blame: 'channel', reason: 'cut', retryAfter: null, isAtOnce: false })
  }
  repeat(2, cut)
  expect(state()).toBe('closed')
  cut()
  expect(state()).toBe('open')
  // As a probe it does not begin anew with the shortest wait.
  pass(10)
  cut()
  pass(10)
  expect(state()).toBe('open')
  pass(10)
  const fine = health.watch(1, 'a', 'm')
  fine.answered()
  fine.release()
  cut()
  expect(state()).toBe('closed')
})
