import { sql } from 'kysely'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context } from '../../../kernel/context.ts'
import { findOne, oneOf, rowsOf } from '../../../kernel/rows.ts'
import type { Connection } from './schema.ts'

/** The account of a profile as its connector knows it. */
export async function connectionOf(ctx: Context, profileId: string): Promise<Connection> {
  const profile = await oneOf(ctx, 'profiles', profileId)
  const row = await rowsOf(ctx, 'connections')
    .where(sql<boolean>`id = ${profileId}`)
    .selectAll()
    .executeTakeFirst()
  const lease = row?.lease_id ? await findOne(ctx, 'connector_leases', row.lease_id) : undefined
  return {
    state: stateOf(profile, row),
    connector: lease
      ? {
          adapter: lease.adapter,
          adapter_version: lease.adapter_version,
          api_version: lease.api_version,
          api_sunset: lease.api_sunset,
          instance: lease.instance,
          since: row?.connected_since ?? null,
        }
      : null,
    account: row?.account ?? null,
    credential: row?.credential ?? null,
    error: row?.error ?? null,
    last_seen_at: row?.last_seen_at ?? null,
    deployments: await countsOf(ctx, profileId),
  }
}

function stateOf(
  { connector_state }: Row<'profiles'>,
  connection: Pick<Row<'connections'>, 'error'> | undefined,
): Connection['state'] {
  if (connector_state === null) return 'none'
  if (connector_state === 'stale') return 'stale'
  return connection?.error ? 'blocked' : 'connected'
}

async function countsOf(ctx: Context, profileId: string): Promise<Record<string, number>> {
  const rows = await rowsOf(ctx, 'deployments')
    .where(sql<boolean>`profile_id = ${profileId}`)
    .groupBy('state')
    .select(['state', sql<number>`count(*)`.as('count')])
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
