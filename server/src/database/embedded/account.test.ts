import {
  chmod,
  chown,
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { giveTo } from './access.ts'
import { accountFor, makerFor } from './account.ts'
import { runnerFor } from './launch.ts'
import { readPidFile } from './pid-file.ts'
import { startEmbedded } from './start.ts'

vi.setConfig({ testTimeout: 30_000 })

const isRoot = process.geteuid?.() === 0 && process.platform === 'linux'
const nobody = { uid: 65534, gid: 65534 }

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-account-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

async function start() {
  const dataDir = join(folder, 'data')
  const running = await startEmbedded({ dataDir, owner: 'test', settings: { fsync: 'off' } })
  onTestFinished(running.stop)
  return running
}

async function query(address: pg.ClientConfig, sql: string): Promise<unknown[]> {
  const client = new pg.Client(address)
  await client.connect()
  const { rows } = await client.query(sql).finally(() => client.end())
  return rows
}

/** The user that runs PostgreSQL, and its privileges: '0' for none. */
async function runningAs() {
  const pid = (await readPidFile(join(folder, 'data', 'postgres')))?.pid
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1]
  const privileges = [field('CapPrm'), field('CapEff'), field('CapInh'), field('CapAmb')]
  return { uid: Number(field('Uid')), gid: Number(field('Gid')), privileges }
}

const none = Array(4).fill('0'.repeat(16))

describe.runIf(isRoot)('as root, PostgreSQL', () => {
  test('runs as a separate user without any privilege, in directories closed to it', async () => {
    const { address } = await start()
    const { uid, gid, privileges } = await runningAs()
    expect(uid).toBeGreaterThan(60_000)
    expect(uid).toBeLessThan(65_534)
    expect(gid).toBe(uid)
    expect(privileges).toEqual(none)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700)
    expect(await query(address, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('keeps its user, and takes over a directory of the nobody account or of root', async () => {
    const first = await start()
    await query(first.address, 'create table kept as select 42 as answer')
    const { uid } = await runningAs()
    await first.stop()
    const again = await start()
    expect((await runningAs()).uid).toBe(uid)
    await again.stop()
    for (const owner of [nobody, { uid: 0, gid: 0 }]) {
      await giveTo(owner, join(folder, 'data', 'postgres'))
      const { address, stop } = await start()
      expect(await query(address, 'select answer from kept')).toEqual([{ answer: 42 }])
      const taken = await runningAs()
      expect([taken.uid > 60_000, taken.uid === nobody.uid]).toEqual([true, false])
      const { uid: ownerOfFiles } = await stat(join(folder, 'data', 'postgres', 'PG_VERSION'))
      expect(ownerOfFiles).toBe(taken.uid)
      await stop()
    }
  })

  test('keeps the user who owns the directory, but never the group of root', async () => {
    await chown(folder, 12_345, 0)
    expect(await accountFor(folder)).toEqual({ uid: 12_345, gid: 12_345 })
  })

  test('gets a named user with a group of its own', async () => {
    const maker = await makerFor({ uid: 61_000, gid: 61_000 })
    expect(maker).toEqual({ uid: expect.any(Number), gid: 61_000 })
    expect(await readFile('/etc/passwd', 'utf8')).toMatch(
      new RegExp(`^nobody:[^:]*:${maker.uid}:`, 'm'),
    )
  })
})

describe.runIf(isRoot)('an installation that is closed to PostgreSQL', () => {
  const account = { uid: 61_000, gid: 61_000 }

  async function closedInstallation() {
    const root = join(folder, 'installation')
    await mkdir(root)
    const postgres = join(root, 'postgres')
    await copyFile('/bin/true', postgres)
    return { root, postgres, initdb: postgres, folders: [root], major: '18' }
  }

  test('gets it a privilege where the data directory is closed to others too', async () => {
    const binaries = await closedInstallation()
    const { privilege } = await runnerFor(account, binaries, folder)
    expect(privilege?.name).toMatch(/^dac_(read_search|override)$/)
  })

  test('is refused where others can enter the data directory', async () => {
    const binaries = await closedInstallation()
    await chmod(binaries.root, 0o700)
    await chmod(folder, 0o755)
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o711 })
    await expect(runnerFor(account, binaries, data)).rejects.toThrow(
      `granted only if ${data} is closed to all other users too (chmod 700)`,
    )
    await chown(data, 12_345, 12_345)
    await chmod(data, 0o700)
    await expect(runnerFor(account, binaries, data)).rejects.toThrow('closed to all other users')
  })
})

test.runIf(isRoot)('only its own files change owner, not the targets of their links', async () => {
  const [inside, outside] = [join(folder, 'inside'), join(folder, 'outside')]
  await mkdir(join(inside, 'base'), { recursive: true })
  for (const name of ['linked', 'named']) await writeFile(`${outside}-${name}`, '')
  await writeFile(join(inside, 'base', 'own'), '', { mode: 0o600 })
  await symlink(`${outside}-linked`, join(inside, 'link'))
  await link(`${outside}-named`, join(inside, 'base', 'name'))
  await chmod(inside, 0o777)
  await chown(inside, nobody.uid, nobody.gid)
  await giveTo({ uid: 61_000, gid: 61_000 }, inside)
  const owner = async (path: string) => (await lstat(path)).uid
  expect(await owner(join(inside, 'base', 'own'))).toBe(61_000)
  expect(await owner(`${outside}-linked`)).toBe(0)
  expect(await owner(`${outside}-named`)).toBe(0)
  expect((await stat(inside)).mode & 0o777).toBe(0o700)
})
