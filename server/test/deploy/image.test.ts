import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { version } from '../../src/version.ts'
import { deafPort } from '../support/machines/ports.ts'

const root = join(import.meta.dirname, '../../..')
let app: string

beforeEach(async () => {
  app = await mkdtemp(join(tmpdir(), 'flightdeck-image-'))
})
afterEach(() => rm(app, { recursive: true }))

const stages = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').split(/^FROM /m)

/** Copies what a stage of the Dockerfile copies from the repository. */
async function copyAsIn(stage: string | undefined): Promise<void> {
  const copies = stage?.matchAll(/^COPY (?!--from)(.+) \S+$/gm) ?? []
  for (const file of [...copies].flatMap(([, files = '']) => files.split(' '))) {
    await mkdir(join(app, dirname(file)), { recursive: true })
    await cp(join(root, file), join(app, file), { recursive: true })
  }
}

/** As npm makes it: links to workspaces are relative, so they lead into the image. */
async function installModules(): Promise<void> {
  const [from, to] = [join(root, 'node_modules'), join(app, 'node_modules')]
  await mkdir(to)
  for (const name of await readdir(from)) {
    if (name === '@flightdeckhq')
      await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else await symlink(join(from, name), join(to, name))
  }
}

const clients = stages.find((stage) => /^\S+ AS clients$/m.test(stage))

test('the files of the image are enough to run', async () => {
  await copyAsIn(stages.at(-1))
  // From the stage before.
  await cp(join(root, 'sdk/dist'), join(app, 'sdk/dist'), { recursive: true })
  await installModules()
  const launcher = join(app, 'flightdeck')
  const args = ['config', 'check', '--json']
  const { stdout, stderr } = spawnSync(launcher, args, { cwd: app, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({ valid: true })
  const url = `http://127.0.0.1:${deafPort}`
  const listen = ['listen', '--token', 't', '--url', url]
  const { output } = spawnSync(launcher, listen, { cwd: app, encoding: 'utf8' })
  expect(output.join('')).toContain('ECONNREFUSED')
  expect(version).toBe(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')).version)
})

test('the files of their stage are enough to build the console and the SDK', async () => {
  await copyAsIn(clients)
  await installModules()
  await symlink(join(root, 'sdk/node_modules'), join(app, 'sdk/node_modules'))
  for (const script of ['scripts/build-console.ts', 'scripts/build-sdk.ts']) {
    const built = spawnSync(process.execPath, [script], { cwd: app })
    expect(`${built.stdout}${built.stderr}`).toBe('')
  }
  expect(await readdir(join(app, 'server/console'))).toContain('index.html')
  expect(await readdir(join(app, 'server/sdk'))).toEqual([`flightdeckhq-sdk-${version}.tgz`])
})

test('an installation without development packages says what is not built', async () => {
  await copyAsIn(stages.find((stage) => /^\S+ AS dependencies$/m.test(stage)))
  const { scripts } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  const options = { cwd: app, encoding: 'utf8', shell: true } as const
  const { status, stdout } = spawnSync(scripts.prepare, options)
  expect([status, stdout.trim().split('\n')]).toEqual([
    0,
    [
      'The console is not built: its packages are not installed.',
      expect.stringContaining('The SDK is not packed: there is no LICENSE'),
    ],
  ])
  const own = spawnSync(process.execPath, ['sdk/prepare.js'], { cwd: app, encoding: 'utf8' })
  expect([own.status, own.stderr]).toEqual([0, ''])
})
