import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, serve } from '../support/machines/command-line.ts'
import { isInstalled } from '../support/machines/programs.ts'
import { type Block, blocksOf, commandsInTables, variablesTakenBy } from './blocks.ts'
import { missingFields, missingLines } from './example.ts'
import { type Outcome, runSteps, type Step } from './shell.ts'

// Runs the shell blocks of the README and of each guide as they stand, each document as a reader
// would who begins with the quickstart.
const root = join(import.meta.dirname, '../../..')
const guides = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)
const readme = 'README.md'
const quickstart = 'docs/guides/quickstart.md'

const textOf = (document: string) => readFileSync(join(root, document), 'utf8')
const isShell = ({ language }: Block) => language === 'sh'
const documents = [readme, ...guides].filter((each) => blocksOf(textOf(each)).some(isShell))

/** The reasons why a block is not run here, with the test that reads or runs it instead. */
const reasons = new Set([
  'it starts the service',
  'it runs the tests',
  'it needs Docker',
  'it needs Kubernetes',
  'it needs systemd',
  'it needs a PostgreSQL of yours',
  'it needs a cluster of Citus',
  'it needs a checkpoint, made every hour',
  'it installs into your project',
  'another test runs it',
  'it needs an account of Google Ads',
])

let home: string
let service: Service

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-guides-'))
  const egress = { FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true', FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8' }
  service = await serve(home, egress)
})
afterAll(async () => {
  await service.stop('SIGTERM')
  await rm(home, { recursive: true, force: true })
})

/** The blocks of a document that a reader runs. */
const stepsOf = (document: string): Step[] =>
  [...blocksOf(textOf(document)), ...(document === readme ? commandsInTables(textOf(readme)) : [])]
    .filter((block) => (isShell(block) || block.file) && !block.notRun)
    .map((block) => ({ ...block, document }))

const introductionOf = (document: string) => textOf(document).split('```sh', 1)[0] ?? ''

const beginsWithQuickstart = (document: string) =>
  document !== quickstart && introductionOf(document).includes('(quickstart.md')

const nameOf = ({ document, line }: Step) => `${document}:${line}`

/** HTTP errors that the document does not show, and what only the document shows. */
function faultsOf(outcome: Outcome): string[] {
  const { stdout, statuses, prints, expects } = outcome
  const expected = `${prints?.text ?? ''}${expects}`
  const errors = statuses
    .filter((status) => status >= 400 && !expected.includes(String(status)))
    .map((status) => `answers ${status}: ${stdout}`)
  return [...errors, ...missingBelow(outcome)].map((fault) => `${nameOf(outcome)} ${fault}`)
}

function missingBelow({ prints, stdout, stderr, isEndless }: Outcome): string[] {
  if (prints?.language === 'json')
    return missingFields(stdout, prints.text).map((path) => `has no ${path}`)
  if (prints?.language === 'text' && !isEndless)
    return missingLines(`${stdout}\n${stderr}`, prints.text).map((line) => `does not print ${line}`)
  return []
}

const programs = ['curl', 'jq', 'python3']

describe.skipIf(!programs.every(isInstalled)).concurrent('as they stand', () => {
  test.each(documents)(
    '%s',
    async (document) => {
      const first = beginsWithQuickstart(document) ? stepsOf(quickstart).slice(0, 1) : []
      const address = new URL(service.url).host
      const { code, outcomes, hasLeftovers } = await runSteps([...first, ...stepsOf(document)], {
        home,
        address,
      })
      const last = outcomes.at(-1)
      expect(code, last && `${nameOf(last)}\n${last.text}\n${last.stdout}\n${last.stderr}`).toBe(0)
      expect(outcomes.flatMap(faultsOf)).toEqual([])
      expect(hasLeftovers).toBe(outcomes.some(({ isEndless }) => isEndless))
    },
    120_000,
  )
})

test.each(documents)('%s says where its variables come from', (document) => {
  const script = stepsOf(document).filter(isShell)
  const taken = variablesTakenBy(script.map(({ text }) => text).join('\n'))
  const introduction = introductionOf(document)
  expect(taken.filter((name) => !introduction.includes(`\`${name}\``))).toEqual([])
  expect(taken.length === 0 || beginsWithQuickstart(document)).toBe(true)
})

test.each(documents)('%s can be pasted into zsh, and says why a block is not run', (document) => {
  const blocks = blocksOf(textOf(document)).filter(isShell)
  const skipped = blocks.flatMap(({ notRun }) => notRun ?? [])
  expect(skipped.filter((reason) => !reasons.has(reason))).toEqual([])
  const lines = blocks.filter(({ notRun }) => !notRun).flatMap(({ text }) => text.split('\n'))
  // zsh expands a `?` that is not quoted, and knows no comments where people type.
  expect(lines.filter((line) => /^[^'"#]*\?/.test(line) || /\S\s+# /.test(line))).toEqual([])
})
