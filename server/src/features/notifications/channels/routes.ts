import { endpoint } from '../../../http/endpoint.ts'
import type { Feature } from '../../../http/feature.ts'
import { retryLater } from '../../../problems/problem.ts'
import { listParameters } from '../../../query/list.ts'
import { NoBody } from '../../../schema/fields.ts'
import { cap, channelIds, manageChannels, channelTag as tag } from '../resource.ts'
import { purgeMessages } from '../retention.ts'
import { channelList, createChannel, deleteChannel, getChannel, listChannels } from './channels.ts'
import { channelEvents } from './event-types.ts'
import {
  ChannelBody,
  ChannelChanges,
  CreatedNotificationChannel,
  NotificationChannel,
  NotificationChannelList,
} from './schema.ts'
import { sendTest, testType } from './send-test.ts'
import { sealedChannels } from './target.ts'
import { updateChannel } from './update.ts'

const example = {
  kind: 'slack',
  name: '#ads-approvals',
  target: 'https://example.com/services/T0/B0/x1',
  events: ['change_set.*', 'deployment.drifted'],
}

export const notificationChannels: Feature = {
  tag,
  permissions: [manageChannels],
  ids: { notification_channels: channelIds },
  cap,
  tables: [{ name: 'notification_channels' }],
  evenWhenFull: {
    'notification_channel.disabled': true,
    'notification_channel.deleted': true,
    [testType]: true,
  },
  endpoints: [
    endpoint({
      operation: 'listNotificationChannels',
      tag,
      summary: 'List notification channels',
      method: 'GET',
      path: '/notification_channels',
      permission: manageChannels,
      query: listParameters(channelList),
      reply: NotificationChannelList,
      run: (ctx, { query }) => listChannels(ctx, query),
    }),
    endpoint({
      operation: 'createNotificationChannel',
      tag,
      summary: 'Create a notification channel',
      description:
        'No answer repeats the `target`, which is a secret, but for its origin. Of kind `webhook`, only this response contains the signing `secret`.',
      method: 'POST',
      path: '/notification_channels',
      permission: manageChannels,
      action: 'notification_channel.created',
      body: ChannelBody,
      example,
      gathersFaults: true,
      status: 201,
      reply: CreatedNotificationChannel,
      noStore: true,
      problems: ['limit_exceeded'],
      run: (ctx, { body }) => createChannel(ctx, body),
    }),
    endpoint({
      operation: 'getNotificationChannel',
      tag,
      summary: 'Get a notification channel',
      method: 'GET',
      path: '/notification_channels/:id',
      permission: manageChannels,
      reply: NotificationChannel,
      run: (ctx, { id }) => getChannel(ctx, id),
    }),
    endpoint({
      operation: 'updateNotificationChannel',
      tag,
      summary: 'Update a notification channel',
      description:
        'With `status` it is switched off, or on again without its failures. Another `target` begins without them, too. The secret stays.',
      method: 'PATCH',
      path: '/notification_channels/:id',
      permission: manageChannels,
      action: 'notification_channel.updated',
      body: ChannelChanges,
      example: { events: ['change_set.*'], digest: 'hourly' },
      gathersFaults: true,
      reply: NotificationChannel,
      run: (ctx, { id, body }) => updateChannel(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteNotificationChannel',
      tag,
      summary: 'Delete a notification channel',
      description: 'What it has yet to be notified goes with it.',
      method: 'DELETE',
      path: '/notification_channels/:id',
      permission: manageChannels,
      action: 'notification_channel.deleted',
      status: 204,
      run: (ctx, { id }) => deleteChannel(ctx, id),
    }),
    endpoint({
      operation: 'testNotificationChannel',
      tag,
      summary: 'Send a test message',
      description:
        'At once, whatever it is notified of, even if it is disabled. Afterwards `last_success_at`, or `last_error`, shows what came of it.',
      method: 'POST',
      path: '/notification_channels/:id/test',
      permission: manageChannels,
      action: testType,
      body: NoBody,
      reply: NotificationChannel,
      run: (ctx, { id }) => sendTest(ctx, id),
    }),
  ],
  events: [channelEvents],
  // This process has yet to take over a change of the master key.
  constraints: { notification_channels_master_key_fkey: () => retryLater('unavailable') },
  sealed: sealedChannels,
  jobs: [{ name: 'notification-messages.purge', cron: '*/10 * * * *', run: purgeMessages }],
}
