import type { Services } from '../../../kernel/context.ts'
import { sendToAll } from '../beside.ts'
import { notifiedTypes } from './rules.ts'

// Statements over many organizations: null stands for all of them.

/**
 * Most events notify no one: their organizations move on by one statement, whatever their number.
 */
const passSql = `
  update notification_cursors c set sequence = h.event_sequence
  from organization_heads h
  where h.organization_id = c.organization_id and h.event_sequence > c.sequence
    and ($2::text[] is null or c.organization_id = any($2))
    and not exists (select from events e
      where e.organization_id = c.organization_id and e.sequence > c.sequence
        and e.sequence <= h.event_sequence and e.type = any($1))
    and not exists (select from notification_channels n
      where n.organization_id = c.organization_id and n.status = 'enabled')`

const behindSql = `
  select h.organization_id as id from organization_heads h
  left join notification_cursors c on c.organization_id = h.organization_id
  where h.event_sequence > coalesce(c.sequence, 0)
    and ($1::text[] is null or h.organization_id = any($1)) limit $2`

export const mostAtOnce = 200

export const passOver = (services: Services, changed: readonly string[] | null): Promise<void> =>
  sendToAll(services, { sql: passSql, parameters: [notifiedTypes, changed] })

/** Organizations with events that may notify people. */
export const organizationsBehind = (
  { database }: Services,
  changed: readonly string[] | null,
): Promise<{ id: string }[]> =>
  database.reader.query({ sql: behindSql, parameters: [changed, mostAtOnce], ofAll: true })
