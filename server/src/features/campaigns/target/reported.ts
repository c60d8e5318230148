import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { Range } from '../../results/calendar.ts'
import type { WindowSums } from './judge.ts'

/** A campaign and the days to add up, as dates; the range is half-open. */
export type WindowAsked = Range & { id: string }

// Days are complete as far as all sources have come.
const reportedSql = `
  select reported.*
  from unnest($2::text[], $3::date[], $4::date[]) with ordinality as asked (id, first, until, number)
  cross join lateral (
    select min(complete_through) as complete_through
    from result_sources where organization_id = $1 and campaign_id = asked.id) as source
  cross join lateral (
    select sum(spend_minor)::bigint as spend_minor, sum(adjustment_minor)::bigint as adjustment_minor,
      sum(impressions)::bigint as impressions, sum(clicks)::bigint as clicks,
      sum(conversions_millionths)::bigint as conversions_millionths,
      sum(conversion_value_minor)::bigint as conversion_value_minor,
      (count(distinct date) filter (where date <= source.complete_through))::integer as complete_days
    from results
    where organization_id = $1 and campaign_id = asked.id
      and date >= asked.first and date < asked.until
      and date >= $5::date and date < $6::date) as reported
  order by asked.number`

/** Sums of each, in the order asked. */
export async function reportedIn(
  ctx: Context,
  asked: readonly WindowAsked[],
): Promise<WindowSums[]> {
  if (asked.length === 0) return []
  const [firsts, untils] = [asked.map(({ from }) => from), asked.map(({ to }) => to)]
  // Bounds that are known before it runs let whole months be skipped.
  const bounds = [firsts.toSorted()[0], untils.toSorted().at(-1)]
  const ids = asked.map(({ id }) => id)
  return ctx.reader.query<WindowSums>(tenantQuery(ctx, reportedSql, ids, firsts, untils, ...bounds))
}
