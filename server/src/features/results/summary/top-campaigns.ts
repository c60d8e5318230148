/**
 * The campaigns that spent most, by the threshold algorithm (Fagin, Lotem, Naor): the largest spends of
 * each day come from an index, and reading ends when no other campaign can have spent more.
 */
import { type RawBuilder, sql } from 'kysely'
import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Condition } from '../../../query/filters.ts'
import type { Range } from '../calendar.ts'
import { all } from './groups.ts'
import { campaignRows } from './reported.ts'

/** A campaign and its spend, by which they are ordered. */
export type Ranked = { readonly campaign_id: string; readonly spend_minor: number }

export type TopAsked = {
  readonly range: Range
  /** Conditions on campaigns, and on the source. */
  readonly ofCampaigns: readonly Condition[]
  /** Conditions on the ids of campaigns, which choose them all at once. */
  readonly chosen?: readonly Condition[]
  readonly ofSources: readonly Condition[]
  /** How many to find. */
  readonly count: number
  /** The last one of the page before. */
  readonly after: Ranked | undefined
}

/** Looks at about this many rows; undefined if that does not suffice, as others may come between. */
export async function topCampaigns(
  ctx: Context,
  asked: TopAsked,
  rows: number,
): Promise<Ranked[] | undefined> {
  const lists = await listsIn(ctx, asked)
  if (lists.dates.length === 0) return []
  const depth = Math.max(asked.count, Math.floor(rows / lists.dates.length))
  return depth * lists.dates.length > 2 * rows
    ? undefined
    : readTop(ctx, asked, { ...lists, depth })
}

/** The days of each source; in each of them campaigns are ordered by what they spent. */
type Lists = { readonly dates: string[]; readonly sources: string[] }

async function listsIn(ctx: Context, { range, ofSources }: TopAsked): Promise<Lists> {
  const statement = sql`
    select distinct date, source from result_days
    where organization_id = ${ctx.organization.id} and date >= ${range.from}::date
      and date < ${range.to}::date and row_count > 0 and ${all(ofSources)}`
  const found = await ctx.reader.query<{ date: string; source: string }>(statement.compile(builder))
  return { dates: found.map(({ date }) => date), sources: found.map(({ source }) => source) }
}

type TopRow = {
  is_whole: boolean
  campaign_id: string | null
  spend_minor: number
  is_certain: boolean | null
}

/** Undefined if others may come between those found. */
async function readTop(
  ctx: Context,
  asked: TopAsked,
  lists: Lists & { depth: number },
): Promise<Ranked[] | undefined> {
  const rows = await ctx.reader.query<TopRow>(topStatement(ctx, asked, lists).compile(builder))
  const isWhole = rows.some(({ is_whole }) => is_whole)
  const found = rows
    .filter(({ is_certain }) => isWhole || is_certain)
    .flatMap(({ campaign_id, spend_minor }) =>
      campaign_id === null ? [] : [{ campaign_id, spend_minor }],
    )
  return isWhole || found.length >= asked.count ? found : undefined
}

/** For each campaign of the page, this many are added up to know what the last one has spent at least. */
const bestEach = 2

/**
 * `least` is what of a campaign's spend was seen, `most` what it can be at most: on days that it was not
 * seen on, it is below what was seen last. A campaign that was never seen has spent at most `bound`.
 * The `worst` of the page have spent that much; if others may have spent more, no more is added up.
 */
function topStatement(
  ctx: Context,
  { range, ofCampaigns, chosen = [], count, after }: TopAsked,
  { dates, sources, depth }: Lists & { depth: number },
): RawBuilder<unknown> {
  const { id } = ctx.organization
  const spentBy = (name: string) => withSpend(ctx, { name, range, sources })
  return sql`
    with seen as materialized (
      select list.date, list.source, top.campaign_id, top.spend_minor, top.place
      from unnest(${dates}::date[], ${sources}::text[]) as list (date, source)
      cross join lateral (
        select campaign_id, spend_minor, row_number() over () as place from (
          select campaign_id, spend_minor from results r
          where r.organization_id = ${id} and r.date = list.date and r.source = list.source
          order by spend_minor desc, campaign_id desc limit ${depth}) as ordered) as top),
    edge as materialized (select * from seen where place = ${depth}),
    unseen as materialized (
      select coalesce(sum(spend_minor), 0) as bound, min(campaign_id) as campaign_id,
        count(*) = 0 as is_whole
      from edge),
    campaign as materialized (
      select seen.campaign_id, sum(seen.spend_minor) as least,
        sum(seen.spend_minor) + (select bound from unseen)
          - coalesce(sum(edge.spend_minor), 0) as most
      from seen left join edge on edge.date = seen.date and edge.source = seen.source
      group by seen.campaign_id),
    fitting as materialized (
      select campaign.* from campaign ${matching(ctx, ofCampaigns)}
      where ${all(chosen)} and ${after ? sql`least <= ${after.spend_minor}` : sql`true`}),
    best as materialized (
      select campaign_id from fitting
      where ${after ? sql`most < ${after.spend_minor}` : sql`true`}
      order by most desc limit ${bestEach * count}),
    worst as materialized (
      select spent.spend_minor from best ${spentBy('best')}
      order by spent.spend_minor desc offset ${count - 1} limit 1),
    exact as (
      select fitting.campaign_id, spent.spend_minor from fitting ${spentBy('fitting')}
      where most >= coalesce((select spend_minor from worst), 0)
        and (select is_whole or bound <= (select spend_minor from worst) from unseen)),
    found as (
      select * from exact
      where ${after ? sql`(spend_minor, campaign_id) < (${after.spend_minor}, ${after.campaign_id})` : sql`true`}
      order by spend_minor desc, campaign_id desc limit ${count})
    select unseen.is_whole, found.campaign_id, found.spend_minor,
      (found.spend_minor, found.campaign_id) >= (unseen.bound, unseen.campaign_id) as is_certain
    from unseen left join found on true
    order by found.spend_minor desc nulls last, found.campaign_id desc`
}

type Spending = { name: string; range: Range; sources: readonly string[] }

/** Joins what each campaign spent, by an index of its days. */
const withSpend = (ctx: Context, { name, range, sources }: Spending): RawBuilder<unknown> => sql`
  cross join lateral (
    select sum(spend_minor)::bigint as spend_minor from results r
    where r.organization_id = ${ctx.organization.id} and r.campaign_id = ${sql.table(name)}.campaign_id
      and r.date >= ${range.from}::date and r.date < ${range.to}::date
      and r.source = any(${sources})) as spent`

/** Joins the campaigns that meet the conditions; looked up one by one. */
export const matching = (ctx: Context, conditions: readonly Condition[]): RawBuilder<unknown> =>
  conditions.length === 0
    ? sql``
    : sql`cross join lateral (
        select from (${campaignRows(ctx)}) as own
        where own.campaign_id = campaign.campaign_id and ${all(conditions)} limit 1) as fits`
