import { expect, test } from 'vitest'
import { RetestPlan } from '../../../../main/manage/channels/maintenance/retest-plan.ts'

const MINUTE = 60_000
const BEGIN = 1_700_000_000_000
const channel = { channelId: 1, key: null }

test('what does not pass waits one minute, two, four and so on up to an hour, and a fifth more at most', () => {
  const plan = new RetestPlan()
  let now = BEGIN
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
    plan.follow([channel], now)
    const wait = plan.dueAt(channel, now) - now
    expect(wait).toBeGreaterThanOrEqual(minutes * MINUTE)
    expect(wait).toBeLessThanOrEqual(minutes * MINUTE * 1.2)
    expect(plan.due(now + wait - 1)).toEqual([])
    now += wait
    expect(plan.due(now)).toEqual([channel])
    plan.tested(channel, false, now)
  }
})

test('what is enabled by hand begins anew, what passes and is soon disabled again does not', () => {
  const plan = new RetestPlan()
  plan.follow([channel], BEGIN)
  plan.tested(channel, false, BEGIN)
  plan.tested(channel, true, BEGIN)
  plan.follow([], BEGIN + MINUTE)
  expect(plan.due(BEGIN + 300 * MINUTE)).toEqual([])
  plan.follow([channel], BEGIN + 2 * MINUTE)
  expect(plan.dueAt(channel, BEGIN + 2 * MINUTE)).toBeGreaterThanOrEqual(BEGIN + 6 * MINUTE)
  plan.follow([], BEGIN + 3 * MINUTE)
  plan.follow([channel], BEGIN + 4 * MINUTE)
  expect(plan.dueAt(channel, BEGIN + 4 * MINUTE)).toBeLessThan(BEGIN + 6 * MINUTE)
})

test('of the keys of a channel one is due at a time, the one that has waited longest', () => {
  const plan = new RetestPlan()
  const keys = Array.from({ length: 50 }, (_, index) => ({ channelId: 2, key: `key-${index}` }))
  plan.follow([...keys, channel], BEGIN)
  const later = BEGIN + 2 * MINUTE
  const times = keys.map((key) => plan.dueAt(key, later))
  const first = keys[times.indexOf(Math.min(...times))]
  expect(plan.due(later)).toEqual([first, channel])
})
