// npm run soak: many calls with faults of every kind through the built gateway, and all books compared.
//   npm run soak -- --calls 20000
import { runSoak } from './run-soak.ts'

const flags = process.argv.slice(2)
const given = Number(flags[flags.indexOf('--calls') + 1])
const calls = flags.includes('--calls') && given > 0 ? given : 200_000

const { summary, problems } = await runSoak(calls, (line) => console.log(line))
for (const line of summary) console.log(line)
for (const problem of problems) console.log(`✗ ${problem}`)
console.log(
  problems.length === 0
    ? 'The books are equal to the unit.'
    : `${problems.length} kinds of problems.`,
)
process.exit(problems.length === 0 ? 0 : 1)
