import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as typescript from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../scripts/run.ts'

// The compiler of the SDK's own packages: that of the repository has no language service.
const ts: typeof typescript = createRequire(join(root, 'sdk/package.json'))('typescript')

const program = join(root, 'sdk/src/hovered.ts')
const source = `import { createFlightdeck } from './client.ts'
const flightdeck = createFlightdeck({ baseUrl: 'http://127.0.0.1:9', token: 't' })
flightdeck.campaigns.create({ name: 'A', objective: 'sales', profile_id: 'p', daily_budget: 1, currency: 'USD' })
flightdeck.campaigns.list({ pacing_status: 'over' })
flightdeck.campaigns.bulk({ mode: 'atomic', operations: [] })
`

const options = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
}

const read = (path: string) => (path === program ? source : ts.sys.readFile(path))
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [program],
  getScriptVersion: () => '1',
  getScriptSnapshot: (path) => {
    const text = read(path)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => path === program || ts.sys.fileExists(path),
  readFile: read,
  directoryExists: ts.sys.directoryExists,
})

/** The text that an editor shows of the first such word. */
function hoverOf(word: string): string {
  const info = service.getQuickInfoAtPosition(program, source.indexOf(word))
  const tags =
    info?.tags?.map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`) ?? []
  return [ts.displayPartsToString(info?.documentation), ...tags].join('\n')
}

test('operations say what they do, who may, and where the rest is', () => {
  const text = hoverOf('create({ name')
  expect(text).toContain('Create a campaign')
  expect(text).toContain('Roles: owner, admin, editor.')
  expect(text).toMatch(/@see http:\/\/127\.0\.0\.1:8080\/docs#.*\/campaigns$/)
})

test.each([
  ['daily_budget', 'The most to spend in a day'],
  ['currency', 'ISO 4217'],
  ['pacing_status', 'of the pacing'],
  ['mode', 'all operations or none'],
])('in a literal, %s says what it is', (field, about) => {
  expect(hoverOf(field)).toContain(about)
})
