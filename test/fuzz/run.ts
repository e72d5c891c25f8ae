// npm run fuzz [-- --inputs 100000] [--seed 1] [--only bodies] [--at 17]
// Attacks a gateway in this process with inputs that are nearly right; ends with 1 where any did harm.
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz-all.ts'

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    only: { type: 'string' },
    at: { type: 'string' },
  },
})
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed)
const began = performance.now()
console.log(`Seed ${seed}.`)
const { tried, findings, byAttack } = await fuzz({
  inputs: Number(values.inputs),
  seed,
  ...(values.only === undefined ? {} : { only: values.only }),
  ...(values.at === undefined ? {} : { at: Number(values.at) }),
  onProgress: (count) => {
    if (count % 5000 === 0) console.log(`${count} inputs tried`)
  },
})
for (const { attack, index, message } of findings)
  console.log(`--only ${attack} --at ${index}: ${message}\n`)
const took = ((performance.now() - began) / 1000).toFixed(0)
const kinds = Object.entries(byAttack).map(([name, count]) => `${name} ${count}`)
console.log(
  `${tried} inputs tried in ${took} s (${kinds.join(', ')}), ${findings.length} did harm.`,
)
process.exit(findings.length > 0 ? 1 : 0)
