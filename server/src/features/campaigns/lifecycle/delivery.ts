/**
 * Whether a campaign delivers, and why not: one table, applied to the facts of one campaign and, as
 * SQL, to the rows of a list. Pure.
 */

import { sql } from 'kysely'
import type { Condition } from '../../../query/filters.ts'
import { hasKey, keysOf } from '../../../values/objects.ts'
import { isWithin } from '../schedule/dayparting.ts'
import type { LifecycleFacts } from './lifecycle.ts'
import { type Instant, obstacles } from './obstacles.ts'
import { type Reason, type Status, statuses } from './transitions.ts'

export type CampaignDelivery = { state: DeliveryState; reasons: Reason[] }

export const deliveryStates = ['eligible', 'not_eligible'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The statuses in which a campaign never delivers. */
const reasonOfStatus: Partial<Record<Status, Reason>> = {
  draft: 'not_launched',
  pending_review: 'pending_review',
  paused: 'paused',
  completed: 'completed',
  archived: 'archived',
}

/** A reason why a scheduled or active campaign does not deliver, and when it holds. */
type Rule = {
  reason: Reason
  holds(facts: LifecycleFacts, now: string): boolean
  /** The same on a row of `campaign_details`; null if the instant does not say. */
  where(instant: Instant): Condition
}

const isAhead = ({ status, startAt }: LifecycleFacts, now: string): boolean =>
  status === 'scheduled' && startAt !== null && startAt > now

const isAheadIn = ({ now }: Instant): Condition =>
  sql`(status = 'scheduled' and start_at is not null and start_at > ${now}::timestamptz)`

/** As `isWithin`: a window is open whose start has passed on its day, and whose end has not. */
const isOpenIn = ({ begun }: Instant): Condition => sql`(
  select case when days is not null then exists (
      select from jsonb_to_recordset(schedule) as w (day text, start text, "end" text)
      where days -> w.day ? w.start and not days -> w.day ? w."end")
    end
  from (select ${JSON.stringify(begun)}::jsonb -> time_zone as days) as zone)`

const rules: readonly Rule[] = [
  { reason: 'before_start', holds: isAhead, where: isAheadIn },
  {
    reason: 'outside_schedule',
    holds: (facts, now) => !isAhead(facts, now) && !isWithin(facts.schedule, facts.timeZone, now),
    where: (instant) =>
      sql`(not ${isAheadIn(instant)} and schedule is not null and not ${isOpenIn(instant)})`,
  },
  ...obstacles
    .filter((obstacle) => obstacle.stopsDelivery)
    .map(({ reason, where }) => ({
      reason,
      holds: (facts: LifecycleFacts) => facts.obstacles.includes(reason),
      where,
    })),
]

/** Whether the campaign may deliver at this instant and, if not, every reason. */
export function deliveryOf(facts: LifecycleFacts, now: string): CampaignDelivery {
  const own = reasonOfStatus[facts.status]
  const { stoppedBy, inNetwork } = facts
  if (own) return { state: 'not_eligible', reasons: [own, ...stoppedBy, ...inNetwork] }
  const found: Reason[] = []
  for (const { reason, holds } of rules) if (holds(facts, now)) found.push(reason)
  const state = found.length === 0 ? 'eligible' : 'not_eligible'
  return { state, reasons: [...found, ...inNetwork] }
}

const liveStatuses = statuses.filter((status) => reasonOfStatus[status] === undefined)

/** In the text, as predicates of indexes are. */
const hasStatus = (among: readonly Status[]): Condition =>
  sql`status in (${sql.join(among.map((status) => sql.lit(status)))})`

const anyHolds = (instant: Instant): Condition =>
  sql`(${sql.join(
    rules.map(({ where }) => where(instant)),
    sql` or `,
  )})`

/** The campaigns whose `delivery.state` is this one at the instant. */
export const inDeliveryState = (state: DeliveryState, instant: Instant): Condition =>
  state === 'eligible'
    ? sql`(${hasStatus(liveStatuses)} and not ${anyHolds(instant)})`
    : sql`(not ${hasStatus(liveStatuses)} or ${anyHolds(instant)})`

const ownReasons = [...new Set(Object.values(reasonOfStatus))]

/**
 * Reasons that say what a network does, of a row of `campaign_details`. None of them keeps a campaign
 * from delivering.
 */
const inNetwork = {
  network_not_delivering: sql<boolean>`(deployment is not null and (deployment ->> 'not_delivering')::boolean)`,
  network_drift: sql<boolean>`(deployment is not null and deployment ->> 'state' = 'drifted')`,
  connector_stale: sql<boolean>`(deployment is not null and deployment ->> 'state' <> 'removed'
    and connector_state is distinct from 'connected')`,
} satisfies Partial<Record<Reason, Condition>>

/** Every value of `delivery.reasons`. */
export const deliveryReasons: readonly Reason[] = [
  ...ownReasons,
  ...rules.map(({ reason }) => reason),
  'spend_cap_reached',
  ...keysOf(inNetwork),
]

/** As `stoppedBy`. */
const isStoppedByCap: Condition = sql`(status = 'paused' and status_reason = 'spend_cap_reached')`

/** The campaigns with this one among their `delivery.reasons` at the instant. */
export function hasDeliveryReason(reason: Reason, instant: Instant): Condition {
  if (hasKey(inNetwork, reason)) return inNetwork[reason]
  if (reason === 'spend_cap_reached') return isStoppedByCap
  const rule = rules.find((each) => each.reason === reason)
  if (rule) return sql`(${hasStatus(liveStatuses)} and ${rule.where(instant)})`
  return hasStatus(statuses.filter((status) => reasonOfStatus[status] === reason))
}

/** The campaigns with any of the reasons, each found by an index, under conditions on their ids. */
export const withAnyReason =
  (among: readonly Reason[], instant: Instant) =>
  (organizationId: string): Condition => {
    const each = among.map(
      (reason) => sql`
        select id from campaign_details
        where organization_id = ${organizationId} and ${hasDeliveryReason(reason, instant)}`,
    )
    return sql`id in (${sql.join(each, sql` union all `)})`
  }

/** Every reason for which campaigns of these statuses are not eligible. */
export const reasonsAgainst = (among: readonly string[]): Reason[] => [
  ...rules.map(({ reason }) => reason),
  ...statuses
    .filter((status) => among.includes(status))
    .flatMap((status) => reasonOfStatus[status] ?? []),
]
