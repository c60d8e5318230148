import { audited } from '../../../kernel/change.ts'
import type { Reaction } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'

const action = 'campaign.kept_paused'

// Once is enough.
const waitingSql = `
  select exists (
    select from change_set_operations o
    join change_sets c on c.organization_id = o.organization_id and c.id = o.change_set_id
    where o.organization_id = $1 and o.object_id = $2 and o.action = 'pause'
      and c.status = 'applied' and c.ended_at is null and c.revert_at is not null
      and not exists (
        select from audit_logs a
        where a.organization_id = $1 and a.resource ->> 'id' = $2 and a.action = $3
          and a.occurred_at >= c.applied_at)
  ) as is_waiting`

/**
 * Records that a campaign which the change set had paused was then paused by hand, so that the way
 * back leaves it paused.
 */
export const keepPaused: Reaction = async (ctx, before) => {
  if (ctx.changeSet || !before) return
  const { id, name } = { id: String(before.id), name: String(before.name) }
  const statement = tenantQuery(ctx, waitingSql, id, action)
  const [found] = await ctx.reader.query<{ is_waiting: boolean }>(statement)
  if (!found?.is_waiting) return
  const changes = [{ field: 'status', before: 'paused', after: 'paused' }]
  const resource = { type: 'campaign', id, name }
  await audited(ctx, { action, resource, changes }, async () => {})
}
