import { sqlOf } from '../../../database/tables/statements.ts'
import type { WriteContext } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { monthOf } from '../calendar.ts'
import type { Day } from './decide-day.ts'
import type { Progress } from './stored.ts'
import { addedSums, differencesBy, sumColumns, withoutLabel } from './sums.ts'

/** One day to store, and what it replaces. */
export type DayChange = {
  readonly campaign_id: string
  readonly currency: string
  readonly profile_id: string
  readonly labels: readonly string[]
  readonly date: string
  readonly before: Day | undefined
  readonly stored: Day
}

export type Changes = {
  readonly source: string
  readonly days: readonly DayChange[]
  readonly progress: readonly Progress[]
  /** How many campaigns the source reports for the first time. */
  readonly newCampaigns: number
}

/** Rows, running sums and progress: a few statements, however many rows there are. */
export function store(ctx: WriteContext, { source, days, progress, newCampaigns }: Changes): void {
  storeDays(ctx, source, days)
  const byMonth = differencesBy(days, (day) => [day.campaign_id, monthOf(day.date), source])
  addToSums(ctx, monthSums, byMonth)
  const byDay = differencesBy(days, (day) => [...[day.date, day.currency, source, day.profile_id]])
  addToSums(ctx, daySums, byDay)
  const byLabel = differencesBy(days.flatMap(eachLabel), (day) => [
    ...[day.date, day.label, day.currency, source, day.profile_id],
  ])
  addToSums(ctx, labelSums, byLabel)
  storeProgress(ctx, source, progress)
  addToTotal(ctx, { source, progress, newCampaigns })
  if (days.length >= manyDays) ctx.tx.sendNow()
}

/** A campaign counts for each of its labels. */
const eachLabel = (day: DayChange) =>
  (day.labels.length === 0 ? [withoutLabel] : day.labels).map((label) => ({ ...day, label }))

/** From here on it pays to store them while pacing is judged, in more round trips. */
const manyDays = 100

const upsertDaysSql = `
  insert into results (organization_id, campaign_id, date, source, spend_minor, adjustment_minor,
    impressions, clicks, conversions_millionths, conversion_value_minor, is_final, reported_at)
  select $1::text, campaign_id, date, $2::text, spend_minor, adjustment_minor,
    impressions, clicks, conversions_millionths, conversion_value_minor, is_final, reported_at
  from unnest($3::text[], $4::date[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
    $9::bigint[], $10::bigint[], $11::boolean[], $12::timestamptz[])
    as day (campaign_id, date, spend_minor, adjustment_minor, impressions, clicks,
      conversions_millionths, conversion_value_minor, is_final, reported_at)
  on conflict (organization_id, campaign_id, date, source) do update set
    spend_minor = excluded.spend_minor, adjustment_minor = excluded.adjustment_minor,
    impressions = excluded.impressions, clicks = excluded.clicks,
    conversions_millionths = excluded.conversions_millionths,
    conversion_value_minor = excluded.conversion_value_minor,
    is_final = excluded.is_final, reported_at = excluded.reported_at`

function storeDays(ctx: WriteContext, source: string, days: readonly DayChange[]): void {
  if (days.length === 0) return
  const columns = [
    days.map((day) => day.campaign_id),
    days.map((day) => day.date),
    days.map(({ stored }) => stored.spend_minor),
    days.map(({ stored }) => stored.adjustment_minor),
    days.map(({ stored }) => stored.impressions),
    days.map(({ stored }) => stored.clicks),
    days.map(({ stored }) => stored.conversions_millionths),
    days.map(({ stored }) => stored.conversion_value_minor),
    days.map(({ stored }) => stored.is_final),
    days.map(({ stored }) => stored.reported_at),
  ]
  ctx.tx.send(tenantQuery(ctx, upsertDaysSql, source, ...columns))
}

type Sums = { table: string; keys: Readonly<Record<string, 'text' | 'date'>> }

const monthSums: Sums = {
  table: 'result_months',
  keys: { campaign_id: 'text', month: 'date', source: 'text' },
}
const daySums: Sums = {
  table: 'result_days',
  keys: { date: 'date', currency: 'text', source: 'text', profile_id: 'text' },
}
const labelSums: Sums = {
  table: 'result_labels',
  keys: { date: 'date', label: 'text', currency: 'text', source: 'text', profile_id: 'text' },
}

function addSql({ table, keys }: Sums): string {
  const names = [...Object.keys(keys), ...sumColumns]
  const types = [...Object.values(keys), ...sumColumns.map(() => 'bigint')]
  return `
  insert into ${table} (organization_id, ${names.join(', ')})
  select $1::text, ${names.join(', ')}
  from unnest(${types.map((type, at) => `$${at + 2}::${type}[]`).join(', ')}) as more (${names.join(', ')})
  on conflict (organization_id, ${Object.keys(keys).join(', ')}) do update set ${addedSums(table)}`
}

type Difference = ReturnType<typeof differencesBy>[number]

function addToSums(ctx: WriteContext, sums: Sums, differences: readonly Difference[]): void {
  if (differences.length === 0) return
  const columns = [
    ...Object.keys(sums.keys).map((_, at) => differences.map(({ key }) => key[at])),
    ...sumColumns.map((_, at) => differences.map((each) => each.sums[at])),
  ]
  const text = sqlOf(`add to ${sums.table}`, () => addSql(sums))
  ctx.tx.send(tenantQuery(ctx, text, ...columns))
}

const upsertProgressSql = `
  insert into result_sources (organization_id, campaign_id, source, reported_at, complete_through)
  select $1::text, campaign_id, $2::text, reported_at, complete_through
  from unnest($3::text[], $4::timestamptz[], $5::date[])
    as far (campaign_id, reported_at, complete_through)
  on conflict (organization_id, campaign_id, source) do update set
    reported_at = excluded.reported_at, complete_through = excluded.complete_through`

function storeProgress(ctx: WriteContext, source: string, progress: readonly Progress[]): void {
  if (progress.length === 0) return
  const columns = (['campaign_id', 'reported_at', 'complete_through'] as const).map((name) =>
    progress.map((each) => each[name]),
  )
  ctx.tx.send(tenantQuery(ctx, upsertProgressSql, source, ...columns))
}

const addToTotalSql = `
  insert into result_source_totals as total (organization_id, source, campaign_count, reported_at,
    complete_through)
  values ($1, $2, $3, $4, $5)
  on conflict (organization_id, source) do update set
    campaign_count = total.campaign_count + excluded.campaign_count,
    reported_at = greatest(total.reported_at, excluded.reported_at),
    complete_through = greatest(total.complete_through, excluded.complete_through)`

type Progressed = Pick<Changes, 'source' | 'progress' | 'newCampaigns'>

/** Times and dates sort as text. */
function addToTotal(ctx: WriteContext, { source, progress, newCampaigns }: Progressed): void {
  if (progress.length === 0) return
  const latest = (['reported_at', 'complete_through'] as const).map((name) =>
    progress.map((each) => each[name]).reduce((one, other) => (one > other ? one : other)),
  )
  ctx.tx.send(tenantQuery(ctx, addToTotalSql, source, newCampaigns, ...latest))
}
