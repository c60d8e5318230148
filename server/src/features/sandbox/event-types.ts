import type { EventTypes } from '../../kernel/event-types.ts'
import { readOrganization } from '../organizations/resource.ts'
import { Sandbox } from './schema.ts'

const sandbox: Sandbox = {
  id: 'org_01m7yez275fk1a52pr5qevn8kn',
  now: '2026-11-22T09:30:00.000Z',
  ahead_ms: 86_400_000,
}

export const sandboxEvents: EventTypes = {
  resource: 'organization',
  permission: readOrganization,
  schema: Sandbox,
  types: {
    'organization.clock_moved': {
      description: 'The sandbox’s clock was moved forward.',
      object: sandbox,
      previous: { now: '2026-11-21T09:30:00.000Z', ahead_ms: 0 },
    },
    'organization.reset': {
      description:
        'The sandbox was reset and its clock returned to real time. Earlier events were deleted.',
      object: { ...sandbox, now: '2026-11-21T09:30:00.000Z', ahead_ms: 0 },
      previous: { now: '2026-11-22T09:30:00.000Z', ahead_ms: 86_400_000 },
    },
  },
}
