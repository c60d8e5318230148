import pg from 'pg'
import type { DatabaseAddress } from '../../../src/database/address.ts'
import { distributeDatabase } from '../../../src/database/upkeep/citus/distribute.ts'
import { migrate } from '../../../src/database/upkeep/migrate.ts'
import type { FreshDatabase } from './fresh-database.ts'

/** Address of the coordinator, where the tests may create databases and extensions. */
export type CoordinatorAddress = Exclude<DatabaseAddress, { connectionString: string }>

type Node = { host: string; port: number }

/** One on each of two workers: with more, a statement for all of them opens connections anew. */
const shards = 2

/** The address in FLIGHTDECK_CITUS_URL; null where the tests run on one PostgreSQL. */
export function citusAddress(): CoordinatorAddress | null {
  const text = process.env.FLIGHTDECK_CITUS_URL
  if (!text) return null
  const { hostname, port, username, password, pathname } = new URL(text)
  return {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
  }
}

const query = async (address: CoordinatorAddress, ...texts: string[]) => {
  const client = new pg.Client(address)
  await client.connect()
  try {
    const results = []
    for (const text of texts) results.push(await client.query(text))
    return results.at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}

const nodesOf = (address: CoordinatorAddress): Promise<Node[]> =>
  query(
    address,
    'select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by nodeid',
  )

/** Creates a database without a schema on all nodes of the cluster. */
export async function createEmptyOnCitus(address: CoordinatorAddress, name: string): Promise<void> {
  const workers = await nodesOf(address)
  for (const { host, port } of [...workers, address]) {
    const at = { ...address, host, port }
    await query(at, 'set citus.enable_create_database_propagation = off', `create database ${name}`)
    await query({ ...at, database: name }, 'create extension citus')
  }
  const own = { ...address, database: name }
  await query(own, `select citus_set_coordinator_host('${address.host}', ${address.port})`)
  for (const { host, port } of workers)
    await query(own, `select citus_add_node('${host}', ${port})`)
}

/** Creates a distributed, empty database with the schema. */
export async function createOnCitus(address: CoordinatorAddress, name: string): Promise<void> {
  await createEmptyOnCitus(address, name)
  const own = { ...address, database: name }
  await migrate(own)
  await distributeDatabase(own, { shards, report: () => {} })
}

/** Runs statements on each node at once, for this node alone. */
async function onEachNode(address: CoordinatorAddress, ...texts: string[]): Promise<void> {
  const alone = 'set citus.enable_create_database_propagation = off'
  const nodes = [address, ...(await nodesOf(address))]
  await Promise.all(
    nodes.map(({ host, port }) => query({ ...address, host, port }, alone, ...texts)),
  )
}

/** Copies a database that is not in use, on each node: to make the schema anew takes 30 times as long. */
export async function copyOnCitus(
  address: CoordinatorAddress,
  { template, name }: { template: string; name: string },
): Promise<void> {
  const users = `from pg_stat_activity where datname = '${template}'`
  await onEachNode(
    address,
    `select pg_terminate_backend(pid, 10000) ${users}`,
    // Copies the files themselves: to log each of their pages takes longer.
    `create database ${name} template ${template} strategy file_copy`,
  )
}

/** For a separate process. */
export const urlOnCitus = ({ host, port, user, database }: CoordinatorAddress): string =>
  `postgres://${user}@${host}:${port}/${database}`

export async function dropOnCitus(address: CoordinatorAddress, name: string): Promise<void> {
  await onEachNode(address, `drop database if exists ${name} with (force)`)
}

const waitingSql = `select count(*)::int as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/** On Citus the locks are on the machines of the rows. */
const onWorkersSql = `select sum(result::int)::int as waiting
  from run_command_on_workers($$${waitingSql}$$)`

/** How many transactions wait for a lock of another. */
export async function lockWaits({ query }: FreshDatabase): Promise<number> {
  const [row] = await query<{ waiting: number }>(citusAddress() ? onWorkersSql : waitingSql)
  return row?.waiting ?? 0
}
