import { expect, test } from 'vitest'
import { sampleScenarios } from './all-scenarios.ts'
import { faults, sampleCells } from './cells.ts'
import { type CellResult, runCells } from './run-cells.ts'

/** The short form of `npm run faults`: each fault at least once, clients and shapes in turn. */
test('a client is told the truth of every fault, and another channel is asked where it may be', {
  timeout: 180_000,
}, async () => {
  const results: CellResult[] = []
  await runCells(sampleCells, (result) => results.push(result))
  expect(results.length).toBeGreaterThan(2 * faults.filter(({ isHeavy }) => !isHeavy).length)
  const wrong = results.filter(({ problems }) => problems.length > 0)
  expect(Object.fromEntries(wrong.map(({ name, problems }) => [name, problems]))).toEqual({})
})

test.each(sampleScenarios)('$name', { timeout: 60_000 }, async ({ run }) => {
  expect(await run()).toEqual([])
})
