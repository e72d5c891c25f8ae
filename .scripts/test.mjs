// npm test: everything needed to trust a checkout. Every step runs even when one before it failed.
import './require-node.mjs'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { obtainBrowser } from './browser.mjs'
import { checks } from './checks.mjs'
import { closingLine, countVitest } from './count.mjs'
import { build, install } from './prepare.mjs'
import { at, runPackage } from './run.mjs'
import { testEnvironment } from './test-folder.mjs'

const report = at('test/output/vitest.json')
// Written by the desktop suite: the Electron that it ran on, in its own words.
const desktopHost = at('test/output/desktop-host.txt')

const results = []
const note = (name, code) => {
  results.push({ name, passed: code === 0 })
  console.log(`${code === 0 ? '✓' : '✗'} ${name}`)
}

mkdirSync(at('test/output'), { recursive: true })
for (const file of [report, desktopHost]) rmSync(file, { force: true })

const installCode = await install()
note('install', installCode)
if (installCode !== 0) finish({ passed: 0, failed: 0, skipped: 0, files: 0, failures: [] })

// At once: each alone leaves cores idle.
const steps = [...checks, { name: 'build', run: build }]
const codes = await Promise.all(steps.map(({ run }) => run()))
for (const [at, { name }] of steps.entries()) note(name, codes[at])

const browser = await obtainBrowser()
note('browser for the page tests', browser ? 0 : 1)
if (!browser) {
  console.log(
    'No browser: the page tests fail. Install Chromium or Chrome, or name one with CHROMIUM_PATH.',
  )
}

const code = await runPackage(
  'vitest/vitest.mjs',
  [
    'run',
    '--config=vite.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  {
    stdout: 1,
    env: { ...testEnvironment(), ...(browser && { CHROMIUM_PATH: browser }) },
    timeout: 60 * 60 * 1000,
  },
)
finish(countVitest(report, code))

/** Says what ran and on what, then what failed, then the numbers, and ends the process. */
function finish(suites) {
  const failedSteps = results.filter((result) => !result.passed).map((result) => result.name)
  const passed = results.length - failedSteps.length + suites.passed
  const failed = failedSteps.length + suites.failed
  const failures = [...failedSteps, ...suites.failures]
  const host = existsSync(desktopHost)
    ? readFileSync(desktopHost, 'utf8').trim()
    : 'Desktop ran on: nothing (its suite did not begin)'
  console.log(
    `Ran ${results.map((result) => result.name).join(', ')} and ${suites.files} test files.`,
  )
  console.log(`Node ${process.versions.node} on ${process.platform} ${process.arch}.`)
  console.log(host)
  for (const name of failures) console.log(`Failed: ${name}`)
  console.log(closingLine({ passed, failed, skipped: suites.skipped }))
  process.exit(failed === 0 ? 0 : 1)
}
