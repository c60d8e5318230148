import type { Row } from '../../database/tables/tenant-tables.ts'
import { audited } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { oneInVersion, update } from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { Problem } from '../../problems/problem.ts'
import { differences } from '../../schema/differences.ts'
import { bodyOf, type DeliveryKey, deliveryOf, toDelivery } from './deliveries.ts'
import type { WebhookDelivery } from './delivery-schema.ts'
import { wake } from './wake.ts'

/** Resends a delivery whatever its outcome, even if the endpoint is disabled. */
export async function redeliver(ctx: Context, key: DeliveryKey): Promise<WebhookDelivery> {
  const delivery = await inTransaction(ctx, async (ctx) => {
    await oneInVersion(ctx, 'webhook_endpoints', key.endpointId)
    const row = await deliveryOf(ctx, key)
    if ((await bodyOf(ctx, row)) === null) throw eventGone()
    return sendAgain(ctx, row)
  })
  wake(ctx, key.endpointId)
  return delivery
}

const eventGone = () =>
  new Problem(
    'not_found',
    'The event of this delivery is no longer stored, so nothing can be sent.',
  )

function sendAgain(ctx: WriteContext, row: Row<'webhook_deliveries'>): Promise<WebhookDelivery> {
  const values = {
    status: 'pending' as const,
    trigger: 'manual' as const,
    retry_count: 0,
    next_attempt_at: ctx.now,
    updated_at: ctx.now,
  }
  const [before, after] = [toDelivery(row), toDelivery({ ...row, ...values })]
  const entry = {
    action: 'webhook_delivery.redelivered',
    resource: { type: 'webhook_delivery', id: row.id, name: row.event_type },
    changes: differences(before, after),
  }
  return audited(ctx, entry, async (ctx) => {
    update(ctx, 'webhook_deliveries', { id: row.id, ...values })
    return after
  })
}
