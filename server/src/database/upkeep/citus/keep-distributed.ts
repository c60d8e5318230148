import type { DatabaseAddress } from '../../address.ts'
import type { Report } from '../../patience.ts'
import { StartError } from '../../start-error.ts'
import {
  connectToMigrate,
  endMigrating,
  type MigrationClient,
  whileAtWork,
} from '../migration-client.ts'
import { type Cluster, clusterOf, hasCitus, placedTables } from './catalogue.ts'
import { distribute, missingOf } from './distribute.ts'

/** Distributes what migrations have added to a distributed database; leaves any other as it is. */
export async function keepDistributed(on: MigrationClient, report: Report): Promise<void> {
  if (!(await hasCitus(on.client))) return
  const tables = await placedTables(on.client)
  if (!tables.some(({ name, isPlaced }) => name === 'organizations' && isPlaced)) return
  // Organizations are distributed, so their number of shards holds.
  await whileAtWork(on, () => distribute(on.client, { shards: 1, report }))
}

/**
 * The cluster that holds the database; null for any other PostgreSQL, and for one whose Citus is not
 * used. Throws a `StartError` if only some tables are distributed.
 */
export async function checkDistribution(address: DatabaseAddress): Promise<Cluster | null> {
  const on = await connectToMigrate(address)
  try {
    if (!(await hasCitus(on.client))) return null
    const tables = await placedTables(on.client)
    if (!tables.some(({ isPlaced }) => isPlaced)) return null
    const missing = missingOf(tables)
    if (missing.length === 0) return await clusterOf(on.client)
    throw new StartError(
      `Only some tables are distributed: ${missing.map(({ name }) => name).join(', ')} are not. Run \`./flightdeck migrate --distribute\` to go on.`,
    )
  } finally {
    await endMigrating(on)
  }
}
