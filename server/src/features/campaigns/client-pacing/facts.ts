/** Reads what is stored about clients, for their pacing. */

import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { monthOfDay } from '../../../values/times.ts'

/** Half-open. */
export type DayRange = { from: string; to: string }

type Amounted = { client_id: string; currency: string }

export const keyOf = ({ client_id, currency }: Amounted, month: string): string =>
  `${client_id} ${month} ${currency}`

const spentSql = `
  select f.client_id, d.currency, d.date, sum(d.spend_minor + d.adjustment_minor)::bigint as minor
  from profiles f
  join result_days d on d.organization_id = f.organization_id and d.profile_id = f.id
  where f.organization_id = $1 and f.client_id = any($2) and d.date >= $3 and d.date < $4
  group by f.client_id, d.currency, d.date`

export type SpentDay = Amounted & { date: string; minor: number }

/** The spending of clients by day, by client, month and currency. */
export async function spentBy(ctx: Context, clientIds: readonly string[], { from, to }: DayRange) {
  const rows = await ctx.reader.query<SpentDay>(tenantQuery(ctx, spentSql, clientIds, from, to))
  return Map.groupBy(rows, (row) => keyOf(row, monthOfDay(row.date)))
}

const budgetsSql = `
  select b.client_id, b.month, each.currency, each.minor::bigint as minor
  from client_budgets b
  cross join lateral jsonb_each_text(b.amounts) as each (currency, minor)
  where b.organization_id = $1 and b.client_id = any($2) and b.month >= $3 and b.month < $4`

type Budgeted = Amounted & { month: string; minor: number }

/** The budgets of clients, by client, month and currency. */
export async function budgetsBy(ctx: Context, clientIds: readonly string[], range: DayRange) {
  const { from, to } = range
  const rows = await ctx.reader.query<Budgeted>(tenantQuery(ctx, budgetsSql, clientIds, from, to))
  return new Map(rows.map((row) => [keyOf(row, monthOfDay(row.month)), row.minor]))
}

const countsSql = `
  select f.client_id, n.currency, n.status, sum(n.campaigns)::integer as campaigns
  from profiles f
  join campaign_counts n on n.organization_id = f.organization_id and n.profile_id = f.id
  where f.organization_id = $1 and f.client_id = any($2) and n.campaigns > 0
  group by f.client_id, n.currency, n.status`

type Counted = Amounted & { status: string; campaigns: number }

/** The campaigns of clients by status, by client and currency. */
export async function campaignCounts(ctx: Context, clientIds: readonly string[]) {
  const rows = await ctx.reader.query<Counted>(tenantQuery(ctx, countsSql, clientIds))
  return Map.groupBy(rows, (row) => keyOf(row, ''))
}

const namesSql = `
  select id, name, time_zone from clients where organization_id = $1 and id = any($2)`

export type ClientFacts = { id: string; name: string; time_zone: string | null }

export async function clientsOf(ctx: Context, ids: readonly string[]) {
  const rows = await ctx.reader.query<ClientFacts>(tenantQuery(ctx, namesSql, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

const plannedSql = `
  select c.currency, (p.planned_from + day.at::integer - 1)::date as date,
    sum(day.minor)::bigint as minor
  from profiles f
  join campaigns c on c.organization_id = f.organization_id and c.profile_id = f.id
  join campaign_pacing p on p.organization_id = c.organization_id and p.id = c.id
  cross join lateral unnest(p.planned_minors) with ordinality as day (minor, at)
  where f.organization_id = $1 and f.client_id = $2 and day.minor > 0
    and p.planned_from + day.at::integer - 1 >= $3::date
    and p.planned_from + day.at::integer - 1 < $4::date
  group by 1, 2`

export type PlannedDay = { currency: string; date: string; minor: number }

/** The planned spending of a client by day. */
export const plannedOf = (ctx: Context, clientId: string, { from, to }: DayRange) =>
  ctx.reader.query<PlannedDay>(tenantQuery(ctx, plannedSql, clientId, from, to))

// A running campaign that was never reported is complete until its flight began.
const runningSql = `
  select c.currency, bool_or(c.status = 'active') as is_running,
    min(coalesce((p.figures ->> 'complete_through')::date, p.begins_on - 1))
      filter (where c.status = 'active') as complete_through,
    max(p.reported_at) filter (where c.status = 'active') as reported_at
  from profiles f
  join campaigns c on c.organization_id = f.organization_id and c.profile_id = f.id
  left join campaign_pacing p on p.organization_id = c.organization_id and p.id = c.id
  where f.organization_id = $1 and f.client_id = $2 and c.status in ('scheduled', 'active', 'paused')
  group by c.currency`

export type Running = {
  currency: string
  is_running: boolean
  complete_through: string | null
  reported_at: string | null
}

/** The currencies of a client's campaigns, and how far those that run are reported. */
export const runningOf = (ctx: Context, clientId: string): Promise<Running[]> =>
  ctx.reader.query<Running>(tenantQuery(ctx, runningSql, clientId))

// The plan of a campaign that is over is not made again by the clock.
const unplannedSql = `
  select c.id
  from profiles f
  join campaigns c on c.organization_id = f.organization_id and c.profile_id = f.id
  join campaign_pacing p on p.organization_id = c.organization_id and p.id = c.id
  where f.organization_id = $1 and f.client_id = $2 and (
    c.status in ('scheduled', 'active', 'paused') and p.planned_version is null
    or c.status in ('completed', 'archived') and p.planned_version is distinct from c.version
      and greatest(c.completed_at, c.archived_at) >= $3)
  limit $4`

/** Campaigns whose planned days are not those of their present state. */
export async function unplannedOf(
  ctx: Context,
  clientId: string,
  { since, limit }: { since: string; limit: number },
): Promise<string[]> {
  const query = tenantQuery(ctx, unplannedSql, clientId, since, limit)
  return (await ctx.reader.query<{ id: string }>(query)).map(({ id }) => id)
}
