/**
 * Prints the last line of a CI run from vitest's JSON report. Fails when a test failed, or was
 * skipped and is not named by the second argument.
 */
import { readFile } from 'node:fs/promises'

type Report = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  success: boolean
  testResults: { assertionResults: { fullName: string; status: string }[] }[]
}

const none: Report = {
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  success: false,
  testResults: [],
}

const [path = '', mayBeSkipped = ''] = process.argv.slice(2)
const report = await readFile(path, 'utf8').then(
  (text): Report => JSON.parse(text),
  () => none,
)
// A file that fails to load fails the run without a failed test.
const failed = Math.max(report.numFailedTests, report.success ? 0 : 1)
const skipped = report.numPendingTests + report.numTodoTests
console.log(`${report.numPassedTests} passed, ${failed} failed, ${skipped} skipped`)

const namedSkips = report.testResults
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status }) => status === 'skipped' || status === 'pending')
  .filter(({ fullName }) => mayBeSkipped !== '' && fullName.includes(mayBeSkipped))
process.exitCode = failed + skipped - namedSkips.length === 0 ? 0 : 1
