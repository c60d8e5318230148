import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { Guardrails } from '../guardrails/schema.ts'
import { Member, Organization } from './schema.ts'

const madeAt = '2026-11-21T09:00:00.000Z'
const changed = { version: 2, created_at: madeAt, updated_at: '2026-11-21T09:30:00.000Z' }
const unchanged = { version: 1, created_at: madeAt, updated_at: madeAt }

const organization: Organization = {
  id: exampleId('organization'),
  name: 'Acme',
  plan: 'captain',
  status: 'active',
  require_if_match: false,
  sandbox: false,
  ...changed,
}

export const organizationEvents: EventTypes = {
  resource: 'organization',
  permission: 'organization.read',
  schema: Organization,
  types: {
    'organization.created': {
      description: 'The organization was made: its first event.',
      object: { ...organization, ...unchanged },
      previous: null,
    },
    'organization.updated': {
      description: 'The organization’s name, plan, status or rules changed.',
      object: organization,
      previous: { plan: 'operator' },
    },
  },
}

const guardrails: Guardrails = {
  id: exampleId('organization'),
  max_daily_budget: { USD: 1000 },
  max_lifetime_budget: { USD: 50_000 },
  unlisted_currencies: 'refuse',
  max_increase_percent: 50,
  max_increase_percent_24h: 100,
  approval: { mode: 'above', amounts: { USD: 500 } },
  approver_roles: ['owner', 'admin'],
  version: 2,
  updated_at: changed.updated_at,
  updated_by: exampleId('user'),
}

export const organizationGuardrailEvents: EventTypes = {
  resource: 'organization',
  permission: 'guardrails.read',
  schema: Guardrails,
  types: {
    'organization.guardrails_updated': {
      description: 'The organization’s guardrails, or its rules of approval, changed.',
      object: guardrails,
      previous: { max_daily_budget: {} },
    },
  },
}

const member: Member = {
  id: exampleId('user'),
  email: 'grace@example.com',
  name: 'Grace Hopper',
  role: 'editor',
  disabled: false,
  last_login_at: null,
  ...changed,
}

export const memberEvents: EventTypes = {
  resource: 'member',
  permission: 'members.read',
  schema: Member,
  types: {
    'member.created': {
      description: 'A member was added.',
      object: { ...member, ...unchanged },
      previous: null,
    },
    'member.updated': {
      description: 'A member’s name or role changed, or the member was disabled or enabled.',
      object: member,
      previous: { role: 'viewer' },
    },
    'member.deleted': {
      description: 'A member was deleted. The object is what it was.',
      object: member,
      previous: null,
    },
  },
}
