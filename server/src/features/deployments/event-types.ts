import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { campaignIds } from '../campaigns/resource.ts'
import { userIds } from '../members/resource.ts'
import { profileIds } from '../profiles/resource.ts'
import { deploymentIds, managedFields, readDeployments } from './resource.ts'
import { Deployment } from './schema.ts'
import { type DeploymentState, stateRules } from './states.ts'

const madeAt = '2026-11-21T09:00:00.000Z'
const now = '2026-11-21T09:30:00.000Z'

const desired = {
  name: 'Spring Sale 2026',
  objective: 'sales' as const,
  run: 'enabled' as const,
  daily_budget_minor: 3351,
  lifetime_budget_minor: null,
  currency: 'USD',
  start_at: null,
  end_at: null,
  time_zone: 'UTC',
  schedule: [],
  settings: {},
}

const actionsIn = (wanted: DeploymentState) =>
  (stateRules.find(({ state }) => state === wanted)?.actions ?? []).map((action) => ({
    action,
    allowed: true,
    blocked_by: [],
  }))

const exampleIn = (state: DeploymentState, more: Partial<Deployment> = {}): Deployment => ({
  id: exampleId(deploymentIds),
  campaign_id: exampleId(campaignIds),
  profile_id: exampleId(profileIds),
  platform: 'google_ads',
  mode: 'create',
  network_object_id: '21840012345',
  network_url: 'https://ads.example.com/campaigns/21840012345',
  managed_fields: [...managedFields],
  drift_policy: 'report',
  settings: {},
  state,
  state_since: now,
  generation: 2,
  applied_generation: state === 'in_sync' || state === 'drifted' ? 2 : 1,
  desired,
  observed: desired,
  drift: [],
  coverage: { name: 'native', status: 'native', budget: 'native' },
  network_delivery: { state: 'delivering', reasons: [], at: now },
  error: null,
  attempts: 0,
  retry_at: null,
  last_applied_at: madeAt,
  last_seen_at: now,
  stale: false,
  available_actions: actionsIn(state),
  version: 3,
  created_at: madeAt,
  updated_at: now,
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
  ...more,
})

const unbound = { network_object_id: null, network_url: null, observed: null, coverage: {} }
const unseen = { last_applied_at: null, last_seen_at: null, network_delivery: null }
const drift = [{ field: 'status' as const, desired: 'enabled', observed: 'paused', since: now }]
const fault = (code: 'transient' | 'declaration', retry: 'transient' | 'correctable') => ({
  code,
  message: 'The network did not take it.',
  retry,
  errors: [],
  network: null,
})

export const deploymentEvents: EventTypes = {
  resource: 'deployment',
  permission: readDeployments,
  schema: Deployment,
  types: {
    'deployment.created': {
      description: 'A campaign is to be deployed.',
      object: exampleIn('pending', {
        ...unbound,
        ...unseen,
        generation: 1,
        applied_generation: 0,
        version: 1,
        updated_at: madeAt,
      }),
      previous: null,
    },
    'deployment.updated': {
      description: 'What the network should run changed, or how the campaign is deployed.',
      object: exampleIn('pending'),
      previous: { state: 'in_sync', generation: 1 },
    },
    'deployment.requested': {
      description: 'A check, another try, an overwrite or the removal was asked for.',
      object: exampleIn('removing'),
      previous: { state: 'in_sync' },
    },
    'deployment.bound': {
      description: 'The campaign’s object in the network became known.',
      object: exampleIn('pending'),
      previous: { network_object_id: null },
    },
    'deployment.synced': {
      description: 'The network has what it should have.',
      object: exampleIn('in_sync'),
      previous: { state: 'pending' },
    },
    'deployment.drifted': {
      description: 'The network shows other values than it was given.',
      object: exampleIn('drifted', { drift, observed: { ...desired, run: 'paused' } }),
      previous: { state: 'in_sync' },
    },
    'deployment.failed': {
      description: 'A try failed; it is repeated at `retry_at`.',
      object: exampleIn('failed', { error: fault('transient', 'transient'), retry_at: now }),
      previous: { state: 'pending' },
    },
    'deployment.blocked': {
      description: 'It cannot go on until a person acts; `error` says why.',
      object: exampleIn('blocked', { error: fault('declaration', 'correctable') }),
      previous: { state: 'pending' },
    },
    'deployment.removed': {
      description: 'The connector has ended the object in the network.',
      object: exampleIn('removed'),
      previous: { state: 'removing' },
    },
    'deployment.detached': {
      description: 'The campaign is no longer deployed; the network was left as it is.',
      object: exampleIn('in_sync'),
      previous: null,
    },
    'deployment.adopted': {
      description: 'The campaign took over the values that were seen in the network.',
      object: exampleIn('in_sync'),
      previous: { state: 'drifted', drift },
    },
  },
}
