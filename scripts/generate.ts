/** Writes every generated file; with `--check` only lists the stale ones. */
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../server/src/database/embedded/start.ts'
import { migrate } from '../server/src/database/migrate.ts'
import { eventTypes, features } from '../server/src/features/index.ts'
import { type OpenApiDocument, openApiDocument } from '../server/src/http/openapi/document.ts'
import { version } from '../server/src/version.ts'
import { type Catalogue, readCatalogue, schemaText, typesText } from './catalogue.ts'
import { withTables } from './doc-tables.ts'
import { eventObjectsText, withEventSchemas } from './event-objects.ts'
import { root, run } from './run.ts'

type Generated = { path: string; text: string }

const scratch = await mkdtemp(join(tmpdir(), 'flightdeck-generate-'))
try {
  const files = (await Promise.all([databaseFiles(), apiFiles(), documents()])).flat()
  if (process.argv.includes('--check')) await check(files)
  else await write(files)
} finally {
  await rm(scratch, { recursive: true, force: true })
}

async function databaseFiles(): Promise<Generated[]> {
  const catalogue = await migratedCatalogue()
  return [
    { path: 'server/schema.sql', text: schemaText(catalogue) },
    { path: 'server/src/database/types.ts', text: typesText(catalogue) },
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
  const endpoints = features.flatMap((feature) => feature.endpoints)
  const document = openApiDocument(endpoints, { version })
  const types = await sdkTypes(withEventSchemas(document, eventTypes))
  return [
    { path: 'openapi.json', text: `${JSON.stringify(document, null, 2)}\n` },
    { path: 'sdk/src/openapi.ts', text: types },
    { path: 'sdk/src/event-objects.ts', text: eventObjectsText(eventTypes) },
  ]
}

/** Documents whose generated parts are stale. */
async function documents(): Promise<Generated[]> {
  const paths = await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { cwd: root }))
  const found = await Promise.all(paths.map(documentAt))
  return found.filter(({ text, before }) => text !== before)
}

async function documentAt(path: string): Promise<Generated & { before: string }> {
  const before = await readFile(join(root, path), 'utf8')
  return { path, text: withTables(before), before }
}

async function sdkTypes(document: OpenApiDocument): Promise<string> {
  const [source, target] = [join(scratch, 'openapi.json'), join(scratch, 'openapi.ts')]
  await writeFile(source, JSON.stringify(document))
  const cli = 'sdk/node_modules/openapi-typescript/bin/cli.js'
  const { ok, output } = await run(process.execPath, [cli, source, '--output', target])
  if (!ok) throw new Error(`openapi-typescript failed:\n${output}`)
  return await readFile(target, 'utf8')
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
