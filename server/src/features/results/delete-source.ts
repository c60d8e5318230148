import { change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { conflict, notFound } from '../../problems/problem.ts'
import { filterParameters } from '../../query/list.ts'
import { newId } from '../../values/ids.ts'
import { monthAfter } from './calendar.ts'
import { addedSums, labelsOf, sumColumns } from './report/sums.ts'
import { reportIds, type SpendNews } from './resource.ts'
import type { ResultsRemoval } from './schema.ts'
import { byCampaign } from './summary/reported.ts'

/** More are several requests: each is one transaction, which holds up the organization's writes. */
const maxCampaigns = 1_000
const maxDays = 100_000

export const deletionParameters = filterParameters({ campaign_id: byCampaign })

type SourceToDelete = { readonly source: string; readonly campaignIds: readonly string[] | null }

/** Takes off what a source has reported: its days, its part of all sums, and its admission. */
export async function deleteSource(
  ctx: Context,
  source: string,
  { campaign_id: given }: Readonly<Record<string, string | readonly string[] | undefined>>,
): Promise<void> {
  const campaignIds = given === undefined ? null : [given].flat().flatMap((each) => each.split(','))
  await change<ResultsRemoval>(ctx, 'results.source_deleted', async (ctx) => {
    const before = await removalOf(ctx, { source, campaignIds })
    takeOff(ctx, before)
    return { before, after: null, toSnapshot: shortened, news: newsOf(before) }
  })
}

/** Reactions read again what is left of each campaign. */
const newsOf = ({ campaign_ids }: ResultsRemoval): Map<string, SpendNews> =>
  new Map(campaign_ids.map((id) => [id, { days: [], sources: [] }]))

const maxShown = 100

const shortened = (removal: ResultsRemoval): ResultsRemoval => ({
  ...removal,
  campaign_ids: removal.campaign_ids.slice(0, maxShown),
})

const reportedSql = `
  select count(*)::integer as campaign_count, coalesce(sum(had.days), 0)::integer as day_count,
    min(had.first) as first_month, max(had.last) as last_month,
    (array_agg(s.campaign_id order by s.campaign_id))[:${maxCampaigns}] as campaign_ids
  from result_sources s
  cross join lateral (
    select sum(row_count) as days, min(month) as first, max(month) as last from result_months m
    where m.organization_id = $1 and m.campaign_id = s.campaign_id and m.source = s.source) as had
  where s.organization_id = $1 and s.source = $2 and ($3::text[] is null or s.campaign_id = any($3))`

type Reported = Omit<ResultsRemoval, 'id' | 'source'>

/** Throws 404 for what was never reported, and 409 for more than one transaction may take. */
async function removalOf(
  ctx: WriteContext,
  { source, campaignIds }: SourceToDelete,
): Promise<ResultsRemoval> {
  const [found] = await ctx.reader.query<Reported>(
    tenantQuery(ctx, reportedSql, source, campaignIds),
  )
  if (!found || found.campaign_count === 0) throw notFound()
  checkSize(found)
  return { id: newId(reportIds), source, ...found }
}

function checkSize({ campaign_count, day_count }: Reported): void {
  if (campaign_count <= maxCampaigns && day_count <= maxDays) return
  const has = `That is ${day_count} days of ${campaign_count} campaigns`
  const most = `at once at most ${maxDays} days of ${maxCampaigns} campaigns can be deleted`
  throw conflict('limit_exceeded', `${has}; ${most}. Name some of them by campaign_id.`, {
    resource: campaign_count > maxCampaigns ? 'campaigns' : 'results',
    limit: campaign_count > maxCampaigns ? maxCampaigns : maxDays,
  })
}

const whatItReported = `organization_id = $1 and source = $2 and campaign_id = any($3)`
/** The range leaves the partitions of other months out. */
const deleteDaysSql = `
  delete from results where ${whatItReported} and date >= $4 and date < $5`

const minus = (figure: string) => `-coalesce(sum(r.${figure}), 0), -count(r.${figure})`

const subtractSql = (table: string, key: string, each: string) => `
  insert into ${table} (organization_id, date, currency, source, profile_id, ${sumColumns.join(', ')}${key && `, ${key}`})
  select $1::text, r.date, c.currency, r.source, c.profile_id,
    -count(*), -count(*) filter (where r.is_final), -sum(r.spend_minor), -sum(r.adjustment_minor),
    ${minus('impressions')}, ${minus('clicks')},
    ${minus('conversions_millionths')}, ${minus('conversion_value_minor')}${key && `, ${key}`}
  from results r
  join campaigns c on c.organization_id = $1 and c.id = r.campaign_id
  ${each}
  where r.organization_id = $1 and r.source = $2 and r.campaign_id = any($3)
    and r.date >= $4 and r.date < $5
  group by r.date, c.currency, r.source, c.profile_id${key && `, ${key}`}
  on conflict (organization_id, date, currency, source, profile_id${key && `, ${key}`}) do update set
    ${addedSums(table)}`

const subtractions = [
  subtractSql('result_days', '', ''),
  subtractSql(
    'result_labels',
    'label',
    `cross join lateral ${labelsOf('c.labels')} as each (label)`,
  ),
]

/** From the campaigns that the source still reports. */
const totalSql = `
  update result_source_totals total set campaign_count = rest.campaign_count,
    reported_at = coalesce(rest.reported_at, total.reported_at),
    complete_through = coalesce(rest.complete_through, total.complete_through)
  from (select count(*) as campaign_count, max(reported_at) as reported_at,
      max(complete_through) as complete_through
    from result_sources where organization_id = $1 and source = $2) as rest
  where total.organization_id = $1 and total.source = $2`

const emptyTotalSql = `
  delete from result_source_totals
  where organization_id = $1 and source = $2 and campaign_count = 0`

const deletedTables = ['result_months', 'result_sources']

function takeOff(ctx: WriteContext, removal: ResultsRemoval): void {
  const { source, campaign_ids: ids, first_month, last_month } = removal
  if (first_month !== null && last_month !== null) {
    const days = [source, ids, first_month, monthAfter(last_month)]
    for (const sql of subtractions) ctx.tx.send(tenantQuery(ctx, sql, ...days))
    ctx.tx.send(tenantQuery(ctx, deleteDaysSql, ...days))
  }
  for (const table of deletedTables) {
    ctx.tx.send(tenantQuery(ctx, `delete from ${table} where ${whatItReported}`, source, ids))
  }
  for (const sql of [totalSql, emptyTotalSql]) ctx.tx.send(tenantQuery(ctx, sql, source))
}
