import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { settings } from '../../src/config/config.ts'
import { newMasterKey } from '../../src/crypto/cipher.ts'
import { run, type Service, serve } from '../support/machines/command-line.ts'
import { type FreshDatabase, migratedDatabase, urlOf } from '../support/machines/fresh-database.ts'

type Env = Record<string, string>

let home: string
let database: FreshDatabase
let common: Env
const started: Service[] = []

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-running-'))
  database = await migratedDatabase()
  common = { FLIGHTDECK_DATABASE_URL: urlOf(database), FLIGHTDECK_MASTER_KEY: newMasterKey() }
})
afterAll(async () => {
  await Promise.all(started.map((service) => service.stop('SIGKILL')))
  await database.drop()
  await rm(home, { recursive: true })
})

async function start(env: Env, ...args: string[]): Promise<Service> {
  const service = await serve(home, { ...common, ...env }, args)
  started.push(service)
  return service
}

type Process = { pid: number; role: string; differences: object[] }

async function compared(env: Env): Promise<{ code: number | null; running: Process[] }> {
  const { code, stdout, stderr } = await run(home, ['config', 'check', '--running', '--json'], env)
  expect(stderr).toBe('')
  return { code, running: JSON.parse(stdout).running }
}

const difference = (name: string, running: string, here: string) => ({
  name: `FLIGHTDECK_${name}`,
  running,
  here,
})

/** Every process that a test has started has registered. */
const untilAll = (count: number) =>
  vi.waitFor(async () => expect((await compared(common)).running).toHaveLength(count), 60_000)

describe('config check --running', () => {
  test('says so when no process runs', async () => {
    const { code, stdout, stderr } = await run(home, ['config', 'check', '--running'], common)
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'flightdeck: No service runs on the database of FLIGHTDECK_DATABASE_URL.\n',
    })
    const alone = await run(home, ['config', 'check', '--running'])
    expect(alone.stderr).toContain(`No service runs on the data directory ${join(home, 'data')}.`)
  })

  test('shows what each process has otherwise than this shell, and no secret', async () => {
    const token = join(home, 'token')
    await writeFile(token, 'hush-hush\n')
    const env = { FLIGHTDECK_METRICS_TOKEN_FILE: token, FLIGHTDECK_CORS_ORIGINS: '*' }
    const api = await start(env, '--role', 'api')
    const worker = await start({ FLIGHTDECK_CAPS: 'campaigns=5' }, '--role', 'worker')
    await untilAll(2)
    const here = {
      ...common,
      FLIGHTDECK_PORT: '00',
      FLIGHTDECK_CORS_ORIGINS: ' * ',
      FLIGHTDECK_METRICS_TOKEN: 'hush-hush',
    }
    const { code, running } = await compared(here)
    expect(code).toBe(1)
    expect(running).toEqual([
      expect.objectContaining({ pid: api.pid, role: 'api', url: api.url, differences: [] }),
      expect.objectContaining({ pid: worker.pid, role: 'worker' }),
    ])
    expect(running[1]?.differences).toEqual([
      difference('CAPS', 'campaigns=5', `${settings.CAPS.fallback} (default)`),
      difference('CORS_ORIGINS', '', '*'),
      difference('METRICS_TOKEN', '[not set]', '[set]'),
    ])
    const other = { ...here, FLIGHTDECK_METRICS_TOKEN: 'other' }
    expect((await compared(other)).running[0]?.differences).toEqual([
      difference('METRICS_TOKEN', '[set]', '[set to another value]'),
    ])
    const rows = await database.query('select settings from processes')
    expect(JSON.stringify(rows)).not.toMatch(/hush|postgres:/)

    await worker.stop('SIGTERM')
    await untilAll(1)
    const text = await run(home, ['config', 'check', '--running'], here)
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toMatch(/^http:.* \(api, pid \d+ on .*\)\nAll settings are those of this/)
  })

  test('without the master key of the service, compares no secret but that', async () => {
    const { running } = await compared({ ...common, FLIGHTDECK_MASTER_KEY: newMasterKey() })
    expect(running[0]?.differences).toContainEqual(
      difference('MASTER_KEY', '[set]', '[set to another value]'),
    )
    expect(running[0]?.differences).toContainEqual(
      difference('DATABASE_URL', '[set]', '[set: comparing takes the master key]'),
    )
  })

  test('asks a service with its embedded database too', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'flightdeck-running-'))
    const service = await serve(directory)
    started.push(service)
    await vi.waitFor(async () => {
      const { code, stdout } = await run(directory, ['config', 'check', '--running', '--json'])
      expect(code).toBe(1)
      const { running } = JSON.parse(stdout)
      expect(running).toHaveLength(1)
      expect(running[0].differences).toEqual([difference('PORT', '0', '8080 (default)')])
    }, 60_000)
    await service.stop('SIGTERM')
    await rm(directory, { recursive: true })
  })
})
