// npm run faults: every fault of an upstream with every client, streamed or not, one channel or two.
//   npm run faults -- --only "header flood"   cells whose name holds these words
//   npm run faults -- --sample                the cells that the tests run
//   npm run faults -- --every 5               one cell in five: no divisor of clients × shapes × channels
import { allScenarios, sampleScenarios } from './all-scenarios.ts'
import { allCells, sampleCells } from './cells.ts'
import { type CellResult, runCells } from './run-cells.ts'

const flags = process.argv.slice(2)
const only = flags.includes('--only') ? (flags[flags.indexOf('--only') + 1] ?? '') : ''
const isSample = flags.includes('--sample')
const every = flags.includes('--every') ? Number(flags[flags.indexOf('--every') + 1]) : 1
const isWanted = ({ name }: { name: string }, index: number) =>
  name.includes(only) && index % every === 0
const cells = (isSample ? sampleCells : allCells).filter(isWanted)
const scenarios = (isSample ? sampleScenarios : allScenarios).filter(isWanted)
const results: CellResult[] = []
const began = performance.now()

/** Says at once what does not hold. */
function tell({ name, problems, milliseconds }: CellResult): void {
  if (problems.length === 0) return
  console.log(`\n✗ ${name} (${milliseconds} ms)`)
  for (const problem of problems) console.log(`    ${problem}`)
}

await runCells(cells, (result) => {
  results.push(result)
  tell(result)
  if (results.length % 100 === 0)
    console.log(`${results.length} of ${cells.length + scenarios.length} …`)
})
for (const { name, run } of scenarios) {
  const since = performance.now()
  const problems = await run()
  const result = { name, problems, milliseconds: Math.round(performance.now() - since) }
  results.push(result)
  tell(result)
}

const failed = results.filter(({ problems }) => problems.length > 0)
console.log('')
for (const { name, problems } of failed) console.log(`✗ ${name}: ${problems[0]?.slice(0, 100)}`)
const seconds = Math.round((performance.now() - began) / 1000)
console.log(`\n${results.length} cells ran, ${results.length - failed.length} held (${seconds} s).`)
process.exit(failed.length === 0 ? 0 : 1)
