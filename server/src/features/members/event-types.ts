import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { readMembers, userIds } from './resource.ts'
import { Member } from './schema.ts'

const madeAt = '2026-11-21T09:00:00.000Z'
const changed = { version: 2, created_at: madeAt, updated_at: '2026-11-21T09:30:00.000Z' }
const unchanged = { version: 1, created_at: madeAt, updated_at: madeAt }

const member: Member = {
  id: exampleId(userIds),
  email: 'grace@example.com',
  name: 'Grace Hopper',
  role: 'editor',
  disabled: false,
  scope: null,
  second_factor: false,
  from_directory: false,
  last_login_at: null,
  ...changed,
}

export const memberEvents: EventTypes = {
  resource: 'member',
  permission: readMembers,
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
      description: 'A member was deleted. The object is its last state.',
      object: member,
      previous: null,
    },
  },
}
