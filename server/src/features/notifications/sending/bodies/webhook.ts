import type { Row } from '../../../../database/tables/tenant-tables.ts'
import type { Item } from './plain.ts'

export type SentMessage = Pick<
  Row<'notification_messages'>,
  'type' | 'event_id' | 'happened_at'
> & { readonly item: Item }

/** For receivers of one's own: the texts as they are. */
export const webhookBody = (
  messages: readonly SentMessage[],
  { id, at, organizationId }: { id: string; at: string; organizationId: string },
): object => ({
  id,
  timestamp: at,
  organization_id: organizationId,
  notifications: messages.map(({ item: { notice, count, url }, ...message }) => ({
    type: message.type,
    event_id: message.event_id,
    happened_at: message.happened_at,
    title: notice.title,
    object: notice.object,
    actor: notice.actor,
    changes: notice.changes,
    sum: notice.sum,
    reason: notice.reason,
    count,
    url,
  })),
})
