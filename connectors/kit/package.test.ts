import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packConnect } from '../../scripts/release/pack-connect.ts'
import { packSdk } from '../../scripts/release/pack-sdk.ts'
import { root, run } from '../../scripts/run.ts'

/** An empty project that has installed the package with the SDK, and nothing else. */
let project: string

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'flightdeck-connect-user-'))
  const tarballs = [await packSdk(project), await packConnect(project)]
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await succeed('npm', ['install', '--no-audit', '--no-fund', ...tarballs])
})
afterAll(() => rm(project, { recursive: true, force: true }))

async function succeed(command: string, args: string[]): Promise<string> {
  const { ok, output } = await run(command, args, project)
  if (!ok) throw new Error(output)
  return output
}

const program = `import { type Adapter, main, NetworkFault } from '@flightdeckhq/connect'
import { adapterTests } from '@flightdeckhq/connect/adapter-tests'

type Body = { name: string }

const adapter: Adapter<Body> = {
  platform: 'other',
  name: 'mine',
  version: '1.0.0',
  apiVersion: '1',
  url: 'http://127.0.0.1:9',
  coverage: { name: 'native', status: 'native', budget: 'native', dates: 'emulated', schedule: 'refused' },
  authorize: async () => ({ headers: {}, expiresAt: null }),
  account: async () => {
    throw new NetworkFault('transient', 'There is no network.')
  },
  async *inventory() {},
  plan: ({ name }) => ({ body: { name } }),
  read: async () => new Map(),
  apply: async () => ({ id: '1' }),
  remove: async () => {},
  async *results() {},
}

const tests = adapterTests(async () => ({ adapter, access: null as never, plan: null as never }))
await tests[0]?.run()
console.log(tests.length > 5, tests[0]?.name)
console.log(await main({ name: 'mine', options: {}, open: async () => ({ adapter }) }, ['--help']))
`

test('a connector is written with the package and the SDK alone, typed, tested and run', async () => {
  await writeFile(join(project, 'program.ts'), program)
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'esnext', 'dom'],
    types: [],
    skipLibCheck: false,
  }
  const tsconfig = { compilerOptions, files: ['program.ts'] }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(tsconfig))
  expect(await succeed(join(root, 'node_modules/.bin/tsc'), ['-p', project])).toBe('')
  const printed = await succeed(process.execPath, ['program.js'])
  expect(printed).toContain('true says how it keeps each field')
  expect(printed).toContain('--max-daily')
  expect(printed.trimEnd()).toMatch(/\n0$/)
})
