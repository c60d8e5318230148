import { settingsOnShards } from '../../src/database/upkeep/citus/settings.ts'
import { dateText, makePartitions } from '../../src/database/upkeep/partitions.ts'
import { pruneAuditLogs } from '../../src/features/audit-logs/retention.ts'
import type { OwnWorld } from './own-world.ts'
import type { TestOrganization } from './world.ts'

const pastRetentionMs = 500 * 24 * 60 * 60 * 1000

/**
 * Has the job prune the organization's records from before a time; answers how many. Records are
 * aged, because advancing the clock would expire credentials.
 */
export async function pruneBefore(
  world: OwnWorld,
  { id }: Pick<TestOrganization, 'id'>,
  oldest: string,
): Promise<number> {
  const { database, services } = world
  const past = new Date(world.clock.now().getTime() - pastRetentionMs)
  await makePartitions(services.database, past)
  await database.query('begin')
  await database.query(settingsOnShards)
  await database.query(`set local flightdeck.pruning = 'on'`)
  const age = 'update audit_logs set stored_on = $3 where organization_id = $1 and occurred_at < $2'
  await database.query(age, [id, oldest, dateText(past)])
  await database.query('commit')
  const before = await countOf(world, id)
  await pruneAuditLogs(services, AbortSignal.timeout(10_000))
  return before - (await countOf(world, id))
}

async function countOf({ database }: OwnWorld, id: string): Promise<number> {
  const sql = 'select count(*)::int as count from audit_logs where organization_id = $1'
  const [row] = await database.query<{ count: number }>(sql, [id])
  return row?.count ?? 0
}
