// npm run check: format, lint and import rules, types, dead code; no tests.
import './require-node.mjs'
import { checks } from './checks.mjs'
import { install } from './prepare.mjs'

if ((await install()) !== 0) process.exit(1)

let failed = 0
for (const check of checks) {
  const code = await check.run()
  console.log(`${check.name}: ${code === 0 ? 'passed' : 'failed'}`)
  if (code !== 0) failed++
}
process.exit(failed === 0 ? 0 : 1)
