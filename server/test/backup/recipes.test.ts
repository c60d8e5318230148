import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { verifyBackup } from '../../src/backup/verify.ts'
import { run } from '../support/machines/command-line.ts'
import { freshDatabase, urlOf } from '../support/machines/fresh-database.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'

// Runs the recipes of the guides and of deploy/, with a database and a master key from the
// environment, as in a container.
const root = join(import.meta.dirname, '../../..')
const home = mkdtempSync(join(tmpdir(), 'flightdeck-recipes-'))
let world: OwnWorld
let env: Record<string, string>

beforeAll(async () => {
  world = await openOwnWorld()
  await world.organization()
  const key = await readFile(join(inject('dataDir'), 'master.key'), 'utf8')
  env = {
    FLIGHTDECK_DATABASE_URL: urlOf(world.database),
    FLIGHTDECK_MASTER_KEY: key.trim(),
    FLIGHTDECK_DATA_DIR: join(home, 'data'),
  }
})
afterAll(async () => {
  await world.close()
  rmSync(home, { recursive: true, force: true })
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')

function cronScript(): string {
  const [cronJob] = parseAllDocuments(read('deploy/kubernetes/backup.yaml'))
  const command = cronJob?.toJS().spec.jobTemplate.spec.template.spec.containers[0].command
  const [shell, options, script] = command ?? []
  expect([shell, options]).toEqual(['sh', '-euc'])
  return `set -eu\n${script}`
}

const guideScript = () =>
  String(/^```sh\n(set -eu\n.+?)^```/ms.exec(read('docs/guides/backup.md'))?.[1])

/** One night, with `flightdeck` on the path and other paths for /backup and /opt/flightdeck. */
async function night(script: string, folder: string, given = env): Promise<number> {
  const here = script.replaceAll('/backup', folder).replaceAll('/opt/flightdeck', root)
  const { PATH = '', HOME = '' } = process.env
  const path = [root, PATH].join(delimiter)
  const shell = spawn('sh', ['-c', here], { cwd: root, env: { PATH: path, HOME, ...given } })
  return (await once(shell, 'close'))[0]
}

test.each([
  ['backup.md', guideScript],
  ['the CronJob', cronScript],
])(
  'the nightly recipe of %s keeps last week’s file until the new one is verified',
  async (_, script) => {
    const folder = mkdtempSync(join(home, 'nightly-'))
    await writeFile(join(folder, 'new.backup'), 'of a night that was broken off')
    expect(await night(script(), folder)).toBe(0)
    const [name = '', ...others] = readdirSync(folder)
    expect([name, others]).toEqual([expect.stringMatching(/^[A-Z][a-z]{2}\.backup$/), []])
    const file = join(folder, name)
    expect(await verifyBackup(file, world.services.crypto.cipher)).toMatchObject({ valid: true })
    const lastWeek = await readFile(file)
    const away = { ...env, FLIGHTDECK_DATABASE_URL: 'postgres://unknown:x@127.0.0.1/none' }
    expect(await night(script(), folder, away)).not.toBe(0)
    expect(await readFile(file)).toEqual(lastWeek)
    const damaging = script().replace(/^(.+ backup verify.+)$/m, 'printf x >> $new\n$1')
    expect(await night(damaging, folder)).not.toBe(0)
    expect(await readFile(file)).toEqual(lastWeek)
    expect(await night(script(), folder)).toBe(0)
    expect((await readFile(file)).equals(lastWeek)).toBe(false)
    expect(readdirSync(folder)).toEqual([name])
  },
  60_000,
)

test('the nightly recipe names the data directory of the systemd unit', async () => {
  const folder = mkdtempSync(join(home, 'embedded-'))
  const words = ['orgs', 'create', '--name', 'Acme', '--plan', 'free']
  expect(await run(folder, words)).toMatchObject({ code: 0 })
  const script = guideScript().replaceAll('/var/lib/flightdeck', join(folder, 'data'))
  expect(await night(script, folder, {})).toBe(0)
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[A-Z][a-z]{2}\.backup$/), 'data'])
})

test('a container without a data directory makes a backup, and another one restores it', async () => {
  const folder = join(home, 'backup')
  await mkdir(folder)
  const file = join(folder, 'monday.backup')
  expect(await run(home, ['backup', 'create', '--out', file], env)).toMatchObject({ code: 0 })
  const [, encoding] =
    /create database flightdeck owner flightdeck (.+?)"/.exec(read('docs/guides/deployment.md')) ??
    []
  const target = await freshDatabase()
  const name = `restored_${target.address.database}`
  await target.query(`create database ${name} ${encoding}`)
  const address = { ...target.address, database: name }
  const restored = { ...env, FLIGHTDECK_DATABASE_URL: urlOf({ address }) }
  expect(await run(home, ['backup', 'restore', file], restored)).toMatchObject({ code: 0 })
  const audit = await run(home, ['audit', 'verify', '--json'], restored)
  expect(JSON.parse(audit.stdout)).toMatchObject({ valid: true })
  expect(readdirSync(home)).not.toContain('data')
  await target.query(`drop database ${name}`)
  await target.drop()
  await rm(folder, { recursive: true })
})
