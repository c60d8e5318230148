import type { Statement } from '../../../database/driver/protocol.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'

// In the order of their ids, so that no two transactions wait for each other.
const markingSql = (clients: string): string => `
  insert into client_pacing_due as due (organization_id, client_id, due_at, revision)
  select $1, client_id, $3::timestamptz, 1 from (${clients}) as found
  order by client_id
  on conflict (organization_id, client_id) do update
    set due_at = least(due.due_at, excluded.due_at), revision = due.revision + 1`

const byProfileSql = markingSql(`
  select distinct client_id from profiles
  where organization_id = $1 and id = any($2) and client_id is not null`)

/** Marks the clients of profiles as due for the background. */
export const markClientsOf = (
  ctx: Context,
  profileIds: readonly string[],
  now: string,
): Statement => tenantQuery(ctx, byProfileSql, [...new Set(profileIds)], now)

const byIdSql = markingSql(`
  select id as client_id from clients
  where organization_id = $1 and ($2::text[] is null or id = any($2))`)

/** Marks clients as due for the background; null: all of them. */
export const markClients = (ctx: Context, ids: readonly string[] | null, now: string): Statement =>
  tenantQuery(ctx, byIdSql, ids, now)
