import { type RawBuilder, sql } from 'kysely'
import { builder } from '../../../database/tables/kysely.ts'
import type { Streamed } from '../../../http/endpoint.ts'
import type { Context } from '../../../kernel/context.ts'
import { fileOf, formatIn, formatParameter } from '../../../query/file-formats.ts'
import type { Condition } from '../../../query/filters.ts'
import { filterParameters, type Query } from '../../../query/list.ts'
import { beginLongRead } from '../../../query/long-reads.ts'
import { conditionsOf, filtersOf } from '../../../query/walk.ts'
import { exponentFor, toMajor } from '../../../values/money.ts'
import type { Day } from '../report/decide-day.ts'
import { periodFilters, rangeIn } from './period.ts'
import { dailyRows, resultFilters, withCampaigns } from './reported.ts'
import { resultList } from './summary.ts'

/** Columns named like the fields of a report, so that the file can be imported. */
const columns = [
  ...['campaign_id', 'external_id', 'campaign_name', 'date', 'source', 'currency'],
  ...['spend', 'impressions', 'clicks', 'conversions', 'conversion_value', 'adjustment'],
  ...['is_final', 'reported_at'],
]

export const exportParameters = {
  format: formatParameter,
  ...filterParameters({ ...periodFilters, ...resultFilters }),
}

/** Every matching day, by campaign. */
export async function exportResults(ctx: Context, query: Query): Promise<Streamed> {
  const { format: _, ...rest } = query
  const format = formatIn(query)
  const filters = filtersOf(ctx, resultList, rest)
  const conditions = conditionsOf(resultList, filters)
  const range = rangeIn(ctx, filters)
  const { signal, end } = beginLongRead(ctx, 'export')
  const rows = withCampaigns(ctx, dailyRows(ctx, range))
  const batches = batchesOf(ctx, { rows, conditions, signal })
  const fileName = `results_${ctx.organization.id}_${range.from}_${range.to}.${format}`
  return { ...fileOf(format, { batches, columns }), fileName, close: end }
}

type StoredResult = Day & {
  campaign_id: string
  campaign_name: string
  external_id: string | null
  date: string
  source: string
  currency: string
}

type Selected = { rows: RawBuilder<unknown>; conditions: readonly Condition[]; signal: AbortSignal }

const rowsAtOnce = 500

async function* batchesOf(ctx: Context, selected: Selected): AsyncGenerator<object[]> {
  let last: StoredResult | undefined
  do {
    selected.signal.throwIfAborted()
    const found = await ctx.reader.query<StoredResult>(batchStatement(selected, last))
    yield found.map(toRow)
    last = found.length === rowsAtOnce ? found.at(-1) : undefined
  } while (last)
}

function batchStatement({ rows, conditions }: Selected, last: StoredResult | undefined) {
  const after = last
    ? sql`(campaign_id, date, source) > (${last.campaign_id}, ${last.date}::date, ${last.source})`
    : sql`true`
  return sql`
    select * from (${rows}) as reported
    where ${sql.join([after, ...conditions], sql` and `)}
    order by campaign_id, date, source limit ${sql.lit(rowsAtOnce)}`.compile(builder)
}

const million = 1_000_000

function toRow(day: StoredResult) {
  const { campaign_id, external_id, campaign_name, date, source, currency } = day
  const { impressions, clicks, conversions_millionths, is_final, reported_at } = day
  const exponent = exponentFor(currency)
  return {
    campaign_id,
    external_id,
    campaign_name,
    date,
    source,
    currency,
    spend: toMajor(day.spend_minor, exponent),
    impressions,
    clicks,
    conversions: conversions_millionths === null ? null : conversions_millionths / million,
    conversion_value: toMajor(day.conversion_value_minor, exponent),
    adjustment: toMajor(day.adjustment_minor, exponent),
    is_final,
    reported_at,
  }
}
