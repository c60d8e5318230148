import type { Reaction } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { sumColumns } from './report/sums.ts'

const added = sumColumns.map((column) => `${column} = result_days.${column} + excluded.${column}`)

// Takes from the one profile, and gives to the other.
const moveSql = `
  insert into result_days (organization_id, date, currency, source, profile_id,
    ${sumColumns.join(', ')})
  select $1::text, date, $3::text, source, profile_id, sign, sign * is_final::integer,
    sign * spend_minor, sign * adjustment_minor,
    sign * coalesce(impressions, 0), sign * (impressions is not null)::integer,
    sign * coalesce(clicks, 0), sign * (clicks is not null)::integer,
    sign * coalesce(conversions_millionths, 0), sign * (conversions_millionths is not null)::integer,
    sign * coalesce(conversion_value_minor, 0), sign * (conversion_value_minor is not null)::integer
  from results cross join (values ($4::text, -1), ($5::text, 1)) as way (profile_id, sign)
  where organization_id = $1 and campaign_id = $2
  on conflict (organization_id, date, currency, source, profile_id) do update set
    ${added.join(', ')}`

/** A draft may have results, and move to another profile. */
export const moveWithCampaign: Reaction = async (ctx, before, after) => {
  if (!before || !after || before.profile_id === after.profile_id) return
  const { id, currency, profile_id } = after
  ctx.tx.send(tenantQuery(ctx, moveSql, id, currency, before.profile_id, profile_id))
}
