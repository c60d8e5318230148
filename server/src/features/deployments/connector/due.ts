import { actAsSystem, type Services } from '../../../kernel/context.ts'
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
  })
  for (const [organizationId, rows] of Map.groupBy(found, (each) => each.organization_id)) {
    const ctx = await actAsSystem(services, organizationId, 'Flightdeck')
    const ids = rows.map(({ id }) => id)
    if (ctx) await setAll(ctx, ids, 'stale')
  }
}
