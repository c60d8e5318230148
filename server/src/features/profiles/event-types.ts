import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { clientIds } from '../clients/resource.ts'
import { userIds } from '../members/resource.ts'
import { profileIds, readProfiles } from './resource.ts'
import { Profile } from './schema.ts'

const counts = {
  total: 1,
  draft: 0,
  pending_review: 0,
  scheduled: 0,
  active: 1,
  paused: 0,
  completed: 0,
  archived: 0,
}

const example: Profile = {
  id: exampleId(profileIds),
  name: 'Acme on Meta',
  client_id: exampleId(clientIds),
  client: 'Acme',
  platform: 'meta',
  account_ref: 'act_20481137',
  currency: 'USD',
  time_zone: 'America/New_York',
  country: 'US',
  proxy_id: null,
  status: 'active',
  credential_ref: 'vault://ads/meta/4711',
  daily_budget_cap: 500,
  daily_budget_cap_minor: 50_000,
  monthly_spend_cap: 15_000,
  monthly_spend_cap_minor: 1_500_000,
  external_id: 'crm-4711',
  labels: [],
  metadata: {},
  notes: null,
  campaign_counts: counts,
  version: 2,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

const none = { ...counts, total: 0, active: 0 }

export const profileEvents: EventTypes = {
  resource: 'profile',
  permission: readProfiles,
  schema: Profile,
  types: {
    'profile.created': {
      description: 'A profile was created.',
      object: {
        ...example,
        campaign_counts: none,
        version: 1,
        updated_at: example.created_at,
      },
      previous: null,
    },
    'profile.updated': {
      description:
        'Fields of a profile changed. When it stops being active, each of its running campaigns also emits `campaign.paused`.',
      object: { ...example, status: 'paused' },
      previous: { status: 'active' },
    },
    'profile.connected': {
      description: 'A connector holds the account. GET /profiles/{id}/connection has the facts.',
      object: example,
      previous: {},
    },
    'profile.disconnected': {
      description: 'No connector has held the account for ten minutes.',
      object: example,
      previous: {},
    },
    'profile.credential_expiring': {
      description: 'The credential for the account ends in 14, 7 or 1 days: once each.',
      object: example,
      previous: {},
    },
    'profile.account_changed': {
      description: 'The connector has another account of the network than before.',
      object: example,
      previous: {},
    },
    'profile.deleted': {
      description: 'A profile was deleted. The object is its last state.',
      object: { ...example, campaign_counts: none },
      previous: null,
    },
  },
}
