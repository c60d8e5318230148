import { sql } from 'kysely'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context } from '../../../kernel/context.ts'
import { findOne, rowsOf } from '../../../kernel/rows.ts'
import { conflict } from '../../../problems/problem.ts'

const leaseLost = () =>
  conflict('lease_lost', 'The lease has ended, or another holds the accounts: take a new one.')

export type LeaseRow = Row<'connector_leases'>

/** The caller's own lease; throws 409 where it has ended or is under an older fence. */
export async function heldLease(
  ctx: Context,
  { lease_id, fence }: { lease_id: string; fence: number },
): Promise<LeaseRow> {
  const lease = await findOne(ctx, 'connector_leases', lease_id)
  const now = ctx.services.clock.now().toISOString()
  if (!lease || lease.api_key_id !== ctx.actor.id) throw leaseLost()
  if (lease.fence !== fence || lease.expires_at <= now) throw leaseLost()
  return lease
}

/** The connections that the lease holds. */
export const connectionsOf = (ctx: Context, lease: LeaseRow): Promise<Row<'connections'>[]> =>
  rowsOf(ctx, 'connections')
    .where(sql<boolean>`lease_id = ${lease.id} and fence = ${lease.fence}`)
    .select(columnsOf.connections)
    .execute()
