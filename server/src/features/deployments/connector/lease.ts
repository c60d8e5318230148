import { sql } from 'kysely'
import type { Transaction } from '../../../database/database.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context } from '../../../kernel/context.ts'
import { findOne, rowsOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { conflict } from '../../../problems/problem.ts'

export const leaseLost = () =>
  conflict('lease_lost', 'The lease has ended, or another holds the accounts: take a new one.')

type LeaseRow = Row<'connector_leases'>

type NamedLease = { lease_id: string; fence: number }

/** The caller's own lease; throws 409 where it has ended or is under an older fence. */
export async function heldLease(ctx: Context, { lease_id, fence }: NamedLease): Promise<LeaseRow> {
  const lease = await findOne(ctx, 'connector_leases', lease_id)
  const now = ctx.services.clock.now().toISOString()
  if (!lease || lease.api_key_id !== ctx.actor.id) throw leaseLost()
  if (lease.fence !== fence || lease.expires_at <= now) throw leaseLost()
  return lease
}

/** A lease and what it holds. */
export type HeldLease = { lease: LeaseRow; connections: readonly Row<'connections'>[] }

/** The caller's own lease with the connections that it holds. */
export async function held(ctx: Context, named: NamedLease): Promise<HeldLease> {
  const lease = await heldLease(ctx, named)
  const connections = await rowsOf(ctx, 'connections')
    .where(sql<boolean>`lease_id = ${lease.id} and fence = ${lease.fence}`)
    .select(columnsOf.connections)
    .execute()
  return { lease, connections }
}

const lockSql = `
  select id from connections where organization_id = $1 and lease_id = $2 and fence = $3
  order by id for share`

/** Keeps others from taking the accounts before the transaction has ended; 409 if one has taken any. */
export async function lockHeld(ctx: Context, tx: Transaction, held: HeldLease): Promise<void> {
  const { lease, connections } = held
  const rows = await tx.write(tenantQuery(ctx, lockSql, lease.id, lease.fence))
  if (rows.length < connections.length) throw leaseLost()
}
