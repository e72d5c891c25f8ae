import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FloodLimit } from '../../../main/capture/flood-limit.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** So many calls one after the other are captured. */
function captured(limit: FloodLimit): number {
  let count = 0
  for (; limit.hasRoomBeside(0); count++) limit.take(1)
  return count
}

test('in a flood whole runs of calls are captured, a hundred calls a second in all', () => {
  const limit = new FloodLimit()
  expect(captured(limit)).toBe(250)
  vi.advanceTimersByTime(150)
  expect(captured(limit)).toBe(0)
  vi.advanceTimersByTime(20)
  expect(captured(limit)).toBe(17)
  vi.advanceTimersByTime(1000)
  expect(captured(limit)).toBe(100)
})

test('calls that wait to be packed count as if they were', () => {
  const limit = new FloodLimit()
  expect(limit.hasRoomBeside(249)).toBe(true)
  expect(limit.hasRoomBeside(250)).toBe(false)
})

test('a large capture counts as several, and the next ones wait until that is made up for', () => {
  const limit = new FloodLimit()
  limit.take(251)
  expect(limit.isReached).toBe(true)
  vi.advanceTimersByTime(10)
  expect(limit.isReached).toBe(false)
})
