import { useQuery } from '@tanstack/react-query'
import { listKey } from '../../../data/keys.ts'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { useMay } from '../../../session.tsx'
import type { ChangeSet } from '../queries.ts'
import { type ScheduledBudget, scheduledBudget, type Waiting } from './budget-steps.ts'
import { nextAt } from './next-at.ts'

export type { Waiting } from './budget-steps.ts'

/** The change sets of a campaign that the clock is still to apply or to set back, the next first. */
export function useWaiting(campaignId: string): readonly Waiting[] {
  const enabled = useMay('listChangeSets')
  const query = { campaign_id: campaignId, waits_for: ['apply' as const, 'revert' as const] }
  const queryFn = async () => {
    const { data } = await flightdeck.changeSets.list({ ...query, limit: 20 })
    const waiting = await Promise.all(
      data.map((changeSet) => withOperations(changeSet, campaignId)),
    )
    return waiting.sort((one, other) => nextAt(one.changeSet) - nextAt(other.changeSet))
  }
  const queryKey = listKey('change_sets', query)
  // Each read checks again what has changed since the trial.
  return useQuery({ queryKey, queryFn, enabled, staleTime: 0 }).data ?? []
}

/** Changes that are scheduled for the daily budget of a campaign. */
export const useScheduledBudget = ({ id, daily_budget_minor }: Campaign): ScheduledBudget =>
  scheduledBudget(useWaiting(id), daily_budget_minor)

async function withOperations(changeSet: ChangeSet, campaign_id: string): Promise<Waiting> {
  const page = await flightdeck.changeSets.listOperations(changeSet.id, { campaign_id, limit: 100 })
  return { changeSet, operations: page.data }
}
