/** Writes every generated file; with `--check` only lists the stale ones. */

import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../server/src/database/embedded/start.ts'
import { migrate } from '../../server/src/database/upkeep/migrate.ts'
import { allCaps, eventTypes, features } from '../../server/src/features/index.ts'
import { type OpenApiDocument, openApiDocument } from '../../server/src/http/openapi/document.ts'
import { version } from '../../server/src/version.ts'
import { buildSdk } from '../release/pack-sdk.ts'
import { root, run } from '../run.ts'
import { type Catalogue, readCatalogue, schemaText, typesText } from './catalogue.ts'
import { cliText } from './cli/operations.ts'
import { projectSchemaText } from './cli/project.ts'
import { consoleApiText, consoleCountriesText } from './console-api.ts'
import { eventObjectsText, titleOf } from './event-objects.ts'
import { openedText, operationsOf, trimmed, withProblems } from './sdk/document.ts'
import { operationsText, resourcesText } from './sdk/texts.ts'

type Generated = { path: string; text: string }

const scratch = await mkdtemp(join(tmpdir(), 'flightdeck-generate-'))
try {
  const caps = capsFile()
  // The settings in the documents are read from it.
  if (!process.argv.includes('--check')) await write([caps])
  const files = [caps, ...(await Promise.all([databaseFiles(), apiFiles(), documents()])).flat()]
  if (process.argv.includes('--check')) await check(files)
  else {
    await write(files)
    await buildSdk()
  }
} finally {
  await rm(scratch, { recursive: true, force: true })
}

function capsFile(): Generated {
  const lines = allCaps().map(({ name, defaultLimit }) => `  ${name}: ${defaultLimit},\n`)
  const text = `// Made from the caps that the features declare by "npm run generate": do not edit.
export const defaultCaps = {
${lines.join('')}} as const

export type CapName = keyof typeof defaultCaps
`
  return { path: 'server/src/config/caps.ts', text }
}

async function databaseFiles(): Promise<Generated[]> {
  const catalogue = await migratedCatalogue()
  return [
    { path: 'server/schema.sql', text: schemaText(catalogue) },
    { path: 'server/src/database/tables/types.ts', text: typesText(catalogue) },
  ]
}

async function migratedCatalogue(): Promise<Catalogue> {
  const dataDir = join(scratch, 'data')
  const settings = { fsync: 'off', synchronous_commit: 'off' }
  const postgres = await startEmbedded({ dataDir, owner: 'npm run generate', settings })
  try {
    await migrate(postgres.address)
    return await readCatalogue(postgres.address)
  } finally {
    await postgres.stop()
  }
}

async function apiFiles(): Promise<Generated[]> {
  const document = openApiDocument(features, { version })
  const operations = operationsOf(document)
  return [
    { path: 'openapi.json', text: `${JSON.stringify(document, null, 2)}\n` },
    {
      path: 'sdk/src/openapi.ts',
      text: await sdkTypes(withProblems(document)),
    },
    { path: 'sdk/src/operations.ts', text: operationsText(operations) },
    { path: 'sdk/src/resources.ts', text: resourcesText(operations) },
    { path: 'console/src/api.gen.ts', text: await consoleApiText(document) },
    { path: 'console/src/data/values/countries.gen.ts', text: consoleCountriesText(document) },
    { path: 'cli/operations.json', text: cliText(document) },
    { path: 'cli/project.schema.json', text: projectSchemaText(document) },
    { path: 'server/src/http/site/project.schema.json', text: projectSchemaText(document) },
    { path: 'sdk/src/event-objects.ts', text: eventObjectsText(eventTypes) },
  ]
}

/** Documents whose generated parts are stale. */
async function documents(): Promise<Generated[]> {
  const { withTables } = await import('./doc-tables.ts')
  const paths = await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { cwd: root }))
  const found = await Promise.all(
    paths.map(async (path) => {
      const before = await readFile(join(root, path), 'utf8')
      return { path, text: withTables(before), before }
    }),
  )
  return found.filter(({ text, before }) => text !== before)
}

/** Schemas that no operation answers, and the SDK's own code names. */
function namedInSdk(): string[] {
  const own = ['Problem', 'ProblemMembers', 'Warning']
  return [...own, ...eventTypes.map(({ schema }) => titleOf(schema))]
}

async function sdkTypes(document: OpenApiDocument): Promise<string> {
  const [source, target] = [join(scratch, 'openapi.json'), join(scratch, 'openapi.ts')]
  await writeFile(source, JSON.stringify(trimmed(document, namedInSdk())))
  const cli = 'sdk/node_modules/openapi-typescript/bin/cli.js'
  // An input that has a default may be left out.
  const options = ['--default-non-nullable=false']
  const { ok, output } = await run(process.execPath, [cli, source, ...options, '--output', target])
  if (!ok) throw new Error(`openapi-typescript failed:\n${output}`)
  return openedText(await readFile(target, 'utf8'))
}

async function write(files: readonly Generated[]): Promise<void> {
  await Promise.all(files.map(({ path, text }) => writeFile(join(root, path), text)))
}

async function check(files: readonly Generated[]): Promise<void> {
  const present = await Promise.all(
    files.map(({ path }) => readFile(join(root, path), 'utf8').catch(() => null)),
  )
  const stale = files.filter(({ text }, at) => present[at] !== text)
  if (stale.length === 0) return
  console.error(`Stale, run npm run generate: ${stale.map(({ path }) => path).join(', ')}`)
  process.exitCode = 1
}
