import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Context, nowIn } from '../../../kernel/context.ts'
import type { ListShape, Page, Query } from '../../../query/list.ts'
import { walkOf } from '../../../query/walk.ts'
import { pageOfSchema, text, time } from '../../../schema/fields.ts'
import { dayIn, daysAfter } from '../calendar.ts'
import { groupedPage } from './grouped-page.ts'

export const ResultSourceState = Type.Object(
  {
    source: text('Its name.'),
    campaign_count: Type.Integer({ description: 'Campaigns that it has reported.' }),
    last_reported_at: time('`reported_at` of its last report.'),
    complete_through: text('The last day that it has completed for any campaign.'),
    days_behind: Type.Integer({
      description: 'Days from then until yesterday (UTC); 0: up to date.',
    }),
  },
  { title: 'ResultSourceState' },
)
type ResultSourceState = Type.Static<typeof ResultSourceState>

export const ResultSourceList = pageOfSchema(ResultSourceState)

export const sourceList: ListShape<'campaigns'> = {
  table: 'campaigns',
  resource: 'result_sources',
  filters: {},
  sorts: [{ name: 'last_reported_at', key: sql.ref('reported_at') }],
}

type SourceRow = {
  id: string
  campaign_count: number
  reported_at: string
  complete_through: string
}

/** Lists the sources, and how far each has come. */
export function listSources(ctx: Context, query: Query): Promise<Page<ResultSourceState>> {
  const yesterday = daysAfter(dayIn(nowIn(ctx))('UTC'), -1)
  return groupedPage<SourceRow, ResultSourceState>(ctx, {
    list: sourceList,
    query,
    walk: walkOf(ctx, sourceList, query),
    rows: sql`
      select source as id, campaign_count, reported_at, complete_through
      from result_source_totals where organization_id = ${ctx.organization.id}`,
    presentAll: (rows) =>
      rows.map(({ id, campaign_count, reported_at, complete_through }) => ({
        source: id,
        campaign_count,
        last_reported_at: reported_at,
        complete_through,
        days_behind: daysBetween(complete_through, yesterday),
      })),
  })
}

const daysBetween = (from: string, to: string): number =>
  Math.max(0, Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days)
