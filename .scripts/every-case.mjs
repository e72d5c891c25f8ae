// npm run every-case: the tests of which npm test takes a sample (test/support/every-case.ts), with all their cases.
import './require-node.mjs'
import { readdirSync, readFileSync } from 'node:fs'
import { obtainBrowser } from './browser.mjs'
import { at, runPackage } from './run.mjs'
import { testEnvironment } from './test-folder.mjs'

const files = readdirSync(at('test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file.replaceAll('\\', '/')}`)
  .filter((file) => readFileSync(at(file), 'utf8').includes('support/every-case.ts'))

const flags = ['run', '--config=vite.config.ts', ...files, ...process.argv.slice(2)]
const browser = await obtainBrowser()
const env = {
  ...testEnvironment(),
  ...{ EVERY_CASE: '1' },
  ...(browser && { CHROMIUM_PATH: browser }),
}
process.exit(await runPackage('vitest/vitest.mjs', flags, { stdout: 1, env }))
