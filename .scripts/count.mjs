import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { at } from './run.mjs'

/**
 * The numbers of a Vitest run, from its JSON report and its exit code, and what failed by name. A
 * file that could not be loaded, an error outside every test and a run without a report each count
 * as one failure.
 */
export function countVitest(reportPath, code) {
  const count = { passed: 0, failed: 0, skipped: 0, files: 0, failures: [] }
  try {
    const report = JSON.parse(readFileSync(reportPath, 'utf8'))
    for (const file of report.testResults) {
      const tests = file.assertionResults.filter((test) => test.status === 'failed')
      const unloaded = file.status === 'failed' && tests.length === 0
      const names = unloaded ? ['failed outside its tests'] : tests.map((test) => test.fullName)
      count.failures.push(...names.map((name) => `${relative(at(), file.name)}: ${name}`))
    }
    count.passed = report.numPassedTests
    count.failed = count.failures.length
    count.skipped = report.numPendingTests + report.numTodoTests
    count.files = report.testResults.length
  } catch (error) {
    console.log(`The test run left no report: ${error.message}`)
  }
  if (count.failed === 0 && (code !== 0 || count.passed === 0)) {
    count.failed = 1
    count.failures.push('an error outside every test')
  }
  return count
}

/** The closing line, `N passed, N failed`, with the skipped ones when there are any. */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
