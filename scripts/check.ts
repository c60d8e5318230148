/**
 * Every check that does not run the service, in parallel. Prints failures and warnings only. A step
 * that names what it reads does not judge the same files twice.
 */
import { digestOfFiles, openKept } from './check/kept.ts'
import { type Outcome, root, run } from './run.ts'

const bin = (name: string) => `${root}/node_modules/.bin/${name}`
/** The compiler, which keeps its findings: a second run looks at what has changed. */
const tsc = (project: string, name: string) => [
  bin('tsc'),
  ...['-p', project, '--incremental'],
  ...['--tsBuildInfoFile', `${root}/node_modules/.cache/flightdeck/${name}.tsbuildinfo`],
]
const script = (name: string, ...args: string[]) => [process.execPath, `scripts/${name}`, ...args]

type Step = {
  command: readonly string[]
  /** The files that its verdict depends on, as patterns of git. */
  reads?: readonly string[]
}

const code = ['*.ts', '*.tsx', '*.js', '*.json']

const steps: Readonly<Record<string, Step>> = {
  'format and lint': { command: [bin('biome'), 'ci', '--colors=off', '--error-on-warnings', '.'] },
  types: { command: tsc('.', 'root') },
  'types of the console': { command: tsc('console', 'console') },
  'unused code': { command: [bin('knip')], reads: [...code, '*.html', '*.css'] },
  // Installs nothing: whether the lock file is whole, and has what package.json asks for.
  'lock file': {
    command: ['npm', 'ci', '--dry-run', '--ignore-scripts', '--offline'],
    reads: ['*package.json'],
  },
  'generated files': {
    command: script('generate/generate.ts', '--check'),
    reads: [...code, '*.sql', '*.md'],
  },
  documents: { command: script('check/check-docs.ts') },
  decisions: { command: script('check/check-decisions.ts') },
  commits: { command: script('check/check-commits.ts') },
  sizes: { command: script('check/source/check-sizes.ts'), reads: code },
  words: { command: script('check/source/check-words.ts') },
  'names of types': { command: script('check/source/check-type-names.ts'), reads: code },
  'breaking changes': { command: script('check/api-diff.ts') },
  'OpenAPI document': { command: script('check/check-openapi.ts') },
  'OpenAPI document by Redocly': {
    command: [
      ...['env', 'REDOCLY_TELEMETRY=off', 'REDOCLY_SUPPRESS_UPDATE_NOTICE=true'],
      ...[bin('redocly'), 'lint', '--extends=recommended-strict', 'openapi.json'],
    ],
    reads: ['openapi.json'],
  },
  'OpenAPI document by Spectral': {
    command: script('check/spectral.ts'),
    reads: ['openapi.json', 'scripts/*.ts'],
  },
  patterns: { command: script('check/check-patterns.ts'), reads: code },
  'weight of the console': {
    command: script('check/check-console-weight.ts'),
    reads: ['console/*', 'sdk/*', 'scripts/*.ts'],
  },
}

const began = performance.now()
/** Another release of a tool judges all again. */
const passed = await openKept('passed-steps', await digestOfFiles(['package-lock.json']))
const newer = run(process.execPath, ['scripts/check/newer.ts'])
const outcomes = await Promise.all(
  Object.entries(steps).map(async ([name, step]) => ({
    name,
    ...(await outcomeOf(name, step)),
    seconds: secondsSinceStart(),
  })),
)
await passed.store()
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

async function outcomeOf(name: string, { command, reads }: Step): Promise<Outcome> {
  const [program = '', ...args] = command
  if (!reads) return run(program, args)
  const read = `${name}\n${await digestOfFiles(reads)}`
  if (passed.has(read)) return { ok: true, output: '' }
  const outcome = await run(program, args)
  if (outcome.ok) passed.add(read)
  return outcome
}

/** All steps start at once, so a step's figure has the others beside it. */
function secondsSinceStart(): number {
  return (performance.now() - began) / 1000
}

function report({ name, output }: Outcome & { name: string }): void {
  console.error(`\n── ${name} ──\n${output}\n`)
}
