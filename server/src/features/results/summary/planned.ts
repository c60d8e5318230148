/** Adds up the plans of the campaigns of each group. */

import { sql } from 'kysely'
import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Fault } from '../../../problems/fault.ts'
import { type Filter, refused, severalOf } from '../../../query/filters.ts'
import { badParameters } from '../../../query/parameters.ts'
import { choice } from '../../../schema/fields.ts'
import { plannedBetween } from '../../campaigns/pacing/planned-between.ts'
import { lengthOf, type Range } from '../calendar.ts'
import { type Grouping, type Groupings, groupingsOf, idOfKeys, isBy } from './groupings.ts'
import { all, type Planned, type Selection } from './groups.ts'
import { campaignRows } from './reported.ts'

const included = ['plan'] as const

/** The plan is made from the history of each campaign. */
const maxCampaigns = 2_000
const maxDaysOfCampaigns = 100_000

/** A plan is of no source. */
export const include: Filter = {
  ...severalOf(choice(included), {
    maxValues: included.length,
    description: `\`plan\` adds \`planned_minor\`; at most ${maxCampaigns} campaigns, and campaigns × days ${maxDaysOfCampaigns}. Not with sources.`,
  }),
  read: (values, name, received) => {
    const stranger = values.find((value) => !included.some((each) => each === value))
    if (stranger !== undefined) return refused(name, 'invalid_enum_value', unknown(stranger))
    const bySource = isBy(groupingsOf(received), 'source') || received.source !== undefined
    if (!bySource) return { condition: sql<boolean>`true` }
    return refused(name, 'duplicate_item', { message: 'cannot be sent together with source' })
  },
}

const unknown = (given: string) => ({
  message: 'is not one of the allowed values',
  allowed: included,
  given: given.slice(0, 80),
})

/** Undefined if it is not asked for. */
export async function plannedFor(ctx: Context, selection: Selection): Promise<Planned | undefined> {
  if (selection.filters.include === undefined) return undefined
  const campaigns = await campaignsFlying(ctx, selection)
  const ids = campaigns.map(({ campaign_id }) => campaign_id)
  const planned = await plannedBetween(ctx, ids, selection.range)
  const daysById = new Map(planned.map((each) => [each.id, each.days]))
  const [groups, totals] = [new Map<string, number>(), new Map<string, number>()]
  const currencies = new Set<string>()
  for (const campaign of campaigns) {
    const days = daysById.get(campaign.campaign_id) ?? []
    if (days.length === 0) continue
    addTo(groups, selection.by, { campaign, days })
    addTo(totals, ['currency'], { campaign, days })
    currencies.add(campaign.currency)
  }
  return { groups, totals, currencies: [...currencies] }
}

type Flying = {
  readonly campaign_id: string
  readonly profile_id: string
  readonly client: string | null
  readonly platform: string
  readonly currency: string
  readonly labels: readonly string[]
}

/** Throws 400 where they are too many. */
async function campaignsFlying(ctx: Context, selection: Selection): Promise<Flying[]> {
  const days = lengthOf(selection.range)
  const limit = Math.min(maxCampaigns, Math.floor(maxDaysOfCampaigns / days))
  const statement = sql`
    select campaign_id, profile_id, client, platform, currency, labels
    from (${campaignRows(ctx)}) as own
    where ${all(selection.conditions)} and ${mayRunIn(selection.range)}
    order by campaign_id limit ${sql.lit(limit + 1)}`
  const found = await ctx.reader.query<Flying>(statement.compile(builder))
  if (found.length > limit) throw badParameters([tooMany(days, limit)])
  return found
}

const tooMany = (days: number, limit: number): Fault => ({
  parameter: 'include',
  code: 'out_of_range',
  message: `shows the plan of at most ${limit} campaigns over ${days} days: choose fewer of either`,
  limit,
})

/** A day of any zone may begin or end half a day before or after that of UTC. */
const mayRunIn = ({ from, to }: Range) => sql`
  launched_at < ${to}::date + 1
    and (start_at is null or start_at < ${to}::date + 1)
    and (end_at is null or end_at > ${from}::date - 1)
    and (status in ('scheduled', 'active') or updated_at > ${from}::date - 1)`

/** A day of a campaign, and its plan in minor units. */
type DayPlan = readonly [date: string, minor: number]

/** A campaign counts for each of its labels. */
function addTo(sums: Map<string, number>, by: Groupings, { campaign, days }: PlannedFlight): void {
  const whole = days.reduce((sum, [, minor]) => sum + minor, 0)
  const parts: readonly DayPlan[] = isBy(by, 'day') ? days : [['', whole]]
  const labels = isBy(by, 'label') && campaign.labels.length > 0 ? campaign.labels : [null]
  for (const label of labels) {
    for (const [day, minor] of parts) {
      const id = idOfKeys(keysOfFlight(by, { ...campaign, label, day }), campaign.currency)
      sums.set(id, (sums.get(id) ?? 0) + minor)
    }
  }
}

type PlannedFlight = { readonly campaign: Flying; readonly days: readonly DayPlan[] }
type Part = Flying & { readonly label: string | null; readonly day: string }

const keysOfFlight = (by: Groupings, part: Part): (string | null)[] =>
  by.flatMap((grouping) => (grouping === undefined ? [] : [keyOf(grouping, part)]))

function keyOf(grouping: Grouping, part: Part): string | null {
  if (grouping === 'source') return null
  return grouping === 'campaign' || grouping === 'profile' ? part[`${grouping}_id`] : part[grouping]
}
