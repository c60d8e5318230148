/** Conditions that can keep a campaign from running, apart from its own status. Pure. */

import { sql } from 'kysely'
import type { Condition } from '../../../query/filters.ts'
import type { BegunTimes } from '../schedule/dayparting.ts'
import type { Reason } from './transitions.ts'

type Surroundings = {
  endAt: string | null
  currency: string
  profileStatus: string | null
  profileCurrency: string | null
  proxyStatus: string | null
  organizationStatus: string
  isSpendCapReached: boolean
}

/** The moment for which a condition is checked on many rows. */
export type Instant = {
  now: string
  organizationStatus: string
  /** By time zone: those that the rows use. */
  begun: Readonly<Record<string, BegunTimes>>
}

type Obstacle = {
  reason: Reason
  holds(around: Surroundings, now: string): boolean
} & (StopsDelivery | { stopsDelivery: false })

/** An obstacle that also stops a campaign which runs already. */
type StopsDelivery = {
  stopsDelivery: true
  /** Whether it holds, of a row of `campaign_details`. */
  where(instant: Instant): Condition
}

export const obstacles: readonly Obstacle[] = [
  {
    reason: 'after_end',
    stopsDelivery: true,
    holds: ({ endAt }, now) => endAt !== null && endAt <= now,
    where: ({ now }) => sql`(end_at is not null and end_at <= ${now}::timestamptz)`,
  },
  {
    reason: 'profile_not_active',
    stopsDelivery: true,
    holds: ({ profileStatus }) => profileStatus !== 'active',
    where: () => sql`profile_status is distinct from 'active'`,
  },
  {
    reason: 'currency_mismatch',
    stopsDelivery: false,
    holds: ({ currency, profileCurrency }) =>
      profileCurrency !== null && profileCurrency !== currency,
  },
  {
    reason: 'proxy_failing',
    stopsDelivery: true,
    holds: ({ proxyStatus }) => proxyStatus === 'failing',
    where: () => sql`(proxy_status is not null and proxy_status = 'failing')`,
  },
  {
    reason: 'organization_suspended',
    stopsDelivery: true,
    holds: ({ organizationStatus }) => organizationStatus !== 'active',
    where: ({ organizationStatus }) => sql`${sql.lit(organizationStatus !== 'active')}`,
  },
  {
    reason: 'spend_cap_reached',
    stopsDelivery: false,
    holds: ({ isSpendCapReached }) => isSpendCapReached,
  },
]

export function obstaclesIn(around: Surroundings, now: string): Reason[] {
  const found: Reason[] = []
  for (const { reason, holds } of obstacles) if (holds(around, now)) found.push(reason)
  return found
}
