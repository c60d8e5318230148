import { eventTypes } from '../../../../src/features/index.ts'
import { gatherOf } from '../../../../src/features/notifications/notifying/due.ts'
import { readableOf } from '../../../../src/features/notifications/readable.ts'
import type { TestOrganization } from '../../world.ts'
import type { Write } from '../write-cases.ts'
import { made } from '../writes.ts'

const readable = readableOf(eventTypes)

/** Notifies the organization's people what has happened until now. */
export const notifyNow = ({ ctx, id }: Pick<TestOrganization, 'ctx' | 'id'>): Promise<boolean> =>
  gatherOf(ctx.services, id, readable)

/** The notification of the owner of a key; others may be of the same moment. */
async function notified(organization: TestOrganization): Promise<string> {
  const admin = await organization.as('admin')
  await admin.post('/api_keys', { name: 'Nightly export', role: 'viewer' })
  await notifyNow(organization)
  const { data } = (await organization.owner.get('/notifications')).json()
  return data.find(({ type }: { type: string }) => type === 'api_key.created').id
}

export const notificationWrites: Record<string, Write> = {
  'POST /notifications/:id/read': { action: 'notification.read', event: false, arrange: notified },
  'POST /notifications/read': { action: 'notification.all_read', event: false, arrange: notified },
  'PUT /auth/me/notifications': {
    action: 'notification.settings_updated',
    event: false,
    body: () => ({ pacing: 'none' }),
  },
}

const channelBody = {
  kind: 'webhook',
  name: 'Ours',
  target: 'https://example.com/n',
  events: ['*'],
}

const channel = ({ owner }: TestOrganization) => made(owner, '/notification_channels', channelBody)

export const channelWrites: Record<string, Write> = {
  'PATCH /notification_channels/:id': {
    action: 'notification_channel.updated',
    event: true,
    arrange: channel,
    body: () => ({ digest: 'hourly' }),
  },
  'DELETE /notification_channels/:id': {
    action: 'notification_channel.deleted',
    event: true,
    arrange: channel,
  },
  'POST /notification_channels/:id/test': {
    action: 'notification_channel.test',
    event: false,
    arrange: channel,
  },
}

export const channelReads = { 'GET /notification_channels/:id': { arrange: channel } }
