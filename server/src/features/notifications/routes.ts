import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { selfUse } from '../../identity/permissions.ts'
import type { EventTypes } from '../../kernel/event-types.ts'
import { listParameters } from '../../query/list.ts'
import { NoBody } from '../../schema/fields.ts'
import { inboxList, listNotifications, readAll, readNotification } from './inbox.ts'
import { gatheringOf } from './notifying/due.ts'
import { type Readable, readableOf } from './readable.ts'
import { notificationIds, tag } from './resource.ts'
import { purgeNotifications } from './retention.ts'
import {
  Notification,
  NotificationList,
  NotificationSettings,
  ReadReply,
  SettingsBody,
} from './schema.ts'
import { messageSending } from './sending/send-due.ts'
import { getSettings, putSettings } from './settings.ts'

const settingsEndpoints = [
  endpoint({
    operation: 'getNotificationSettings',
    tag,
    summary: 'Get what you are notified',
    description: 'Mails about your own password, factors and address are always sent.',
    method: 'GET',
    path: '/auth/me/notifications',
    permission: selfUse,
    needsSession: true,
    reply: NotificationSettings,
    run: (ctx) => getSettings(ctx),
  }),
  endpoint({
    operation: 'updateNotificationSettings',
    tag,
    summary: 'Choose what you are notified',
    description: 'A field left out is unchanged.',
    method: 'PUT',
    path: '/auth/me/notifications',
    permission: selfUse,
    needsSession: true,
    action: 'notification.settings_updated',
    body: SettingsBody,
    example: { approvals_waiting: 'mail', digest: 'hourly' },
    reply: NotificationSettings,
    run: (ctx, { body }) => putSettings(ctx, body),
  }),
]

const inboxEndpoints = (readable: Readable) => [
  endpoint({
    operation: 'listNotifications',
    tag,
    summary: 'List your notifications',
    description:
      'Your inbox: the newest 1,000 of 90 days, of what you may see at present. `meta.unread` counts the unread ones.',
    method: 'GET',
    path: '/notifications',
    permission: selfUse,
    needsSession: true,
    query: listParameters(inboxList),
    reply: NotificationList,
    run: (ctx, { query }) => listNotifications(ctx, query, readable),
  }),
  endpoint({
    operation: 'readNotification',
    tag,
    summary: 'Mark a notification as read',
    description: 'If it is read already, nothing changes.',
    method: 'POST',
    path: '/notifications/:id/read',
    permission: selfUse,
    needsSession: true,
    action: 'notification.read',
    body: NoBody,
    reply: Notification,
    run: (ctx, { id }) => readNotification(ctx, id, readable),
  }),
  endpoint({
    operation: 'readAllNotifications',
    tag,
    summary: 'Mark all your notifications as read',
    method: 'POST',
    path: '/notifications/read',
    permission: selfUse,
    needsSession: true,
    action: 'notification.all_read',
    body: NoBody,
    reply: ReadReply,
    run: (ctx) => readAll(ctx, readable),
  }),
]

/** Notifications of people about these events. */
export function notificationsAbout(eventTypes: readonly EventTypes[]): Feature {
  const readable = readableOf(eventTypes)
  return {
    tag,
    ids: { notifications: notificationIds },
    tables: [{ name: 'notifications', isEmptied: true }],
    evenWhenFull: {
      'notification.read': true,
      'notification.all_read': true,
      'notification.settings_updated': true,
    },
    endpoints: [...inboxEndpoints(readable), ...settingsEndpoints],
    jobs: [{ name: 'notifications.purge', cron: '37 * * * *', run: purgeNotifications }],
    duties: [gatheringOf(eventTypes), messageSending],
  }
}
