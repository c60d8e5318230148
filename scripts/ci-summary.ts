/**
 * The last line of a CI run, from vitest's JSON reports; fails when a test failed, or was skipped that
 * the first argument does not name.
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

const [mayBeSkipped = '', ...paths] = process.argv.slice(2)
const reports = await Promise.all(
  paths.map((path) =>
    readFile(path, 'utf8').then(
      (text): Report => JSON.parse(text),
      () => none,
    ),
  ),
)

const sumOf = (count: (report: Report) => number) =>
  reports.reduce((sum, report) => sum + count(report), 0)

const passed = sumOf(({ numPassedTests }) => numPassedTests)
// A file that could not even be loaded fails the run without a failed test.
const failed = sumOf(({ numFailedTests, success }) => Math.max(numFailedTests, success ? 0 : 1))
const skipped = sumOf(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)

const namedSkips = reports
  .flatMap(({ testResults }) => testResults)
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status }) => status === 'skipped' || status === 'pending')
  .filter(({ fullName }) => mayBeSkipped !== '' && fullName.includes(mayBeSkipped))
process.exitCode = failed + skipped - namedSkips.length === 0 ? 0 : 1
