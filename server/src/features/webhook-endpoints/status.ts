import type { Row } from '../../database/tables/tenant-tables.ts'
import type { Changed } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { findOne, nextStamps, oneToChange, update } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import type { Actor } from '../../values/organization.ts'
import { maxBatch } from './delivery-schema.ts'
import type { WebhookEndpoint } from './schema.ts'
import { changeEndpoint, toWebhookEndpoint } from './webhook-endpoints.ts'

type Endpoint = Row<'webhook_endpoints'>
type EndpointState = Pick<
  Endpoint,
  'status' | 'disabled_reason' | 'consecutive_failures' | 'failing_since' | 'paused_until'
>

/** Clears the failures; deliveries skipped until then wait for `recover`. */
export const enableEndpoint = (ctx: Context, id: string): Promise<WebhookEndpoint> =>
  changeEndpoint(ctx, 'webhook_endpoint.enabled', async (ctx) => {
    const row = await oneToChange(ctx, 'webhook_endpoints', id)
    const before = toWebhookEndpoint(row)
    if (row.status === 'enabled') return { before, after: before }
    return { before, after: write(ctx, row, resetState) }
  })

export const noFailures = { consecutive_failures: 0, failing_since: null, paused_until: null }

const resetState: EndpointState = { status: 'enabled', disabled_reason: null, ...noFailures }

export const disableByHand = (ctx: Context, id: string): Promise<WebhookEndpoint> =>
  changeEndpoint(ctx, 'webhook_endpoint.disabled', async (ctx) =>
    turnOff(ctx, await oneToChange(ctx, 'webhook_endpoints', id), 'manual'),
  )

const deliverer: Actor = { type: 'system', id: null, name: 'webhook delivery' }

/** For status changes that webhook delivery makes on its own. */
export const disableEndpoint = (
  ctx: Context,
  id: string,
  reason: 'gone' | 'failing',
): Promise<void> =>
  whileEnabled(ctx, id, async (ctx, row) => {
    if (reason === 'failing' && isReset(row)) return
    await changeEndpoint(ctx, 'webhook_endpoint.disabled', async (ctx) => turnOff(ctx, row, reason))
  })

/** Notifies the other endpoints and the audit log that deliveries to this one fail. */
export const recordFailing = (ctx: Context, id: string): Promise<void> =>
  whileEnabled(ctx, id, async (ctx, row) => {
    if (isReset(row)) return
    await changeEndpoint(ctx, 'webhook_endpoint.failing', async (ctx) => ({
      before: toWebhookEndpoint(row),
      after: write(ctx, row, {}),
    }))
  })

/** The sandbox was reset since, or a delivery has succeeded. */
const isReset = ({ failing_since }: Endpoint) => failing_since === null

/** Does nothing if the endpoint was disabled or deleted in the meantime. */
const whileEnabled = (
  ctx: Context,
  id: string,
  work: (ctx: WriteContext, row: Endpoint) => Promise<unknown>,
): Promise<void> =>
  inTransaction({ ...ctx, actor: deliverer }, async (ctx) => {
    const row = await findOne(ctx, 'webhook_endpoints', id)
    if (row?.status === 'enabled') await work(ctx, row)
  })

// Tests have no stored event and cannot be recovered. Beyond the batch, deliveries stay pending: a
// disabled endpoint gets none of them.
const holdBackSql = `
  update webhook_deliveries
  set status = case when event_sequence is null then 'cancelled' else 'skipped' end,
    next_attempt_at = null, updated_at = $3
  where organization_id = $1 and id = any(array(
    select id from webhook_deliveries
    where organization_id = $1 and endpoint_id = $2 and status = 'pending'
    order by next_attempt_at, id limit $4 for update))`

/** Skips the pending deliveries with it; the endpoint is locked before them. */
function turnOff(ctx: WriteContext, row: Endpoint, reason: string): Changed<WebhookEndpoint> {
  const before = toWebhookEndpoint(row)
  if (row.status === 'disabled') return { before, after: before }
  const after = write(ctx, row, { status: 'disabled', disabled_reason: reason })
  ctx.tx.send(tenantQuery(ctx, holdBackSql, row.id, ctx.now, maxBatch))
  return { before, after }
}

function write(ctx: WriteContext, row: Endpoint, values: Partial<EndpointState>): WebhookEndpoint {
  const changes = { ...values, ...nextStamps(ctx, row) }
  update(ctx, 'webhook_endpoints', { id: row.id, ...changes })
  return toWebhookEndpoint({ ...row, ...changes })
}
