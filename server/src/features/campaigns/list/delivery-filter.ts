import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { anyOf, choiceOf, type Filter, valuesOf } from '../../../query/filters.ts'
import type { Received } from '../../../query/parameters.ts'
import {
  deliveryReasons,
  deliveryStates,
  hasDeliveryReason,
  inDeliveryState,
  reasonsAgainst,
  withAnyReason,
} from '../lifecycle/delivery.ts'
import type { Instant } from '../lifecycle/obstacles.ts'
import type { Reason } from '../lifecycle/transitions.ts'
import type { Moment } from '../present.ts'
import { begunTimes } from '../schedule/dayparting.ts'

/** Conditions on rows of `campaign_details`, as `delivery` follows from more than the campaign. */
export const deliveryFilters = (instant: Instant) => ({
  delivery: byReasons(
    choiceOf(deliveryStates, {
      conditionOf: (state) => inDeliveryState(state, instant),
      description: 'The state of `delivery` now.',
    }),
    { instant, reasonsOf: whyNot },
  ),
  delivery_reason: byReasons(
    choiceOf(deliveryReasons, {
      conditionOf: (reason) => hasDeliveryReason(reason, instant),
      description: 'Among the reasons of `delivery` now.',
    }),
    { instant, reasonsOf: (named) => deliveryReasons.filter((each) => named.includes(each)) },
  ),
})

type ByReasons = {
  instant: Instant
  /** The reasons of the campaigns that are looked for; undefined where they have none. */
  reasonsOf: (values: readonly string[], received: Received) => readonly Reason[] | undefined
}

/** Finds those with any of the reasons by the indexes of what keeps campaigns from delivering. */
const byReasons = (filter: Filter, { instant, reasonsOf }: ByReasons): Filter => ({
  ...filter,
  read(values, name, received) {
    const read = filter.read(values, name, received)
    const found = reasonsOf(values, received)
    return 'fault' in read || !found ? read : { ...read, byIndex: withAnyReason(found, instant) }
  },
})

/** Lists the reasons for the statuses that are asked for; of all statuses, such campaigns are too many for an index. */
function whyNot(states: readonly string[], { status }: Received): Reason[] | undefined {
  if (status === undefined || states.includes('eligible')) return undefined
  return reasonsAgainst(valuesOf(severalStatuses, status))
}

/** As the filter of the list. */
const severalStatuses = anyOf('status')

export const filtersByDelivery = (filters: Received): boolean =>
  'delivery' in filters || 'delivery_reason' in filters

const zonesSql = `
  select distinct time_zone from campaigns
  where organization_id = $1 and schedule is not null and status in ('scheduled', 'active')`

/** Only JavaScript knows when a wall clock shows which time: as the campaigns are shown. */
export async function instantOf(ctx: Context, { now, organization }: Moment): Promise<Instant> {
  const zones = await ctx.reader.query<{ time_zone: string }>(tenantQuery(ctx, zonesSql))
  const begun = zones.map(({ time_zone }) => [time_zone, begunTimes(time_zone, now)])
  return { now, organizationStatus: organization.status, begun: Object.fromEntries(begun) }
}
