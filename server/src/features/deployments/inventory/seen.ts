import type { ObservedPlan } from '../../../database/tables/json-columns.ts'
import { observedOf } from '../connector/decide.ts'
import type { NetworkCampaignInput } from './schema.ts'

/** Runs in the network by status; whether one that has ended is switched on, its status does not say. */
const runOf = {
  active: 'enabled',
  scheduled: 'enabled',
  paused: 'paused',
  ended: undefined,
} as const

/** The values that were seen of a campaign, in the form of a plan. */
export function planSeen({
  network_object_id: _,
  status,
  ...values
}: NetworkCampaignInput): ObservedPlan {
  const run = runOf[status]
  return observedOf({ ...values, ...(run && { run }) })
}
