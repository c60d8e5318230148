/** The last line of a CI run, from vitest's JSON report; fails when a test failed or was skipped. */
import { readFile } from 'node:fs/promises'

type Report = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  success: boolean
}

const none: Report = {
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  success: false,
}

const [path = ''] = process.argv.slice(2)
const report = await readFile(path, 'utf8').then(
  (text): Report => JSON.parse(text),
  () => none,
)
// A file that could not even be loaded fails the run without a failed test.
const failed = Math.max(report.numFailedTests, report.success ? 0 : 1)
const skipped = report.numPendingTests + report.numTodoTests
console.log(`${report.numPassedTests} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = failed + skipped === 0 ? 0 : 1
