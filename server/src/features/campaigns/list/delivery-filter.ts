import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { choiceOf } from '../../../query/filters.ts'
import type { Received } from '../../../query/parameters.ts'
import {
  deliveryReasons,
  deliveryStates,
  hasDeliveryReason,
  inDeliveryState,
} from '../lifecycle/delivery.ts'
import type { Instant } from '../lifecycle/obstacles.ts'
import type { Moment } from '../present.ts'
import { begunTimes } from '../schedule/dayparting.ts'

/** Conditions on rows of `campaign_details`, as `delivery` follows from more than the campaign. */
export const deliveryFilters = (instant: Instant) => ({
  delivery: choiceOf(deliveryStates, {
    conditionOf: (state) => inDeliveryState(state, instant),
    description: 'The state of `delivery` now.',
  }),
  delivery_reason: choiceOf(deliveryReasons, {
    conditionOf: (reason) => hasDeliveryReason(reason, instant),
    description: 'Among the reasons of `delivery` now.',
  }),
})

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
