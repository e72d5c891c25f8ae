import { readFileSync } from 'node:fs'

/**
 * The numbers of a Vitest run, from its JSON report and its exit code. A file that could not be
 * loaded, an error outside every test and a run without a report each count as one failure.
 */
export function countVitest(reportPath, code) {
  const count = { passed: 0, failed: 0, skipped: 0, files: 0 }
  try {
    const report = JSON.parse(readFileSync(reportPath, 'utf8'))
    const unloaded = report.testResults.filter(
      (file) =>
        file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    )
    count.passed = report.numPassedTests
    count.failed = report.numFailedTests + unloaded.length
    count.skipped = report.numPendingTests + report.numTodoTests
    count.files = report.testResults.length
  } catch (error) {
    console.log(`The test run left no report: ${error.message}`)
  }
  if (count.failed === 0 && (code !== 0 || count.passed === 0)) count.failed = 1
  return count
}

/** The closing line, `N passed, N failed`, with the skipped ones when there are any. */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
