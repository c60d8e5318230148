import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { PostgresAddress } from '../../src/database/embedded/start.ts'
import { distributeDatabase } from '../../src/database/upkeep/citus/distribute.ts'
import { migrate } from '../../src/database/upkeep/migrate.ts'
import { type ServicesUnderLoad, servicesOn, type Tenant } from '../faults/environment.ts'
import { expectRecovery } from '../faults/recovery.ts'
import { canStartCluster, type OwnCluster, startCluster } from '../support/machines/own-cluster.ts'

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

test.skipIf(!isHere)('the coordinator is killed, and starts again', async () => {
  const load = await environment.load()
  await cluster.kill('coordinator')
  await cluster.start('coordinator')
  await expectRecovery(environment, load, { calmWithinMs: 20_000 })
  expect(load.incidentLog.incidents).not.toEqual([])
})

const rebalancing = 'a worker is added under load, and shards move to it'

// Each shard that moves waits for writes, so a slow machine takes minutes.
test.skipIf(!isHere)(rebalancing, { timeout: 600_000 }, async () => {
  const load = await environment.load()
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
