import pg from 'pg'
import { readConfig } from '../../../server/src/config/config.ts'
import { distributeDatabase } from '../../../server/src/database/upkeep/citus/distribute.ts'
import { migrate } from '../../../server/src/database/upkeep/migrate.ts'
import { openServices } from '../../../server/src/services.ts'
import { type Running, startService } from '../../tools/processes.ts'
import { seed, type Tenant } from '../../tools/seed.ts'

const size = { organizations: 24, campaignsEach: 100, campaignsOfLargest: 1_000 }
export const shards = 8

/** A service with its tenants. */
export type Side = { service: Running; tenants: Tenant[] }

export async function openSide(url: string, dataDir: string, port: number): Promise<Side> {
  const service = await startService(dataDir, port, { env: { FLIGHTDECK_DATABASE_URL: url } })
  const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
  const address = { connectionString: url }
  const services = await openServices(readConfig(env), address)
  try {
    return { service, tenants: await seed(services, address, size) }
  } finally {
    await services.database.close()
  }
}

export async function distribute(url: string): Promise<void> {
  await migrate({ connectionString: url })
  await distributeDatabase({ connectionString: url }, { shards, report: () => {} })
}

export async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
