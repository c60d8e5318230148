import type { Context, WriteContext } from '../../kernel/context.ts'
import { nowIn } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import type { DeploymentRow } from './present.ts'

/** Objects of networks that campaigns had before, or have lost: what they spent still comes. */

export type FormerObject = { network_object_id: string; campaign_id: string }

const noteSql = `
  insert into former_objects (organization_id, profile_id, id, campaign_id, ended_at)
  values ($1, $2, $3, $4, $5)
  on conflict (organization_id, profile_id, id) do update set
    campaign_id = excluded.campaign_id, ended_at = excluded.ended_at`

/** Keeps the object that a deployment had. */
export function noteFormer(ctx: WriteContext, row: DeploymentRow): void {
  const { profile_id, network_object_id, campaign_id } = row
  if (network_object_id === null) return
  ctx.tx.send(tenantQuery(ctx, noteSql, profile_id, network_object_id, campaign_id, ctx.now))
}

export const isLost = ({ state, error }: DeploymentRow): boolean =>
  state === 'removed' || error?.code === 'gone'

/** As long as results of months ago may be asked for, and a month more. */
const rememberedMs = 426 * 24 * 3_600_000

// An object that the account still holds is no former one, whatever it was before.
const formerSql = `
  select distinct on (f.id) f.id as network_object_id, f.campaign_id
  from (
    select id, campaign_id, ended_at from former_objects
    where organization_id = $1 and profile_id = $2
    union all
    select network_object_id, campaign_id, state_since from deployments
    where organization_id = $1 and profile_id = $2 and network_object_id is not null
      and (state = 'removed' or error ->> 'code' = 'gone')
  ) f
  where f.ended_at >= $3
    and not exists (select from network_campaigns n
      where n.organization_id = $1 and n.profile_id = $2 and n.id = f.id and not n.gone)
  order by f.id, f.ended_at desc`

/** Former objects of an account, as it stands after a complete pass. */
export function formerObjects(ctx: Context, profileId: string): Promise<FormerObject[]> {
  const since = new Date(Date.parse(nowIn(ctx)) - rememberedMs).toISOString()
  return ctx.reader.query<FormerObject>(tenantQuery(ctx, formerSql, profileId, since))
}
