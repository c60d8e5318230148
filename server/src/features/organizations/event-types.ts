import type { EventTypes } from '../../kernel/event-types.ts'
import { organizationIds } from '../../values/core-ids.ts'
import { exampleId } from '../../values/ids.ts'
import { readOrganization } from './resource.ts'
import { Organization } from './schema.ts'

const madeAt = '2026-11-21T09:00:00.000Z'
const changed = { version: 2, created_at: madeAt, updated_at: '2026-11-21T09:30:00.000Z' }
const unchanged = { version: 1, created_at: madeAt, updated_at: madeAt }

const organization: Organization = {
  id: exampleId(organizationIds),
  name: 'Acme',
  plan: 'captain',
  status: 'active',
  require_if_match: false,
  require_second_factor: false,
  time_zone: 'Europe/Berlin',
  sandbox: false,
  mail: true,
  ...changed,
}

export const organizationEvents: EventTypes = {
  resource: 'organization',
  permission: readOrganization,
  schema: Organization,
  types: {
    'organization.created': {
      description: 'The organization was created; its first event.',
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
