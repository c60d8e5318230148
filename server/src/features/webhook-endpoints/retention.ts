import type { Services } from '../../kernel/context.ts'
import { purge } from '../../kernel/purge.ts'
import { keptDays } from './delivery-schema.ts'

const keptMs = keptDays * 24 * 60 * 60 * 1000

// Their attempts go with them. To a disabled endpoint no attempt is to come.
const purgeSql = `
  delete from webhook_deliveries where ctid = any(array(
    select d.ctid from webhook_deliveries d
    where d.created_at < $1 and (d.status <> 'pending' or exists (
      select from webhook_endpoints e
      where e.organization_id = d.organization_id and e.id = d.endpoint_id
        and e.status = 'disabled'))
    order by d.created_at limit $2 for update of d skip locked))
  returning 1`

/** Deletes deliveries 30 days after they were made, unless an attempt is still to come. */
export const purgeDeliveries = ({ database, clock }: Services, signal: AbortSignal) =>
  purge(database, { sql: purgeSql, oldest: new Date(clock.now().getTime() - keptMs) }, signal)
