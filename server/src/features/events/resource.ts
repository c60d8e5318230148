import type { Tag } from '../../http/endpoint.ts'
import { permission } from '../../identity/permissions.ts'

export const tag: Tag = {
  name: 'Events',
  description: 'Changes as events, to list or stream; webhooks deliver the same events.',
}

export const readEvents = permission('events.read', ['owner', 'admin', 'editor'], {
  isForAgents: true,
})
