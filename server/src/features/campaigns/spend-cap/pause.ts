import { sql } from 'kysely'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import type { WriteContext } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { pauseAll } from '../pause-all.ts'
import { countClientMonths } from './client-months.ts'
import { excessCredits } from './credits.ts'
import { isSpendCapReached, monthIn } from './reached.ts'

type Reported = Pick<Row<'campaigns'>, 'id' | 'profile_id' | 'lifetime_budget_minor'>

/**
 * Pauses the running campaigns whose own lifetime budget, whose profile's monthly cap, or whose client's
 * budget of the month is spent. In the transaction of the report, after its rows.
 */
export async function pauseWhatIsSpent(
  ctx: WriteContext,
  campaigns: readonly Reported[],
): Promise<void> {
  const profileIds = [...new Set(campaigns.map(({ profile_id }) => profile_id))]
  const capped = await countMonths(ctx, profileIds)
  const clientIds = await countClientMonths(ctx, profileIds)
  const ids = campaigns.filter((each) => each.lifetime_budget_minor !== null).map(({ id }) => id)
  if (ids.length === 0 && capped.length === 0 && clientIds.length === 0) return
  const rows = await runningOf(ctx, { ids, profileIds: capped, clientIds })
  const spent = rows.filter((row) => isSpendCapReached(row, ctx.now))
  await pauseAll(ctx, spent, 'spend_cap_reached')
}

const runningOf = (
  ctx: WriteContext,
  { ids, profileIds, clientIds }: { ids: string[]; profileIds: string[]; clientIds: string[] },
) =>
  rowsOf(ctx, 'campaign_details')
    .where(sql<boolean>`(id = any(${ids}) or profile_id = any(${profileIds})
      or client_spending is not null and profile_id in (
        select id from profiles
        where organization_id = ${ctx.organization.id} and client_id = any(${clientIds})))`)
    .where(sql<boolean>`status in ('scheduled', 'active')`)
    .where(sql<boolean>`(lifetime_budget_minor is not null or profile_spend_cap_minor is not null
      or client_spending is not null)`)
    .select(columnsOf.campaign_details)
    .execute()

type Capped = { id: string; time_zone: string }

const cappedSql = `
  select id, time_zone from profiles
  where organization_id = $1 and id = any($2) and monthly_spend_cap_minor is not null`

const daysOfMonth = `campaign_id = m.campaign_id and source = m.source
  and date >= m.month and date < (m.month + interval '1 month')::date`

// Campaigns have the currency of a profile with a cap, unless they never ran. Days are read only where
// there are credits.
const countSql = `
  update profiles f set spent_month = asked.month, spent_minor = coalesce((
    select sum(m.spend_minor + m.adjustment_minor
      + case when m.adjustment_minor < 0 then ${excessCredits(daysOfMonth)} else 0 end)
    from campaigns c
    join result_months m on m.organization_id = c.organization_id and m.campaign_id = c.id
    where c.organization_id = $1 and c.profile_id = f.id and c.currency = f.currency
      and m.month = asked.month), 0)
  from unnest($2::text[], $3::date[]) as asked (id, month)
  where f.organization_id = $1 and f.id = asked.id`

/** Counts what the profiles with a cap have spent this month, in their zone; returns their ids. */
export async function countMonths(
  ctx: WriteContext,
  profileIds: readonly string[],
): Promise<string[]> {
  const capped = await ctx.reader.query<Capped>(tenantQuery(ctx, cappedSql, profileIds))
  if (capped.length === 0) return []
  const ids = capped.map(({ id }) => id)
  const months = capped.map(({ time_zone }) => monthIn(time_zone, ctx.now))
  ctx.tx.send(tenantQuery(ctx, countSql, ids, months))
  return ids
}
