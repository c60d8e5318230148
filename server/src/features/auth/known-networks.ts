import { sql } from 'kysely'
import { loginLimits } from '../../identity/logins/limits.ts'
import type { Context, Services, WriteContext } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'

// Networks with recent successful logins; attempts from them get priority.

/** Logins before this time no longer make a network known. */
export const oldestKnown = ({ clock }: Services): string =>
  new Date(clock.now().getTime() - loginLimits.knownNetworkMs).toISOString()

type KnownNetwork = { organizationId: string; network: string; oldest: string }

/** Part of the query on `users`, so that every account costs the same. */
export const isKnownFrom = ({
  organizationId,
  network,
  oldest,
}: KnownNetwork) => sql<boolean>`exists (
  select from login_networks known
  where known.organization_id = ${organizationId} and known.user_id = users.id
    and known.network = ${network} and known.last_login_at > ${oldest})`

const isKnownSql = `
  select true as is_known from login_networks
  where organization_id = $1 and user_id = $2 and network = $3 and last_login_at > $4`

export async function isKnownNetwork(
  ctx: Context,
  userId: string,
  network: string,
): Promise<boolean> {
  const statement = tenantQuery(ctx, isKnownSql, userId, network, oldestKnown(ctx.services))
  return (await ctx.reader.query(statement)).length > 0
}

const noteSql = `
  insert into login_networks (organization_id, user_id, network, last_login_at)
  values ($1, $2, $3, $4)
  on conflict (organization_id, user_id, network) do update
  set last_login_at = excluded.last_login_at`

/** Written in the login's own transaction. */
export function noteNetwork(ctx: WriteContext, network: string, now: string): void {
  ctx.tx.send(tenantQuery(ctx, noteSql, ctx.actor.id, network, now))
}
