import type { WriteContext } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'

const deleteSql = (table: string) => `delete from ${table} where organization_id = $1`

// Keeps the event of the reset itself: it has the next sequence, or is the newest.
const deleteDeliveriesSql = `
  delete from webhook_deliveries
  where organization_id = $1 and (event_sequence is null or event_sequence <= $2)`
const deleteEventsSql = 'delete from events where organization_id = $1 and sequence <= $2'

/** Resets delivery statistics, and shifts the remaining times back to real time. */
const restoreEndpointsSql = `
  update webhook_endpoints set last_success_at = null, last_failure_at = null,
    consecutive_failures = 0, failing_since = null, paused_until = null,
    previous_secrets = coalesce((
      select jsonb_agg(
        jsonb_set(each, '{until_ms}', to_jsonb((each ->> 'until_ms')::bigint - $2::bigint)) order by at)
      from jsonb_array_elements(previous_secrets) with ordinality as kept(each, at)), '[]')
  where organization_id = $1`

export type Emptying = {
  /** The tables of the organization's objects, in foreign-key order. */
  tables: readonly string[]
  /** How far its clock is ahead. */
  aheadMs: number
}

/** Deletes the organization's content; users, endpoints and the audit log stay. */
export async function emptySandbox(
  ctx: WriteContext,
  { tables: emptied, aheadMs }: Emptying,
): Promise<void> {
  const { counts, eventSequence } = await ctx.ledger
  const tables = ['webhook_attempts', ...emptied, 'idempotency_keys']
  // Locks the endpoints before their deliveries, as everything does.
  ctx.tx.send(tenantQuery(ctx, restoreEndpointsSql, aheadMs))
  for (const table of tables) ctx.tx.send(tenantQuery(ctx, deleteSql(table)))
  ctx.tx.send(tenantQuery(ctx, deleteDeliveriesSql, eventSequence))
  ctx.tx.send(tenantQuery(ctx, deleteEventsSql, eventSequence))
  for (const name of emptied) if (counts[name]) ctx.added[name] = -counts[name]
}
