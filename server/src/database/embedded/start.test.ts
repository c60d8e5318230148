import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { StartError } from '../start-error.ts'
import { readPidFile } from './pid-file.ts'
import { type EmbeddedOptions, findRunningEmbedded, startEmbedded } from './start.ts'

// Starting and killing take long on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const settings = { fsync: 'off' }
const isRoot = process.geteuid?.() === 0

let used: string

beforeAll(async () => {
  used = await mkdtemp(join(tmpdir(), 'embedded-test-'))
  const running = await startEmbedded({ dataDir: used, owner: 'test', settings })
  await running.stop()
})

afterAll(() => rm(used, { recursive: true, force: true }))

test('a restarted database keeps its rows', async () => {
  const dataDir = usedDataDir()
  const first = await start(dataDir)
  await query(first.address, 'create table restarted as select 42 as answer')
  await first.stop()
  const second = await start(dataDir)
  expect(await query(second.address, 'select answer from restarted')).toEqual([{ answer: 42 }])
})

test('a database that does not become ready is given up, with the last line of its log', async () => {
  const dataDir = usedDataDir()
  // It waits for another server, which there is none of.
  const standby = join(dataDir, 'postgres', 'standby.signal')
  await writeFile(standby, '')
  onTestFinished(() => rm(standby))
  const settings = { hot_standby: 'off' }
  const patience = { waitAtMostMs: 300, report: () => {} }
  const started = startEmbedded({ dataDir, owner: 'test', settings, patience })
  await expect(started).rejects.toThrow(/^PostgreSQL was not ready in 0\.3 s: .+LOG: .+$/)
})

test('the database uses UTF-8 and sorts by code point, whatever the locale of the system', async () => {
  const { address } = await start(usedDataDir())
  const [row] = await query(
    address,
    `select pg_encoding_to_char(encoding) as encoding, datlocprovider, lower('Ä') as lower,
       current_setting('data_checksums') as checksums, current_setting('TimeZone') as zone
     from pg_database where datname = current_database()`,
  )
  const expected = { encoding: 'UTF8', datlocprovider: 'b', lower: 'ä', checksums: 'on' }
  expect(row).toEqual({ ...expected, zone: 'UTC' })
})

test('access needs the password, and no login is a superuser', async () => {
  const dataDir = usedDataDir()
  const { address } = await start(dataDir)
  await expect(query({ ...address, password: 'guess' }, 'select 1')).rejects.toThrow(
    'password authentication failed',
  )
  await expect(query({ ...address, user: 'postgres' }, 'select 1')).rejects.toThrow('pg_hba.conf')
  await expect(query(address, `select pg_read_file('/etc/passwd')`)).rejects.toThrow(
    'permission denied',
  )
  const { mode } = await stat(join(dataDir, 'postgres-password'))
  expect(mode & 0o777).toBe(0o600)
})

test('a second service is refused with the name and pid of the first', async () => {
  const dataDir = usedDataDir()
  await start(dataDir)
  const refusal = startEmbedded({ dataDir, owner: 'flightdeck migrate', settings })
  await expect(refusal).rejects.toThrow(
    `The data directory ${dataDir} is in use by flightdeck serve (pid ${process.pid}). ` +
      'Stop it first, or set another FLIGHTDECK_DATA_DIR.',
  )
  await expect(refusal).rejects.toBeInstanceOf(StartError)
})

test('of services that start at the same instant exactly one wins', async () => {
  const dataDir = await newDataDir()
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => startProcess(dataDir)))
  expect(outcomes.filter((outcome) => outcome.said === 'ready')).toHaveLength(1)
  for (const { said } of outcomes.filter((outcome) => outcome.said !== 'ready')) {
    expect(said).toContain('is in use by flightdeck serve (pid ')
  }
})

test('after kill -9 of the service the next start takes over, and the rows are kept', async () => {
  const dataDir = usedDataDir()
  const killed = await startProcess(dataDir)
  const address = await findRunningEmbedded(dataDir)
  if (address === null) throw new Error('the service is not found')
  await query(address, 'create table kept as select 42 as answer')
  const orphan = await postmasterOf(dataDir)
  await kill(killed.child)
  expect(await findRunningEmbedded(dataDir)).toBeNull()

  const next = await start(dataDir)
  expect(await query(next.address, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect(await postmasterOf(dataDir)).not.toBe(orphan)
})

test('a service that hangs keeps its data directory', async () => {
  const dataDir = usedDataDir()
  const { child } = await startProcess(dataDir)
  child.kill('SIGSTOP')
  await expect(startEmbedded({ dataDir, owner: 'flightdeck serve', settings })).rejects.toThrow(
    `is in use by a process that does not answer (pid ${child.pid})`,
  )
})

test('commands wait for a service that is too busy to answer', async () => {
  const dataDir = usedDataDir()
  const { child } = await startProcess(dataDir)
  child.kill('SIGSTOP')
  const found = findRunningEmbedded(dataDir)
  // Longer than the service has for one answer.
  setTimeout(() => child.kill('SIGCONT'), 3_000)
  expect(await found).toMatchObject({ user: 'flightdeck' })
})

test('commands find a running database, and none after its stop', async () => {
  const dataDir = usedDataDir()
  expect(await findRunningEmbedded(dataDir)).toBeNull()
  expect(await findRunningEmbedded(join(dataDir, 'never'))).toBeNull()
  const running = await start(dataDir)
  expect(await findRunningEmbedded(dataDir)).toEqual(running.address)
  await Promise.all([running.stop(), running.stop()])
  expect(await findRunningEmbedded(dataDir)).toBeNull()
  const left = ['lock', 'postgres', 'postgres-password', 'postgres.log']
  expect((await readdir(dataDir)).sort()).toEqual(left)
})

test('a path too long for a socket works, and leaves no link behind', async () => {
  const dataDir = await newDataDir('long'.repeat(25), 'data, "quoted" and spaced')
  const links = async () =>
    (await readdir(tmpdir())).filter((name) => /^flightdeck-.{6}$/.test(name))
  const before = await links()
  const killed = await startProcess(dataDir)
  await kill(killed.child)
  const { address, stop } = await start(dataDir)
  expect(await query(address, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await findRunningEmbedded(dataDir)).toEqual(address)
  await stop()
  expect(await links()).toEqual(before)
})

test.runIf(isRoot)('root may keep its data in a directory closed to all others', async () => {
  const dataDir = await newDataDir('data')
  await chmod(dirname(dataDir), 0o700)
  const first = await start(dataDir)
  await first.stop()
  const { address } = await start(dataDir)
  expect(await query(address, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.runIf(isRoot)('root runs PostgreSQL as the user who owns the directory', async () => {
  const dataDir = usedDataDir()
  const { uid } = await stat(join(dataDir, 'postgres'))
  expect(uid).not.toBe(0)
  await start(dataDir)
  const { uid: runsAs } = await stat(`/proc/${await postmasterOf(dataDir)}`)
  expect(runsAs).toBe(uid)
})

test('a stale postmaster.pid does not harm the process that now has its pid', async () => {
  const dataDir = usedDataDir()
  const bystander = spawn('sleep', ['60'], { stdio: 'ignore' })
  onTestFinished(() => void bystander.kill())
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const content = `${bystander.pid}\n${dataDir}/postgres\n1\n5432\n\n\n1 1\nready   \n`
  await writeFile(pidFile, content)
  await writeFile(join(dataDir, 'postgres', '.s.PGSQL.5432.lock'), content)
  const { address } = await start(dataDir)
  expect(await query(address, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
})

test('an interrupted initdb does not block the next start', async () => {
  const dataDir = await newDataDir()
  await mkdir(join(dataDir, 'postgres.new-abc123', 'base'), { recursive: true })
  await start(dataDir)
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new'))).toEqual([])
})

test('a lost password file is replaced', async () => {
  const dataDir = usedDataDir()
  await rm(join(dataDir, 'postgres-password'))
  const { address } = await start(dataDir)
  expect(await query(address, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('an unexpected exit of PostgreSQL is reported, with its last log lines', async () => {
  const dataDir = usedDataDir()
  const { promise, resolve } = Promise.withResolvers<string>()
  const { stop } = await start(dataDir, { onExit: resolve })
  process.kill(await postmasterOf(dataDir), 'SIGINT')
  expect(await promise).toMatch(/^PostgreSQL ended \(code 0\):[\s\S]*database system is shut down/)
  await stop()
  await start(dataDir)
})

test('a PostgreSQL that cannot start reports the reason, and releases the directory', async () => {
  const dataDir = usedDataDir()
  const broken = startEmbedded({ dataDir, owner: 'test', settings: { shared_buffers: 'plenty' } })
  await expect(broken).rejects.toThrow(/^PostgreSQL did not start \(code 1\):[\s\S]*"plenty"/)
  await expect(broken).rejects.toBeInstanceOf(StartError)
  await start(dataDir)
})

test('a directory of another major version is refused and left untouched', async () => {
  const dataDir = await newDataDir()
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '9\n')
  await expect(start(dataDir)).rejects.toThrow('was created by PostgreSQL 9, but 18 is installed')
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['PG_VERSION'])
})

/** A new data directory for this test, optionally deep below its temporary directory. */
async function newDataDir(...below: string[]): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'embedded-test-'))
  await chmod(parent, 0o711)
  const dataDir = join(parent, ...below)
  onTestFinished(async () => {
    await stopOrphan(dataDir)
    await rm(parent, { recursive: true, force: true })
  })
  return dataDir
}

/** A data directory with a database, shared by all tests because a first start is slow. */
function usedDataDir(): string {
  onTestFinished(() => stopOrphan(used))
  return used
}

async function start(dataDir: string, more: Partial<EmbeddedOptions> = {}) {
  const running = await startEmbedded({ dataDir, owner: 'flightdeck serve', settings, ...more })
  onTestFinished(running.stop)
  return running
}

type Service = { child: ChildProcess; said: string }

/** A service in its own process, and its output: 'ready', or why it did not start. */
async function startProcess(dataDir: string): Promise<Service> {
  const options = JSON.stringify({ dataDir, owner: 'flightdeck serve', settings })
  const script = `
    const { startEmbedded } = await import('${new URL('start.ts', import.meta.url)}')
    const said = startEmbedded(${options}).then(() => 'ready', (fault) => fault.message)
    console.log(await said)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => kill(child))
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  return { child, said: String(said).trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** The service's own code for stopping an orphaned PostgreSQL: for starts and stops. */
async function stopOrphan(dataDir: string): Promise<void> {
  if ((await readPidFile(join(dataDir, 'postgres'))) === null) return
  const running = await startEmbedded({ dataDir, owner: 'test', settings })
  await running.stop()
}

async function postmasterOf(dataDir: string): Promise<number> {
  const file = await readPidFile(join(dataDir, 'postgres'))
  if (file === null) throw new Error('no postmaster.pid')
  return file.pid
}

async function query(address: pg.ClientConfig, sql: string): Promise<unknown[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    const { rows } = await client.query(sql)
    return rows
  } finally {
    await client.end()
  }
}
