import { sql } from 'kysely'
import { anyOf, type Condition, type Filter } from '../../../query/filters.ts'
import type { Sort } from '../../../query/sorting.ts'
import { isSampled } from '../../../query/total.ts'
import { pacingStatuses } from './measure/status.ts'

/** As `GET /pacing` has them. */
const isListed = sql<boolean>`campaign_status in ('scheduled', 'active', 'paused')`

const byStatus = anyOf('status', {
  allowed: pacingStatuses,
  description: 'The `status` of the pacing, of scheduled, active and paused campaigns.',
})

/** Campaigns by their pacing. */
export const pacingStatusFilter: Filter = {
  ...byStatus,
  read(given, name, received) {
    const read = byStatus.read(given, name, received)
    if ('fault' in read) return read
    const judged = sql<boolean>`${read.condition} and ${isListed}`
    const within = (condition: Condition): Condition => sql`(organization_id, id) in (
      select organization_id, id from campaign_pacing where ${condition})`
    return {
      condition: within(judged),
      inSample: within(sql`${judged} and ${isSampled('id')}`),
    }
  },
}

/** Joined: as a subquery it would run for each campaign of the organization. */
export const byMoneyAtRisk: Sort = {
  name: 'money_at_risk',
  key: sql.ref('money_at_risk'),
  hasNulls: true,
  join: {
    // Under other names than those of the campaign, which no query has to qualify.
    table: sql`(select organization_id as pacing_organization_id, id as pacing_id, money_at_risk
      from campaign_pacing where ${isListed})`,
    on: sql<boolean>`(pacing_organization_id, pacing_id) = (organization_id, id)`,
  },
}
