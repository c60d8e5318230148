import type { PacingPlan, SpentDays } from '../../../database/tables/json-columns.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { actionsOf } from '../../../history/versions.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { DaySpend, Reported } from './measure/spend.ts'
import type { PacingStatus } from './measure/status.ts'
import type { Platform } from './plan/allowances.ts'
import { dayNumberOf } from './plan/days.ts'
import type { Recorded } from './plan/steps.ts'

/** A campaign as pacing reads it, and what was stored of its pacing. */
export type PacingRow = Pick<
  Row<'campaigns'>,
  | ('id' | 'name' | 'version' | 'status' | 'profile_id' | 'currency' | 'currency_exponent')
  | ('daily_budget_minor' | 'lifetime_budget_minor' | 'schedule' | 'time_zone')
  | ('start_at' | 'end_at' | 'launched_at' | 'completed_at')
> & {
  platform: Platform
  pacing_status: PacingStatus | null
  plan: PacingPlan | null
  plan_key: string | null
  /** The version that its planned days are of; null without them. */
  planned_version: number | null
  spent_days: SpentDays | null
  reported_at: string | null
  /** Null without a stored row. */
  revision: number | null
}

const factsSql = `
  select c.id, c.name, c.version, c.status, c.profile_id, c.currency, c.currency_exponent,
    c.daily_budget_minor, c.lifetime_budget_minor, c.schedule, c.time_zone,
    c.start_at, c.end_at, c.launched_at, c.completed_at, f.platform,
    p.status as pacing_status, p.plan, p.plan_key, p.planned_version, p.spent_days, p.reported_at,
    p.revision
  from campaigns c
  join profiles f on f.organization_id = c.organization_id and f.id = c.profile_id
  left join campaign_pacing p on p.organization_id = c.organization_id and p.id = c.id
  where c.organization_id = $1 and c.id = any($2)`

export const pacingRows = (ctx: Context, ids: readonly string[]): Promise<PacingRow[]> =>
  ctx.reader.query<PacingRow>(tenantQuery(ctx, factsSql, ids))

/** Far more than a period has; the oldest beyond that count as unchanged. */
const maxRecords = 2_000

const recordsSql = `
  select asked.id, record.at, record.changes
  from unnest($2::text[], $3::timestamptz[]) as asked (id, since)
  cross join lateral (
    select sequence, occurred_at as at, changes from audit_logs
    where organization_id = $1 and resource ->> 'id' = asked.id
      and outcome = 'success' and action = any($4) and occurred_at >= asked.since
    order by sequence desc limit ${maxRecords}) as record
  order by asked.id, record.sequence desc`

export type Since = { id: string; since: string }

/** The changes of campaigns since a time each, newest first, by campaign. */
export async function recordsSince(
  ctx: Context,
  wanted: readonly Since[],
): Promise<Map<string, Recorded[]>> {
  if (wanted.length === 0) return new Map()
  const [ids, times] = [wanted.map(({ id }) => id), wanted.map(({ since }) => since)]
  const found = await ctx.reader.query<Recorded & { id: string }>(
    tenantQuery(ctx, recordsSql, ids, times, actionsOf(ctx, 'campaign')),
  )
  return Map.groupBy(found, ({ id }) => id)
}

// `$4` lets whole months be skipped. A day of several sources comes several times: adding up here
// would double the cost of reading.
const spendSql = `
  select asked.id, reported.*, latest.*
  from unnest($2::text[], $3::date[]) as asked (id, since)
  cross join lateral (
    select json_agg(source order by source) as sources, min(complete_through) as complete_through,
      max(reported_at) as reported_at
    from result_sources where organization_id = $1 and campaign_id = asked.id) as reported
  cross join lateral (
    select json_agg(day) as days, json_agg(minor) as minors from (
      select date - date '1970-01-01' as day, spend_minor + adjustment_minor as minor
      from results
      where organization_id = $1 and campaign_id = asked.id
        and date >= asked.since and date >= $4::date
      order by date) as by_day) as latest`

// From the running sums, but for the rest of the first month.
const earlierSql = `
  select asked.id, earlier.rest_minor, months.months_minor
  from unnest($2::text[], $3::date[], $4::date[], $5::date[])
    as asked (id, since, start, first_month)
  cross join lateral (
    select sum(spend_minor + adjustment_minor)::bigint as rest_minor from results
    where organization_id = $1 and campaign_id = asked.id
      and date >= asked.start and date < least(asked.first_month, asked.since)) as earlier
  cross join lateral (
    select sum(spend_minor + adjustment_minor)::bigint as months_minor from result_months
    where organization_id = $1 and campaign_id = asked.id
      and month >= asked.first_month and month < asked.since) as months`

/**
 * The days of a campaign to read, as dates: one by one from `since`, and summed by month before it.
 */
export type Wanted = { id: string; start: string; firstMonth: string; since: string }

type SpendRow = {
  id: string
  sources: string[] | null
  complete_through: string | null
  reported_at: string | null
  days: number[] | null
  minors: number[] | null
}

/** The reported spending of campaigns, by campaign. */
export async function reportedOf(
  ctx: Context,
  wanted: readonly Wanted[],
): Promise<Map<string, Reported>> {
  if (wanted.length === 0) return new Map()
  const columns = [wanted.map(({ id }) => id), wanted.map(({ since }) => since)]
  const first = wanted.map(({ since }) => since).sort()[0]
  const [rows, earlier] = await Promise.all([
    ctx.reader.query<SpendRow>(tenantQuery(ctx, spendSql, ...columns, first)),
    earlierOf(ctx, wanted),
  ])
  return new Map(rows.map((row) => [row.id, reportedIn(row, earlier.get(row.id) ?? null)]))
}

type EarlierRow = { id: string; rest_minor: number | null; months_minor: number | null }

/** The spending of long flights before the days that are read one by one. */
async function earlierOf(ctx: Context, wanted: readonly Wanted[]): Promise<Map<string, number>> {
  const long = wanted.filter(({ start, since }) => start < since)
  if (long.length === 0) return new Map()
  const columns = (['id', 'since', 'start', 'firstMonth'] as const).map((name) =>
    long.map((each) => each[name]),
  )
  const rows = await ctx.reader.query<EarlierRow>(tenantQuery(ctx, earlierSql, ...columns))
  return new Map(
    rows
      .filter(({ rest_minor, months_minor }) => rest_minor !== null || months_minor !== null)
      .map(({ id, rest_minor, months_minor }) => [id, (rest_minor ?? 0) + (months_minor ?? 0)]),
  )
}

function reportedIn(row: SpendRow, earlierMinor: number | null): Reported {
  const { sources, complete_through, reported_at, days, minors } = row
  return {
    byDay: byDayOf(days ?? [], minors ?? []),
    earlierMinor,
    completeThrough: complete_through === null ? null : dayNumberOf(complete_through),
    reportedAt: reported_at === null ? null : Date.parse(reported_at),
    sources: sources ?? [],
  }
}

/** Over all sources. */
function byDayOf(days: readonly number[], minors: readonly number[]): DaySpend[] {
  const byDay: DaySpend[] = []
  for (const [at, day] of days.entries()) {
    const minor = minors[at] ?? 0
    const last = byDay.at(-1)
    if (last?.day === day) last.minor += minor
    else byDay.push({ day, minor })
  }
  return byDay
}
