import type { EventTypes } from '../../../kernel/event-types.ts'
import { exampleId } from '../../../values/ids.ts'
import { userIds } from '../../members/resource.ts'
import { channelIds, manageChannels } from '../resource.ts'
import { NotificationChannel } from './schema.ts'

const example: NotificationChannel = {
  id: exampleId(channelIds),
  kind: 'slack',
  name: '#ads-approvals',
  target: 'https://hooks.slack.com',
  events: ['change_set.*'],
  filter: null,
  digest: 'none',
  status: 'enabled',
  disabled_reason: null,
  last_success_at: '2026-11-21T09:00:00.000Z',
  last_failure_at: null,
  last_error: null,
  consecutive_failures: 0,
  version: 2,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

const failing = {
  last_failure_at: '2026-11-21T09:30:00.000Z',
  last_error: 'the receiver answered 404',
  consecutive_failures: 6,
}

export const channelEvents: EventTypes = {
  resource: 'notification_channel',
  permission: manageChannels,
  schema: NotificationChannel,
  types: {
    'notification_channel.created': {
      description:
        'A notification channel was created. Channels are notified nothing about themselves.',
      object: { ...example, last_success_at: null, version: 1, updated_at: example.created_at },
      previous: null,
    },
    'notification_channel.updated': {
      description: 'Its name, target, events, filter, digest or status changed.',
      object: example,
      previous: { events: ['*'] },
    },
    'notification_channel.disabled': {
      description: 'The channel was switched off; `disabled_reason` says why.',
      object: { ...example, ...failing, status: 'disabled', disabled_reason: 'failing' },
      previous: { status: 'enabled', disabled_reason: null },
    },
    'notification_channel.deleted': {
      description: 'A notification channel was deleted. The object is its last state.',
      object: example,
      previous: null,
    },
  },
}
