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
