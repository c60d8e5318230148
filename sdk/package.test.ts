import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { packSdk } from '../scripts/release/pack-sdk.ts'
import { root, run } from '../scripts/run.ts'
import { openWorld } from '../server/test/support/world.ts'
import { operationsIn } from './src/operation.ts'
import { operations } from './src/operations.ts'

/** An empty project that has installed the package, and nothing else. */
let project: string
let dist: string

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'flightdeck-sdk-user-'))
  const tarball = await packSdk(project)
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await succeed('npm', ['install', '--no-audit', '--no-fund', tarball])
  dist = join(project, 'node_modules/@flightdeckhq/sdk/dist')
})
afterAll(() => rm(project, { recursive: true, force: true }))

async function succeed(command: string, args: string[]): Promise<string> {
  const { ok, output } = await run(command, args, project)
  if (!ok) throw new Error(output)
  return output
}

const program = `import { createFlightdeck, FlightdeckConnectionError, isProblem, type Schema } from '@flightdeckhq/sdk'
import { webhooks } from '@flightdeckhq/sdk/webhooks'

const flightdeck = createFlightdeck({ baseUrl: 'http://127.0.0.1:9/api/v1', token: 't', retries: 0 })

export async function raise(id: string): Promise<Schema<'Campaign'> | null> {
  const campaign = await flightdeck.campaigns.get(id)
  const { warnings } = await flightdeck.campaigns.update(campaign, { daily_budget: '120.50' }).dryRun()
  if (warnings.length > 0) return null
  return flightdeck.campaigns.update(campaign, { daily_budget: '120.50' })
}

export async function names(): Promise<string[]> {
  const campaigns = await flightdeck.campaigns.list({ status: ['active'] }).toArray({ limit: 10 })
  return campaigns.map(({ name }) => name)
}

const secret = \`whsec_\${btoa('a secret of at least 24 bytes')}\`
const event = { id: 'evt_1', type: 'campaign.paused', data: {} }
const headers = await webhooks.sign(event, secret)
const { id } = await webhooks.verify(JSON.stringify(event), headers, secret)
const error = await flightdeck.auth.me().catch((error: unknown) => error)
console.log(id, isProblem(error, 'not_found'), error instanceof FlightdeckConnectionError)
`

const mistakes = `import { createFlightdeck } from '@flightdeckhq/sdk'

const flightdeck = createFlightdeck({ baseUrl: 'http://127.0.0.1:9/api/v1', token: 't' })
void flightdeck.campaigns.update('cmp_1', { daily_budget: true })
void flightdeck.campaigns.list({ stauts: 'draft' })
void flightdeck.campaigns.pause()
`

const options = {
  strict: true,
  noEmit: false,
  target: 'es2023',
  types: [],
  lib: ['es2023', 'esnext', 'dom'],
  skipLibCheck: false,
}

test.each(['nodenext', 'preserve'])(
  'its types hold in a strict project, module %s',
  async (module) => {
    await writeFile(join(project, 'program.ts'), program)
    const tsconfig = { compilerOptions: { ...options, module }, files: ['program.ts'] }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(tsconfig))
    expect(await succeed(join(root, 'node_modules/.bin/tsc'), ['-p', project])).toBe('')
  },
)

test('it refuses what the API would refuse', async () => {
  await writeFile(join(project, 'mistakes.ts'), mistakes)
  const compilerOptions = { ...options, module: 'nodenext', noEmit: true }
  const tsconfig = { compilerOptions, files: ['mistakes.ts'] }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(tsconfig))
  const { output } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', project], project)
  expect(output.match(/^mistakes\.ts\(\d+/gm)).toEqual(
    [4, 5, 6].map((line) => `mistakes.ts(${line}`),
  )
})

test('it runs under the oldest Node.js that it supports and the newest', async () => {
  const oldest = ['exec', '--yes', '--prefer-offline', '--package=node@22', '--', 'node']
  const versions = [await succeed('npm', [...oldest, '--version']), process.version]
  expect(versions.map((version) => version.slice(0, 3))).toEqual(['v22', 'v26'])
  for (const node of [['npm', ...oldest], [process.execPath]]) {
    const [command = '', ...args] = node
    expect(await succeed(command, [...args, 'program.js'])).toBe('evt_1 false true')
  }
})

const imports = `import { createFlightdeck } from '@flightdeckhq/sdk'
console.log(typeof createFlightdeck)`

describe('an empty directory', () => {
  let directory: string

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'flightdeck-sdk-empty-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  /** Installs with the line of the README, and imports it in the Node.js of the system. */
  async function imported(what: string): Promise<string> {
    const installed = await run('npm', ['install', '--no-audit', '--no-fund', what], directory)
    if (!installed.ok) throw new Error(installed.output)
    await writeFile(join(directory, 'program.mjs'), imports)
    return (await run('node', ['program.mjs'], directory)).output.trim()
  }

  test('installs it from the service', async () => {
    const world = await openWorld()
    await packSdk(join(root, 'server/sdk'))
    const origin = await world.app.listen({ host: '127.0.0.1', port: 0 })
    expect(await imported(`${origin}/sdk/flightdeckhq-sdk.tgz`)).toBe('function')
    await world.close()
  })

  test('installs it from a clone', async () => {
    expect(await imported(join(root, 'sdk'))).toBe('function')
  })

  test('installs it from a clone without packages, and without types', async () => {
    const clone = await mkdtemp(join(tmpdir(), 'flightdeck-clone-'))
    const filter = (path: string) => !/node_modules|\/dist/.test(path.slice(root.length))
    await cp(join(root, 'sdk'), join(clone, 'sdk'), { recursive: true, filter })
    expect(await imported(join(clone, 'sdk'))).toBe('function')
    expect(await readdir(join(clone, 'sdk/dist'))).not.toContain('client.d.ts')
    await rm(clone, { recursive: true })
  })
})

test.each([
  ['nodenext', ''],
  ['node16', 'TS1479'],
])('in CommonJS, module %s', async (module, fault) => {
  const source = `import { createFlightdeck } from '@flightdeckhq/sdk'
createFlightdeck({ baseUrl: 'http://127.0.0.1:9', token: 't' })
console.log(createFlightdeck.name)`
  await writeFile(join(project, 'common.cts'), source)
  const tsconfig = { compilerOptions: { ...options, module }, files: ['common.cts'] }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(tsconfig))
  const { output } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', project], project)
  expect(output).toContain(fault)
  if (fault === '') {
    expect(output).toBe('')
    expect(await succeed(process.execPath, ['common.cjs'])).toBe('createFlightdeck')
  }
})

test('it has no dependencies, and little to read and to load', async () => {
  const manifest = JSON.parse(await readFile(join(dist, '../package.json'), 'utf8'))
  expect(Object.keys(manifest)).not.toContain('dependencies')
  expect(await bytesOfTypes()).toBeLessThanOrEqual(operationCount * 2_600)
  // The table of operations is a part of it.
  expect(await bundledBytes('client')).toBeLessThanOrEqual(4_700 + operationCount * 15)
  expect(await bundledBytes('webhooks')).toBeLessThanOrEqual(1_500)
})

const operationCount = Object.values(operations).flatMap(operationsIn).length

async function bytesOfTypes(): Promise<number> {
  const files = (await readdir(dist)).filter((file) => file.endsWith('.d.ts'))
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** As a page would load it: one file, minified and compressed. */
async function bundledBytes(entry: string): Promise<number> {
  const bundle = await rolldown({ input: join(dist, `${entry}.js`) })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  return gzipSync(output[0].code, { level: 9 }).length
}
