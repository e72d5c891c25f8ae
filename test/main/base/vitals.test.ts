import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Vitals } from '../../../main/base/vitals.ts'

let vitals: Vitals
let offset = 0

beforeEach(() => {
  offset = 0
  const now = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => now() + offset)
  vitals = new Vitals()
})

afterEach(() => {
  vitals.stop()
  vi.restoreAllMocks()
})

test('a clock that is set right by little steps is not said to have jumped', () => {
  for (let step = 0; step < 10; step++) {
    offset -= 2_000
    expect(vitals.clockJump).toBeNull()
  }
})

test('a clock that was put back is told with the seconds, once', () => {
  offset -= 60_000
  const jump = vitals.clockJump
  expect(jump?.seconds).toBe(60)
  offset += 1_000
  expect(vitals.clockJump).toBe(jump)
})

test.each([
  ['the process’s own work, where it had the processor', 20_000_000, false],
  ['a busy machine, where it hadn’t', 20_000, true],
])('what held all calls up is %s', async (_, user, isStarved) => {
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user, system: 10_000 })
  // The delay is counted from the first timer on.
  await setTimeout(150)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
  await expect.poll(() => vitals.loopDelay.max).toBeGreaterThan(300)
  expect(vitals.loopDelay.isStarved).toBe(isStarved)
})

test('a sleep of the computer isn’t told as calls that waited', async () => {
  await setTimeout(150)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
  await expect.poll(() => vitals.loopDelay.max).toBeGreaterThan(700)
  vitals.forgetSleep()
  await expect.poll(() => vitals.loopDelay.max).toBeLessThan(700)
})
