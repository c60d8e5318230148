import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import {
  type CoordinatorAddress,
  citusAddress,
  createEmptyOnCitus,
  dropOnCitus,
  urlOnCitus,
} from '../support/machines/citus.ts'
import { run, serve } from '../support/machines/command-line.ts'
import { openWorld } from '../support/world.ts'

// One database that goes from its first migration to the service on it: the tests follow each other.

let coordinator: CoordinatorAddress
let address: CoordinatorAddress
let home: string
let env: Record<string, string>
const metricsToken = 'scrape-the-cluster-0123456789'
const database = `citus_${randomUUID().replaceAll('-', '')}`

beforeAll(async () => {
  const given = citusAddress()
  if (!given) throw new Error('FLIGHTDECK_CITUS_URL is not set')
  coordinator = given
  home = await mkdtemp(join(tmpdir(), 'flightdeck-citus-'))
  await createEmptyOnCitus(coordinator, database)
  address = { ...coordinator, database }
  env = {
    FLIGHTDECK_DATABASE_URL: urlOnCitus(address),
    FLIGHTDECK_DATA_DIR: inject('dataDir'),
    FLIGHTDECK_METRICS_TOKEN: metricsToken,
  }
})
afterAll(async () => {
  await dropOnCitus(coordinator, database)
  await rm(home, { recursive: true })
})

async function query(...texts: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    const rows = []
    for (const text of texts) rows.push(...(await client.query(text)).rows)
    return rows
  } finally {
    await client.end()
  }
}

const distribute = ['migrate', '--distribute', '--shards', '4', '--json']

test('a database with rows is distributed, and keeps them', async () => {
  expect((await run(home, ['migrate'], env)).code).toBe(0)
  const before = await openWorld({ address })
  const organization = await before.organization()
  const id = await made(
    organization.owner,
    '/campaigns',
    campaignBody(await profileOf(organization)),
  )
  await before.close()
  const { code, stdout, stderr } = await run(home, distribute, env)
  expect([code, JSON.parse(stdout).distribution.dropped]).toEqual([
    0,
    ['user_emails_user_fkey', 'user_emails_user_key'],
  ])
  expect(stderr).toContain('campaigns: by organization_id')
  expect(await query('select id from campaigns')).toEqual([{ id }])
})

test('to distribute it again changes nothing', async () => {
  const { code, stdout } = await run(home, ['migrate', '--distribute'], env)
  expect([code, stdout]).toEqual([
    0,
    'The schema is up to date.\nAll tables are distributed already.\n',
  ])
})

test('each table lies where it is declared to', async () => {
  const rows = await query(`
    select c.relname::text as name, p.partmethod::text as method, p.colocationid
      = (select colocationid from pg_dist_partition where logicalrelid = 'organizations'::regclass)
        as "isBeside"
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and c.relname not like 'pg_dist%' and c.relname <> 'migrations'`)
  const of = (name: string) => rows.find((row) => row.name === name)
  expect(of('campaigns')).toMatchObject({ method: 'h', isBeside: true })
  expect(of('user_emails')).toMatchObject({ method: 'h', isBeside: false })
  expect(of('master_keys')).toMatchObject({ method: 'n' })
  expect(of('leases')).toMatchObject({ method: null })
  expect(rows.filter(({ isBeside }) => isBeside).length).toBeGreaterThan(25)
  const shards = `select distinct shard_count::int as count from citus_tables where citus_table_type = 'distributed'`
  expect(await query(shards)).toEqual([{ count: 4 }])
})

const patience = { timeout: 20_000, interval: 500 }

test('the service says on which cluster it runs', async () => {
  const service = await serve(home, env)
  expect(service.logged).toContainEqual(
    expect.objectContaining({
      nodes: 3,
      shards: expect.any(Number),
      msg: 'the database is distributed by Citus',
    }),
  )
  const headers = { authorization: `Bearer ${metricsToken}` }
  // Figures that cannot be read in time are left out of an answer.
  await vi.waitFor(async () => {
    const metrics = await (await fetch(`${service.url}/metrics`, { headers })).text()
    const shards = [
      ...metrics.matchAll(/^flightdeck_citus_shards\{node="127\.0\.0\.1:\d+"\} (\d+)$/gm),
    ]
    expect(shards.length).toBe(3)
    // Counts over all organizations have a value here too.
    for (const name of ['deliveries_pending', 'webhook_endpoints_given_up', 'audit_chain_broken'])
      expect(metrics).toMatch(new RegExp(`^flightdeck_${name} 0$`, 'm'))
    expect(Math.min(...shards.slice(1).map(([, count]) => Number(count)))).toBeGreaterThan(10)
  }, patience)
  expect(await service.stop('SIGTERM')).toBe(0)
})

test('its status is read, and its chains are verified', async () => {
  await vi.waitFor(async () => {
    const status = await run(home, ['status', '--json'], env)
    expect([status.code, status.stderr]).toEqual([0, ''])
    expect(JSON.parse(status.stdout)).toMatchObject({ audit_chains_broken: 0 })
  }, patience)
  const verified = await run(home, ['audit', 'verify', '--json'], env)
  expect([verified.code, verified.stderr]).toEqual([0, ''])
})

test('a backup of it is restored into another distributed database', async () => {
  const file = join(home, 'citus.backup')
  expect((await run(home, ['backup', 'create', '--out', file], env)).code).toBe(0)
  const other = `${database}_restored`
  await createEmptyOnCitus(coordinator, other)
  onTestFinished(() => dropOnCitus(coordinator, other))
  const there = { ...env, FLIGHTDECK_DATABASE_URL: urlOnCitus({ ...coordinator, database: other }) }
  expect((await run(home, distribute, there)).code).toBe(0)
  const restored = await run(home, ['backup', 'restore', file], there)
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  expect(restored.stdout).toContain('Everything is restored and verified.')
  expect((await run(home, ['audit', 'verify'], there)).code).toBe(0)
})

test('a backup of it is restored into one PostgreSQL, the way back', async () => {
  const file = join(home, 'back.backup')
  expect((await run(home, ['backup', 'create', '--out', file], env)).code).toBe(0)
  const plain = `${database}_plain`
  await query('set citus.enable_create_database_propagation = off', `create database ${plain}`)
  onTestFinished(() => dropOnCitus(coordinator, plain))
  const there = { ...env, FLIGHTDECK_DATABASE_URL: urlOnCitus({ ...coordinator, database: plain }) }
  const restored = await run(home, ['backup', 'restore', file], there)
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  expect((await run(home, ['audit', 'verify'], there)).code).toBe(0)
})

test('a database of which only a part is distributed is refused, with the command that goes on', async () => {
  await query(`select undistribute_table('audit_checkpoints')`)
  const refused = await run(home, ['serve'], env)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'flightdeck: Only some tables are distributed: audit_checkpoints are not. Run `./flightdeck migrate --distribute` to go on.\n',
  ])
  expect((await run(home, distribute, env)).code).toBe(0)
})
