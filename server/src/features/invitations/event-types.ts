import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { readMembers, userIds } from '../members/resource.ts'
import { invitationIds } from './resource.ts'
import { Invitation } from './schema.ts'

const example: Invitation = {
  id: exampleId(invitationIds),
  email: 'grace@example.com',
  name: 'Grace Hopper',
  role: 'editor',
  scope: null,
  status: 'open',
  expires_at: '2026-11-28T09:00:00.000Z',
  version: 1,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

export const invitationEvents: EventTypes = {
  resource: 'invitation',
  permission: readMembers,
  schema: Invitation,
  types: {
    'invitation.created': {
      description: 'A person was invited.',
      object: example,
      previous: null,
    },
    'invitation.resent': {
      description: 'An invitation was sent again: its former link has ended.',
      object: { ...example, version: 2, expires_at: '2026-11-29T09:00:00.000Z' },
      previous: { expires_at: '2026-11-28T09:00:00.000Z' },
    },
    'invitation.accepted': {
      description: 'The person has joined. The object is the last state of the invitation.',
      object: example,
      previous: null,
    },
    'invitation.deleted': {
      description:
        'An invitation was taken back, or ended as its inviter may invite no longer. The object is its last state.',
      object: example,
      previous: null,
    },
  },
}
