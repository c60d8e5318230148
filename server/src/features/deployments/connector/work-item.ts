import { managedIn } from '../desired.ts'
import type { DeploymentRow } from '../present.ts'
import type { WorkItem } from './schema.ts'

/** A deployment as work of its connector. */
export const itemOf = (row: DeploymentRow): WorkItem => ({
  deployment_id: row.id,
  campaign_id: row.campaign_id,
  profile_id: row.profile_id,
  generation: row.generation,
  desired: row.desired,
  observed: row.observed,
  mode: row.mode,
  network_object_id: row.network_object_id,
  marker: `fd:${row.campaign_id.slice(-26)}`,
  settings: row.settings,
  managed_fields: managedIn(row.managed_fields, row.coverage),
  why: whyOf(row),
  intent: row.intent,
})

function whyOf({ requested, error, state }: DeploymentRow): WorkItem['why'] {
  if (requested === 'remove' || requested === 'check') return requested
  if (requested === 'retry' || error !== null) return 'retry'
  return state === 'drifted' || requested === 'overwrite' ? 'drift' : 'changed'
}
