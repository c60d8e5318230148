import type { Tag } from '../../http/endpoint.ts'
import { permission } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Notifications',
  description: 'What people are notified: in the inbox of the console, by mail and in channels.',
}

export const notificationIds = idType('notification', 'ntf')

/** Subjects of notifications. */
export const categories = [
  ...(['approvals_waiting', 'my_change_sets', 'pacing', 'deployments', 'security'] as const),
] as const
export type Category = (typeof categories)[number]

export const digests = ['none', 'hourly', 'daily'] as const

export const channelTag: Tag = {
  name: 'Notification channels',
  description:
    'Where the organization is notified what happens: mail, chats, and receivers of your own.',
}

export const channelIds = idType('notification channel', 'nch')

export const manageChannels = permission('notification_channels.manage', ['owner', 'admin'])

export const cap: Cap = { name: 'notification_channels', defaultLimit: 20 }

export const kinds = ['email', 'slack', 'teams', 'google_chat', 'webhook'] as const
export type ChannelKind = (typeof kinds)[number]
