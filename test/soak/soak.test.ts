import { expect, test } from 'vitest'
import { runSoak } from './run-soak.ts'

const CALLS = 600

/** The shortest form of `npm run soak`. */
test(`the books of ${CALLS} calls with faults of every kind are equal to the vendors’ own`, {
  timeout: 180_000,
}, async () => {
  const { problems } = await runSoak(CALLS, () => {})
  expect(problems).toEqual([])
})
