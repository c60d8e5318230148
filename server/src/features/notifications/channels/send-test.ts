import { randomUUID } from 'node:crypto'
import { audited } from '../../../kernel/change.ts'
import { type Context, nowText } from '../../../kernel/context.ts'
import { insert, oneInVersion } from '../../../kernel/rows.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { eventIds } from '../../../values/core-ids.ts'
import { newId } from '../../../values/ids.ts'
import { pathOf } from '../notifying/path.ts'
import { toChannel } from './channels.ts'
import type { NotificationChannel } from './schema.ts'

export const testType = 'notification_channel.test'

/** Sends a message at once, whatever the channel is notified of, even if it is disabled. */
export const sendTest = (ctx: Context, id: string): Promise<NotificationChannel> =>
  inTransaction(ctx, async (ctx) => {
    const row = await oneInVersion(ctx, 'notification_channels', id)
    const resource = { type: 'notification_channel', id, name: row.name }
    return audited(ctx, { action: testType, resource }, async (ctx) => {
      const now = nowText(ctx.services)
      const notice = {
        title: `This is a test of the channel “${row.name}”`,
        object: resource,
        actor: ctx.actor,
        ...{ changes: [], sum: null, reason: null, path: pathOf(id) },
      }
      insert(ctx, 'notification_messages', {
        ...{ id: randomUUID(), channel_id: id, user_id: null, type: testType, object_id: id },
        ...{ event_id: newId(eventIds), content: JSON.stringify(notice), count: 1, attempts: 0 },
        ...{ created_at: now, happened_at: now, due_at: now, sent_at: null },
      })
      return toChannel(row)
    })
  })
