import { sql } from 'kysely'
import { Type } from 'typebox'
import { builder } from '../../../database/tables/kysely.ts'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { oneOf } from '../../../kernel/rows.ts'
import { filterParameters, type Query } from '../../../query/list.ts'
import { choice, idOf, text, texts } from '../../../schema/fields.ts'
import { campaignIds } from '../../campaigns/resource.ts'
import { dayIn, daysAfter, type Range, rangeFilters, rangeOf } from '../calendar.ts'
import { isFinal, type Sums, shownFigures, sumFields } from './metrics.ts'

const granularities = ['day', 'week', 'month'] as const

const { currency, currency_exponent, ...figures } = sumFields

const Period = Type.Object(
  {
    date: text('The first day of the day, week or month; weeks begin on Monday.'),
    ...figures,
    is_final: isFinal,
    sources: texts('Where the figures come from.'),
  },
  { title: 'ResultPeriod' },
)

export const CampaignResults = Type.Object(
  {
    campaign_id: idOf(campaignIds, 'The campaign.'),
    from: text('First day.'),
    to: text('The day after the last one.'),
    granularity: choice(granularities, { description: 'Length of each period.' }),
    currency,
    currency_exponent,
    data: Type.Array(Period, {
      description: 'In order; without the periods that nothing was reported of.',
    }),
  },
  { title: 'CampaignResults' },
)
type CampaignResults = Type.Static<typeof CampaignResults>

const defaultDays = 30

export const campaignResultParameters = {
  ...filterParameters(rangeFilters({ from: `${defaultDays} days before \`to\``, to: 'tomorrow' })),
  granularity: choice(granularities, { default: 'day', description: 'Length of each period.' }),
}

type PeriodRow = Omit<Sums, 'currency'> & { date: string; is_final: boolean; sources: string[] }

/** The sums of a campaign's days, weeks or months, over all its sources. */
export async function campaignResults(
  ctx: Context,
  id: string,
  query: Query,
): Promise<CampaignResults> {
  const campaign = await oneOf(ctx, 'campaigns', id)
  const today = dayIn(nowIn(ctx))(campaign.time_zone)
  const range = rangeIn(query, today)
  const granularity = granularities.find((each) => each === query.granularity) ?? 'day'
  const rows = await ctx.reader.query<PeriodRow>(periodsStatement(ctx, id, { range, granularity }))
  const { currency, currency_exponent } = campaign
  const data = rows.map(({ date, is_final, sources, ...sums }) => ({
    date,
    ...shownFigures(sums, currency_exponent),
    is_final,
    sources,
  }))
  return { campaign_id: id, ...range, granularity, currency, currency_exponent, data }
}

function rangeIn({ from, to }: Query, today: string): Range {
  const end = to ?? daysAfter(today, 1)
  return rangeOf({ from, to }, { from: daysAfter(end, -defaultDays), to: end })
}

type Periods = { range: Range; granularity: (typeof granularities)[number] }

/** One text for each granularity. */
function periodsStatement(ctx: Context, id: string, { range, granularity }: Periods) {
  const period = sql.raw(`date_trunc('${granularity}', date)::date`)
  return sql`
    select ${period} as date,
      sum(spend_minor)::bigint as spend_minor,
      sum(adjustment_minor)::bigint as adjustment_minor,
      sum(impressions)::bigint as impressions,
      sum(clicks)::bigint as clicks,
      sum(conversions_millionths)::bigint as conversions_millionths,
      sum(conversion_value_minor)::bigint as conversion_value_minor,
      bool_and(is_final) as is_final,
      array_agg(distinct source) as sources
    from results
    where organization_id = ${ctx.organization.id} and campaign_id = ${id}
      and date >= ${range.from}::date and date < ${range.to}::date
    group by 1 order by 1`.compile(builder)
}
