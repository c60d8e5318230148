import type { Row } from '../../database/tables/tenant-tables.ts'
import { audited } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { insert, oneInVersion } from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { deliveryIds, eventIds } from '../../values/core-ids.ts'
import { newId, newIdAt } from '../../values/ids.ts'
import { toDelivery } from './deliveries.ts'
import type { WebhookDelivery } from './delivery-schema.ts'
import { wake } from './wake.ts'
import { eventObject, toWebhookEndpoint } from './webhook-endpoints.ts'

const type = 'webhook_endpoint.test'

/** Sends a test event whatever the endpoint's subscription, even if it is disabled. */
export async function sendTest(ctx: Context, id: string): Promise<WebhookDelivery> {
  const delivery = await inTransaction(ctx, async (ctx) => {
    const endpoint = await oneInVersion(ctx, 'webhook_endpoints', id)
    const entry = { action: type, resource: { type: 'webhook_endpoint', id, name: null } }
    return audited(ctx, entry, async (ctx) => {
      const row = testOf(ctx, endpoint)
      insert(ctx, 'webhook_deliveries', row)
      return toDelivery(row)
    })
  })
  wake(ctx, id)
  return delivery
}

function testOf(ctx: WriteContext, endpoint: Row<'webhook_endpoints'>): Row<'webhook_deliveries'> {
  const event = eventOf(ctx, endpoint)
  return {
    organization_id: ctx.organization.id,
    id: newIdAt(deliveryIds, ctx.services.clock.now()),
    endpoint_id: endpoint.id,
    event_id: event.id,
    event_type: type,
    event_sequence: null,
    body: JSON.stringify(event),
    status: 'pending',
    trigger: 'test',
    attempt_count: 0,
    retry_count: 0,
    next_attempt_at: ctx.now,
    last_error: null,
    last_response_status: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
}

/** In the form that announce() in kernel/ledger.ts writes, but outside the sequence. */
const eventOf = (ctx: WriteContext, endpoint: Row<'webhook_endpoints'>) => ({
  id: newId(eventIds),
  type,
  timestamp: ctx.now,
  api_version: 'v1',
  organization_id: ctx.organization.id,
  sequence: null,
  request_id: ctx.request?.id ?? null,
  actor: ctx.actor,
  test: true,
  data: { object: eventObject(toWebhookEndpoint(endpoint)), previous: null },
})
