/** Every check that does not run the service, in parallel. Prints failures and warnings only. */
import { type Outcome, root, run } from './run.ts'

const bin = (name: string) => `${root}/node_modules/.bin/${name}`
/** The compiler, which keeps its findings: a second run looks at what has changed. */
const tsc = (project: string, name: string) => [
  bin('tsc'),
  ...['-p', project, '--incremental'],
  ...['--tsBuildInfoFile', `${root}/node_modules/.cache/flightdeck/${name}.tsbuildinfo`],
]
const script = (name: string, ...args: string[]) => [process.execPath, `scripts/${name}`, ...args]

const steps: Readonly<Record<string, readonly string[]>> = {
  'format and lint': [bin('biome'), 'ci', '--colors=off', '--error-on-warnings', '.'],
  types: tsc('.', 'root'),
  'types of the console': tsc('console', 'console'),
  'unused code': [bin('knip')],
  // Installs nothing: whether the lock file is whole, and has what package.json asks for.
  'lock file': ['npm', 'ci', '--dry-run', '--ignore-scripts', '--offline'],
  'generated files': script('generate/generate.ts', '--check'),
  documents: script('check/check-docs.ts'),
  decisions: script('check/check-decisions.ts'),
  commits: script('check/check-commits.ts'),
  sizes: script('check/source/check-sizes.ts'),
  words: script('check/source/check-words.ts'),
  'names of types': script('check/source/check-type-names.ts'),
  'breaking changes': script('check/api-diff.ts'),
  'OpenAPI document': script('check/check-openapi.ts'),
  'OpenAPI document by Redocly': [
    ...['env', 'REDOCLY_TELEMETRY=off', 'REDOCLY_SUPPRESS_UPDATE_NOTICE=true'],
    ...[bin('redocly'), 'lint', '--extends=recommended-strict', 'openapi.json'],
  ],
  'OpenAPI document by Spectral': script('check/spectral.ts'),
  patterns: script('check/check-patterns.ts'),
  'weight of the console': script('check/check-console-weight.ts'),
}

const began = performance.now()
const newer = run(process.execPath, ['scripts/check/newer.ts'])
const outcomes = await Promise.all(
  Object.entries(steps).map(async ([name, [command = '', ...args]]) => ({
    name,
    ...(await run(command, args)),
    seconds: secondsSinceStart(),
  })),
)
const failures = outcomes.filter(({ ok }) => !ok)
failures.forEach(report)
const { output: updates } = await newer
const hints = outcomes.find(({ name, ok }) => ok && name === 'words')?.output
for (const warning of [updates, hints]) if (warning) console.error(warning)
const each = outcomes.toSorted((a, b) => b.seconds - a.seconds)
console.log(each.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`).join(' · '))
const seconds = secondsSinceStart().toFixed(1)
const count = outcomes.length - failures.length
console.log(`check: ${count} of ${outcomes.length} steps passed in ${seconds} s`)
process.exitCode = failures.length === 0 ? 0 : 1

/** All steps start at once, so a step's figure has the others beside it. */
function secondsSinceStart(): number {
  return (performance.now() - began) / 1000
}

function report({ name, output }: Outcome & { name: string }): void {
  console.error(`\n── ${name} ──\n${output}\n`)
}
