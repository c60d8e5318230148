/** Finds the campaigns of a page where there are very many, without adding up what all of them spent. */

import { type RawBuilder, sql } from 'kysely'
import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Condition } from '../../../query/filters.ts'
import { isSampled, sampledTotal, type Total } from '../../../query/total.ts'
import { indexedBy, type Walk } from '../../../query/walk.ts'
import type { Range } from '../calendar.ts'
import { all } from './groups.ts'
import { campaignRows, campaignSums } from './reported.ts'
import { matching, type TopAsked, topCampaigns } from './top-campaigns.ts'

export type CampaignsAsked = Pick<TopAsked, 'range' | 'ofCampaigns' | 'ofSources' | 'count'>

/** How many rows of the index are looked at, for each that a list would look at. */
const rowsEach = 4

/** How many times as many are looked at where campaigns are chosen, or spend much the same. */
const deeper = [8, 32]

/** The ids of the next campaigns of a walk. */
export async function campaignsOnPage(
  ctx: Context,
  walk: Walk,
  asked: CampaignsAsked,
): Promise<string[]> {
  if (walk.sort.endsWith('group')) return campaignsById(ctx, walk, asked)
  const isDescending = walk.order.direction === 'desc'
  const rows = rowsEach * ctx.services.limits.largeLists.firstRows(asked.count)
  const first = { ...asked, after: afterOf(walk) }
  const found = isDescending ? await topCampaigns(ctx, first, rows) : undefined
  if (found) return idsOf(found)
  // Few may be asked for of those that spend most.
  const chosen = await chosenBy(walk, asked)
  const few = chosen.length > 0 ? await fewMatching(ctx, chosen) : undefined
  if (few) return campaignsBySpend(ctx, walk, { ...asked, chosen: [isAmong(few)] })
  const whole = { ...first, ofCampaigns: [], chosen: among(ctx, chosen) }
  for (const times of isDescending ? deeper : []) {
    const deep = await topCampaigns(ctx, whole, rows * times)
    if (deep) return idsOf(deep)
  }
  return campaignsBySpend(ctx, walk, whole)
}

const isAmong = (ids: readonly string[]): Condition => sql`campaign_id = any(${ids})`

/** Adds the conditions that have an index. */
const chosenBy = async (walk: Walk, { ofCampaigns }: Pick<TopAsked, 'ofCampaigns'>) =>
  ofCampaigns.length === 0 ? [] : [...ofCampaigns, ...(await indexedBy(walk))]

/** The id of a group is that of the campaign and its currency. */
const campaignIn = (groupId: string): string => groupId.split(' ')[0] ?? ''

function afterOf({ after }: Walk): TopAsked['after'] {
  return after && { spend_minor: Number(after[0]), campaign_id: campaignIn(after[1]) }
}

const manyCampaigns = 1_000

/** All campaigns that match, if they are few enough to be added up one by one. */
async function fewMatching(
  ctx: Context,
  conditions: readonly Condition[],
): Promise<string[] | undefined> {
  const statement = sql`
    select campaign_id from (${campaignRows(ctx)}) as own where ${all(conditions)}
    limit ${sql.lit(manyCampaigns + 1)}`
  const found = await ctx.reader.query<{ campaign_id: string }>(statement.compile(builder))
  return found.length > manyCampaigns ? undefined : found.map(({ campaign_id }) => campaign_id)
}

/** Chosen before their days are added up: to look each of them up afterwards takes ten times as long. */
const among = (ctx: Context, conditions: readonly Condition[]): Condition[] =>
  conditions.length === 0
    ? []
    : [
        sql<boolean>`campaign_id in (
          select own.campaign_id from (${campaignRows(ctx)}) as own where ${all(conditions)})`,
      ]

type Chosen = Omit<CampaignsAsked, 'ofCampaigns'> & {
  /** Conditions on the ids of campaigns. */
  chosen: readonly Condition[]
}

/** Adds up what each campaign spent. */
async function campaignsBySpend(
  ctx: Context,
  walk: Walk,
  { range, chosen, ofSources, count }: Chosen,
): Promise<string[]> {
  const after = afterOf(walk)
  const [operator, direction] =
    walk.order.direction === 'asc' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const rows = await campaignSums(ctx, { by: ['campaign'], range })
  const statement = sql`
    select campaign.campaign_id from (
      select campaign_id, sum(spend_minor)::bigint as spend_minor from (${rows}) as reported
      where ${all([...ofSources, ...chosen])} group by campaign_id) as campaign
    where ${after ? sql`(spend_minor, campaign.campaign_id) ${operator} (${after.spend_minor}, ${after.campaign_id})` : sql`true`}
    order by spend_minor ${direction}, campaign.campaign_id ${direction} limit ${count}`
  return idsOf(await ctx.reader.query<Found>(statement.compile(builder)))
}

type Found = { campaign_id: string }

const idsOf = (found: readonly { campaign_id: string }[]) =>
  found.map(({ campaign_id }) => campaign_id)

/** In the order of ids, those with results in the range. */
async function campaignsById(
  ctx: Context,
  { after, order }: Walk,
  { range, ofCampaigns, ofSources, count }: CampaignsAsked,
): Promise<string[]> {
  const { id } = ctx.organization
  const [operator, direction] = order.direction === 'asc' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const statement = sql`
    select distinct campaign.campaign_id from result_sources as campaign ${matching(ctx, ofCampaigns)}
    where campaign.organization_id = ${id}
      and ${after ? sql`campaign.campaign_id ${operator} ${campaignIn(after[1])}` : sql`true`}
      and ${hasResults(id, range, ofSources)}
    order by campaign.campaign_id ${direction} limit ${count}`
  return idsOf(await ctx.reader.query<Found>(statement.compile(builder)))
}

const hasResults = (id: string, { from, to }: Range, conditions: readonly Condition[]) => sql`
  exists (select from results r
    where r.organization_id = ${id} and r.campaign_id = campaign.campaign_id
      and r.date >= ${from}::date and r.date < ${to}::date and ${all(conditions)})`

type ToCount = Omit<CampaignsAsked, 'count'>

/** How many campaigns have results. */
export const countCampaigns = (ctx: Context, asked: ToCount): Promise<Total> =>
  sampledTotal(ctx, {
    sized: 'campaigns',
    sampled: () => countSampled(ctx, asked),
    all: () => countAll(ctx, asked),
  })

function countSampled(ctx: Context, { range, ofCampaigns, ofSources }: ToCount): Promise<number> {
  const conditions = [isSampled('campaign_id'), ...ofCampaigns]
  return counted(
    ctx,
    sql`
      select count(*)::integer as total from (
        select campaign_id from (${campaignRows(ctx)}) as own where ${all(conditions)}
      ) as campaign where ${hasResults(ctx.organization.id, range, ofSources)}`,
  )
}

async function countAll(ctx: Context, { range, ofCampaigns, ofSources }: ToCount): Promise<number> {
  const rows = await campaignSums(ctx, { by: ['campaign'], range })
  const conditions = [...ofSources, ...among(ctx, ofCampaigns)]
  return counted(
    ctx,
    sql`
      select count(distinct campaign_id)::integer as total from (${rows}) as reported
      where ${all(conditions)}`,
  )
}

async function counted(ctx: Context, statement: RawBuilder<unknown>): Promise<number> {
  const [found] = await ctx.reader.query<{ total: number }>(statement.compile(builder))
  return found?.total ?? 0
}
