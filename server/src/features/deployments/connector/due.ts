import { sql } from 'kysely'
import type { SingletonTask } from '../../../jobs/job.ts'
import { actAsSystem, type Services, type WriteContext } from '../../../kernel/context.ts'
import { announce, record } from '../../../kernel/ledger.ts'
import { rowsOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { getProfile } from '../../profiles/profiles.ts'
import { setAll } from './connected.ts'

// Leases end in real time, ten minutes go by the organization's clock.
const staleSql = `
  select p.organization_id, p.id from profiles p
  join organizations o on o.id = p.organization_id
  left join connections c on c.organization_id = p.organization_id and c.id = p.id
  left join connector_leases l on l.organization_id = c.organization_id and l.id = c.lease_id
  where p.connector_state = 'connected'
    and coalesce(l.expires_at, c.last_seen_at, 'epoch'::timestamptz) + interval '10 minutes'
      <= $1::timestamptz + o.clock_ahead_ms * interval '1 millisecond'
  limit 1000`

/** Notes which accounts no connector has held for ten minutes. */
export async function noteStale(services: Services): Promise<void> {
  const parameters = [services.clock.now().toISOString()]
  const found = await services.database.reader.query<{ organization_id: string; id: string }>({
    sql: staleSql,
    parameters,
    ofAll: true,
  })
  for (const [organizationId, rows] of Map.groupBy(found, (each) => each.organization_id)) {
    const ctx = await actAsSystem(services, organizationId, 'Flightdeck')
    const ids = rows.map(({ id }) => id)
    if (ctx) await setAll(ctx, ids, 'stale')
  }
}

/** Warns of credentials that end soon: 14, 7 and 1 days before, by the organization's clock. */
export const expiringCredentials: SingletonTask = {
  name: 'connections.expiring',
  everyMs: 60_000,
  work: [],
  run: warnOfExpiring,
}

const warnings = [14, 7, 1]
const dayMs = 24 * 3_600_000

// Times are texts in one form, which sort as they are: what a connector sends is not cast.
const expiringSql = `
  select c.organization_id, c.id from connections c
  join organizations o on o.id = c.organization_id
  cross join lateral (
    select $1::timestamptz + o.clock_ahead_ms * interval '1 millisecond' as now) t
  where c.credential ->> 'expires_at' > ${textOf('t.now')}
    and c.credential ->> 'expires_at' <= ${textOf(`t.now + interval '1 day' * case
      when c.warned_days is null then 14 when c.warned_days > 7 then 7
      when c.warned_days > 1 then 1 end`)}
  limit 1000`

function textOf(time: string): string {
  return `to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

type Found = { organization_id: string; id: string }

export async function warnOfExpiring(services: Services): Promise<void> {
  const parameters = [services.clock.now().toISOString()]
  const found = await services.database.reader.query<Found>({
    sql: expiringSql,
    parameters,
    ofAll: true,
  })
  for (const { organization_id, id } of found) {
    const ctx = await actAsSystem(services, organization_id, 'Flightdeck')
    if (ctx) await inTransaction(ctx, (ctx) => warn(ctx, id))
  }
}

const warnedSql = 'update connections set warned_days = $3 where organization_id = $1 and id = $2'

/** Warns once of each, and of the last alone where several are due. */
async function warn(ctx: WriteContext, id: string): Promise<void> {
  const connection = await rowsOf(ctx, 'connections')
    .where(sql<boolean>`id = ${id}`)
    .select(['credential', 'warned_days'])
    .executeTakeFirst()
  const expires_at = connection?.credential?.expires_at ?? null
  if (!connection || expires_at === null) return
  const days = dueDays(Date.parse(expires_at) - Date.parse(ctx.now))
  const { warned_days } = connection
  if (days === undefined || (warned_days !== null && warned_days <= days)) return
  ctx.tx.send(tenantQuery(ctx, warnedSql, id, days))
  const profile = await getProfile(ctx, id)
  const changes = [{ field: 'credential_expires_at', before: null, after: expires_at }]
  const resource = { type: 'profile', id, name: profile.name }
  await record(ctx, { action: 'profile.credential_expiring', resource, changes })
  await announce(ctx, 'profile.credential_expiring', { before: profile, after: profile })
}

/** The smallest of the warnings whose time has come; undefined: none, or it has ended. */
const dueDays = (leftMs: number): number | undefined =>
  leftMs <= 0 ? undefined : warnings.findLast((days) => leftMs <= days * dayMs)
