/**
 * The last line of a CI run, from vitest's JSON reports; fails when a test failed, or was skipped that
 * the first argument does not name. Tests that are named not to run on Citus are listed before it, and not counted.
 */
import { readFile } from 'node:fs/promises'
import { filesNotOnCitus, testsNotOnCitus } from '../server/test/citus/not-on-citus.ts'

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

const skippedIn = ({ testResults }: Report): string[] =>
  testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'skipped' || status === 'pending')
    .map(({ fullName }) => fullName)

const onCitus = reports.filter((_, at) => paths[at]?.endsWith('/citus.json'))
const notOnCitus = onCitus.flatMap(skippedIn).filter((name) => name in testsNotOnCitus)
if (onCitus.length > 0) {
  for (const [name, reason] of Object.entries({ ...filesNotOnCitus, ...testsNotOnCitus }))
    console.log(`not on Citus: ${name}: ${reason}`)
}

const sumOf = (count: (report: Report) => number) =>
  reports.reduce((sum, report) => sum + count(report), 0)

const passed = sumOf(({ numPassedTests }) => numPassedTests)
// A file that could not even be loaded fails the run without a failed test.
const failed = sumOf(({ numFailedTests, success }) => Math.max(numFailedTests, success ? 0 : 1))
const skipped =
  sumOf(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests) - notOnCitus.length
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)

const namedSkips = reports
  .flatMap(skippedIn)
  .filter((name) => mayBeSkipped !== '' && name.includes(mayBeSkipped))
process.exitCode = failed + skipped - namedSkips.length === 0 ? 0 : 1
