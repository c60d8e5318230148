import type { Context } from '../../../kernel/context.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'

type WithReason = { request_id: string; action: string; object_id: string | null; reason: string }

const reasonsSql = `
  select request ->> 'id' as request_id, action, resource ->> 'id' as object_id, reason
  from audit_logs
  where organization_id = $1 and (request ->> 'id') = any($2) and reason is not null`

/** The reasons that requests gave for changes, by their events: those of the audit log. */
export async function reasonsOf(
  ctx: Context,
  events: readonly LedgerEvent[],
): Promise<(event: LedgerEvent) => string | null> {
  const ids = [...new Set(events.flatMap(({ request_id }) => request_id ?? []))]
  if (ids.length === 0) return () => null
  const rows = await ctx.reader.query<WithReason>(tenantQuery(ctx, reasonsSql, ids))
  const reasons = new Map(rows.map((row) => [keyOf(row), row.reason]))
  return ({ request_id, type: action, data }) =>
    reasons.get(keyOf({ request_id, action, object_id: data.object.id })) ?? null
}

type Keyed = { request_id: string | null; action: string; object_id: unknown }

const keyOf = ({ request_id, action, object_id }: Keyed): string =>
  `${request_id} ${action} ${object_id}`
