import { sql } from 'kysely'
import { Type } from 'typebox'
import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Condition } from '../../../query/filters.ts'
import { minorUnits, text } from '../../../schema/fields.ts'
import type { Range } from '../calendar.ts'
import { isFinal } from './metrics.ts'
import { dailyRows } from './reported.ts'

/** A page has a hundred campaigns, and this many days of each. */
export const maxDaysEach = 31

export const ResultDay = Type.Object(
  {
    date: text('The day, in the time zone of the campaign.'),
    spend_minor: minorUnits('Spent, before adjustments.'),
    adjustment_minor: minorUnits('Corrections of what was spent; credits are negative.'),
    is_final: isFinal,
  },
  { title: 'ResultDay', description: 'What a campaign spent on one day, over all its sources.' },
)
type ResultDay = Type.Static<typeof ResultDay>

type Selected = { ids: readonly string[]; range: Range; conditions: readonly Condition[] }
type DayRow = ResultDay & { campaign_id: string }

/** By campaign, in order. */
export async function daysOfCampaigns(
  ctx: Context,
  selected: Selected,
): Promise<ReadonlyMap<string, ResultDay[]>> {
  const rows = await ctx.reader.query<DayRow>(daysStatement(ctx, selected))
  const days = new Map<string, ResultDay[]>()
  for (const { campaign_id, ...day } of rows) {
    const own = days.get(campaign_id)
    if (own) own.push(day)
    else days.set(campaign_id, [day])
  }
  return days
}

const daysStatement = (ctx: Context, { ids, range, conditions }: Selected) =>
  sql`
    select campaign_id, date, sum(spend_minor)::bigint as spend_minor,
      sum(adjustment_minor)::bigint as adjustment_minor, bool_and(is_final) as is_final
    from (${dailyRows(ctx, range)}) as reported
    where ${sql.join([sql`campaign_id = any(${ids})`, ...conditions], sql` and `)}
    group by campaign_id, date order by campaign_id, date`.compile(builder)
