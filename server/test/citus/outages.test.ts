import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { PostgresAddress } from '../../src/database/embedded/start.ts'
import { distributeDatabase } from '../../src/database/upkeep/citus/distribute.ts'
import { migrate } from '../../src/database/upkeep/migrate.ts'
import { findDue } from '../../src/delivery/due.ts'
import { checkDueProxies } from '../../src/features/proxies/check-job.ts'
import { singletonTasks } from '../../src/features/work.ts'
import { systemClock } from '../../src/values/clock.ts'
import { type ServicesUnderLoad, servicesOn, type Tenant } from '../faults/environment.ts'
import { expectRecovery } from '../faults/recovery.ts'
import { campaignBody } from '../support/cases/writes.ts'
import { canStartCluster, type OwnCluster, startCluster } from '../support/machines/own-cluster.ts'
import { openWorld, type World } from '../support/world.ts'

// One cluster, whose nodes are killed one after another. Its third worker is empty until it is added.

let cluster: OwnCluster
let address: PostgresAddress
let environment: ServicesUnderLoad

const isHere = canStartCluster()

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster(3)
  const { socketDirectory: host, port } = cluster
  address = { host, port, user: 'flightdeck', password: '', database: 'flightdeck' }
  await query(`select citus_remove_node('127.0.0.1', ${port + 3})`)
  await migrate(address)
  await distributeDatabase(address, { shards: 4, report: () => {} })
  environment = await servicesOn({ address, close: cluster.close })
})
afterAll(() => environment?.close())

async function query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return (await client.query(sql, parameters)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** The worker that has the rows of an organization. */
async function workerOf({ id }: Tenant): Promise<string> {
  const sql = `
    select nodeport from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('campaigns', $1::text)`
  const [found] = await query<{ nodeport: number }>(sql, [id])
  return `worker-${(found?.nodeport ?? 0) - cluster.port}`
}

/** An organization of each of the two workers. */
async function foundOnBoth(): Promise<{ here: Tenant; there: Tenant }> {
  const found = new Map<string, Tenant>()
  while (found.size < 2) {
    const tenant = await environment.found({})
    found.set(await workerOf(tenant), tenant)
  }
  const [here, there] = ['worker-1', 'worker-2'].map((worker) => found.get(worker))
  if (!here || !there) throw new Error('there are other workers')
  return { here, there }
}

function ask({ token }: Tenant, path: string, body?: object): Promise<Response> {
  const url = `${environment.services[0]?.url}/api/v1${path}`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
}

const hasArrived = (name: string) =>
  environment.receiver.received.some(({ body }) => body.includes(name))

test.skipIf(!isHere)('a worker is killed: the organizations of others go on', async () => {
  const { here, there } = await foundOnBoth()
  const load = await environment.load()
  await cluster.kill('worker-1')
  await vi.waitFor(async () => {
    const refused = await ask(here, '/templates')
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }, 20_000)
  const name = 'Made while a worker was away'
  await vi.waitFor(
    async () => expect((await ask(there, '/templates', { name })).status).toBe(201),
    {
      timeout: 20_000,
      interval: 250,
    },
  )
  expect((await ask(there, '/templates')).status).toBe(200)
  await vi.waitFor(() => expect(hasArrived(name)).toBe(true), 20_000)
  await cluster.start('worker-1')
  await expectRecovery(environment, load, { calmWithinMs: 20_000 })
  expect((await ask(here, '/templates')).status).toBe(200)
})

test.skipIf(!isHere)('a worker is killed: what is due for others is done', async () => {
  const { here, there } = await foundOnBoth()
  const start_at = new Date(Date.now() + 10_000).toISOString()
  const [waiting, starting] = [await scheduled(here, start_at), await scheduled(there, start_at)]
  const statusOf = async (tenant: Tenant, id: string) =>
    ((await (await ask(tenant, `/campaigns/${id}`)).json()) as { status: string }).status
  const world = await openWorld({ address, clock: { ...systemClock, advance: () => {} } })
  const faults = await faultsOfTasks(world)
  await cluster.kill('worker-1')
  expect([...faults, ...(await faultsOfTasks(world))]).toEqual([])
  await vi.waitFor(async () => expect(await statusOf(there, starting)).toBe('active'), 30_000)
  await cluster.start('worker-1')
  await vi.waitFor(async () => expect(await statusOf(here, waiting)).toBe('active'), 30_000)
  await world.close()
})

/** A campaign that starts by itself. */
async function scheduled(tenant: Tenant, start_at: string): Promise<string> {
  const body = { ...campaignBody(tenant.profileId), start_at }
  const made = await ask(tenant, '/campaigns', body)
  const { id } = (await made.json()) as { id: string }
  expect((await ask(tenant, `/campaigns/${id}/launch`, {})).status).toBe(200)
  return id
}

/** Faults of one round of all that looks for due work of all organizations. */
async function faultsOfTasks({ services }: World): Promise<string[]> {
  const signal = AbortSignal.timeout(60_000)
  const sweep = findDue(services.database.reader, new Date().toISOString(), null)
  const rounds = singletonTasks.map(({ name, run }) => [name, run(services, signal)] as const)
  const all = [['deliveries', sweep], ['proxies', checkDueProxies(services, signal)], ...rounds]
  const faults = all.map(([name, done]) =>
    Promise.resolve(done).then(
      () => [],
      (error: unknown) => [`${name}: ${error}`],
    ),
  )
  return (await Promise.all(faults)).flat()
}

test.skipIf(!isHere)('the coordinator is killed, and starts again', async () => {
  const load = await environment.load()
  await cluster.kill('coordinator')
  await cluster.start('coordinator')
  await expectRecovery(environment, load, { calmWithinMs: 20_000 })
  expect(load.incidentLog.incidents).not.toEqual([])
})

const rebalancing = 'a worker is added under load, and shards move to it'

// Each shard that moves waits for writes, so a slow machine takes minutes; clients without a rest
// would take its cores from what moves.
test.skipIf(!isHere)(rebalancing, { timeout: 600_000 }, async () => {
  const load = await environment.load({ pauseMs: 250 })
  await query(`select citus_add_node('127.0.0.1', ${cluster.port + 3})`)
  await query(`select citus_rebalance_start(rebalance_strategy := 'by_shard_count')`)
  await vi.waitFor(async () => expect(await rebalanceState()).toBe('finished'), {
    timeout: 500_000,
    interval: 500,
  })
  await expectRecovery(environment, load, { calmWithinMs: 20_000 })
  const moved = `
    select 1 from pg_dist_placement join pg_dist_node using (groupid) where nodeport = $1 limit 1`
  expect(await query(moved, [cluster.port + 3])).toHaveLength(1)
})

async function rebalanceState(): Promise<string | undefined> {
  const [job] = await query<{ state: string }>('select state from citus_rebalance_status()')
  return job?.state
}
