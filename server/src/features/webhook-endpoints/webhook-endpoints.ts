import { sql } from 'kysely'
import { newSecret } from '../../crypto/new-secret.ts'
import { sealSecret } from '../../crypto/webhook-secret.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { eventFaults, nameFaults, storedUrl, urlFaults } from '../../delivery/target.ts'
import { type Changed, change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { lockEndpointSql } from '../../kernel/outbox.ts'
import { checkCap } from '../../kernel/quotas.ts'
import { firstStamps, insert, oneOf, oneToChange, remove } from '../../kernel/rows.ts'
import { showOnce } from '../../kernel/shown-once.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import type { Fault } from '../../problems/fault.ts'
import { checkFaults } from '../../problems/problem.ts'
import { anyOf, commonFilters } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { inId, inText } from '../../query/search/places.ts'
import { wordsIn } from '../../query/search/search.ts'
import { newId } from '../../values/ids.ts'
import { cap, webhookEndpointIds } from './resource.ts'
import {
  type CreatedWebhookEndpoint,
  endpointStatuses,
  type WebhookEndpoint,
  type WebhookEndpointInput,
} from './schema.ts'

export const webhookEndpointList: ListShape<'webhook_endpoints'> = {
  table: 'webhook_endpoints',
  filters: {
    q: wordsIn('the URL, or six characters or more of the id', {
      places: [inText('url'), inId],
      text: sql`url`,
    }),
    status: anyOf('status', { allowed: endpointStatuses }),
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at'],
  wide: ['url', 'description', 'metadata'],
}

export const listWebhookEndpoints = (ctx: Context, query: Query): Promise<Page<WebhookEndpoint>> =>
  pageOf(ctx, { list: webhookEndpointList, query, present: toWebhookEndpoint })

export async function getWebhookEndpoint(ctx: Context, id: string): Promise<WebhookEndpoint> {
  return toWebhookEndpoint(await oneOf(ctx, 'webhook_endpoints', id))
}

/** The name is resolved before the transaction, which must not wait for the network. */
export async function createWebhookEndpoint(
  ctx: Context,
  body: WebhookEndpointInput,
): Promise<CreatedWebhookEndpoint> {
  const [secret, refused] = [newSecret(), await nameFaults(body.url ?? '', ctx.services)]
  return showOnce(ctx, async (ctx) => ({
    kept: await addEndpoint(ctx, body, { secret, refused }),
    shown: { secret },
  }))
}

type EndpointInput = { secret: string; refused: readonly Fault[] }

const addEndpoint = (
  ctx: WriteContext,
  body: WebhookEndpointInput,
  { secret, refused }: EndpointInput,
): Promise<WebhookEndpoint> =>
  changeEndpoint(ctx, 'webhook_endpoint.created', async (ctx) => {
    const { url = '', events } = body
    const {
      declared: { eventTypes },
    } = ctx.services
    const faults = [...urlFaults(url, ctx.services), ...eventFaults(events ?? ['*'], eventTypes)]
    checkFaults(ctx, [...refused, ...faults])
    await checkCap(ctx, cap)
    const row = newRow(ctx, body, secret)
    insert(ctx, 'webhook_endpoints', {
      ...row,
      metadata: JSON.stringify(row.metadata),
      previous_secrets: '[]',
    })
    return { before: null, after: toWebhookEndpoint(row) }
  })

function newRow(
  ctx: WriteContext,
  body: WebhookEndpointInput,
  secret: string,
): Row<'webhook_endpoints'> {
  const id = newId(webhookEndpointIds)
  return {
    organization_id: ctx.organization.id,
    id,
    url: storedUrl(body.url),
    events: body.events ?? ['*'],
    description: body.description ?? null,
    metadata: body.metadata ?? {},
    status: 'enabled',
    disabled_reason: null,
    secret_sealed: sealSecret(ctx.services.crypto.cipher, id, secret),
    secret_hint: secret.slice(-4),
    previous_secrets: [],
    ...noDeliveries,
    ...firstStamps(ctx),
  }
}

const noDeliveries = {
  last_success_at: null,
  last_failure_at: null,
  consecutive_failures: 0,
  failing_since: null,
  paused_until: null,
}

// Deliveries are deleted by their foreign key.
const deleteAttemptsSql = `
  delete from webhook_attempts a using webhook_deliveries d
  where d.organization_id = $1 and d.endpoint_id = $2
    and a.organization_id = $1 and a.delivery_id = d.id`

export async function deleteWebhookEndpoint(ctx: Context, id: string): Promise<void> {
  await changeEndpoint(ctx, 'webhook_endpoint.deleted', async (ctx) => {
    const row = await oneToChange(ctx, 'webhook_endpoints', id)
    ctx.tx.send(tenantQuery(ctx, lockEndpointSql, id))
    ctx.tx.send(tenantQuery(ctx, deleteAttemptsSql, id))
    remove(ctx, 'webhook_endpoints', id)
    return { before: toWebhookEndpoint(row), after: null }
  })
}

/** A URL's path often contains a secret: events and the audit log show the origin only. */
export const eventObject = (endpoint: WebhookEndpoint): WebhookEndpoint => ({
  ...endpoint,
  url: new URL(endpoint.url).origin,
})

/** `change()` for endpoints. */
export const changeEndpoint = (
  ctx: Context,
  action: string,
  work: (ctx: WriteContext) => Promise<Changed<WebhookEndpoint>>,
): Promise<WebhookEndpoint> =>
  change(
    ctx,
    action,
    async (ctx): Promise<Changed<WebhookEndpoint>> => ({
      toSnapshot: eventObject,
      ...(await work(ctx)),
    }),
  )

/** When the newest secret starts to sign alone. */
function lastUntil(row: Row<'webhook_endpoints'>): string | null {
  const untils = row.previous_secrets.map(({ until_ms }) => until_ms)
  return untils.length === 0 ? null : new Date(Math.max(...untils)).toISOString()
}

export const toWebhookEndpoint = (row: Row<'webhook_endpoints'>): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description,
  metadata: row.metadata,
  status: row.status,
  disabled_reason: row.disabled_reason,
  last_success_at: row.last_success_at,
  last_failure_at: row.last_failure_at,
  consecutive_failures: row.consecutive_failures,
  secret_hint: row.secret_hint,
  previous_secret_expires_at: lastUntil(row),
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
