import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { version } from '../../src/version.ts'
import { deafPort } from '../support/ports.ts'

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

test('the files of the image are enough to run', async () => {
  await copyAsIn(stages.at(-1))
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

test('the files of the console’s stage are enough to build it', async () => {
  await copyAsIn(stages.find((stage) => /^\S+ AS console$/m.test(stage)))
  await installModules()
  const built = spawnSync(process.execPath, ['scripts/build-console.ts'], { cwd: app })
  expect(`${built.stdout}${built.stderr}`).toBe('')
  expect(await readdir(join(app, 'server/console'))).toContain('index.html')
}, 60_000)

test('an installation without development packages says that the console is not built', async () => {
  await copyAsIn(stages.find((stage) => /^\S+ AS dependencies$/m.test(stage)))
  const { scripts } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  const [, ...args] = scripts.prepare.split(' ')
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' })
  expect([status, stdout.trim()]).toEqual([
    0,
    'The console is not built: its packages are not installed.',
  ])
})
