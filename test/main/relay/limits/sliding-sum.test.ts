import { expect, test } from 'vitest'
import { SlidingSum } from '../../../../main/relay/limits/sliding-sum.ts'

test('what was added counts for its whole span, also where it came close behind another', () => {
  const sum = new SlidingSum(1000)
  sum.add(0, 1)
  sum.add(90, 2)
  expect(sum.sum(1050)).toBe(3)
  expect(sum.sum(1090)).toBe(0)
})

test('it tells when there is room again', () => {
  const sum = new SlidingSum(1000)
  sum.add(0, 5)
  sum.add(500, 5)
  expect(sum.untilAtMost(10, 600)).toBe(0)
  expect(sum.untilAtMost(5, 600)).toBe(400)
  expect(sum.untilAtMost(0, 600)).toBe(900)
  expect(sum.untilAtMost(-1, 600)).toBe(Infinity)
})

test('what is added steadily goes after its span, however close one is behind the other', () => {
  const sum = new SlidingSum(1000)
  for (let now = 0; now <= 3000; now += 50) sum.add(now, 1)
  // Those from 2000 on.
  expect(sum.sum(3000)).toBe(21)
})
