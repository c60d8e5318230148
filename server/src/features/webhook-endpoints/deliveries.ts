import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../database/tables/types.ts'
import type { Context } from '../../kernel/context.ts'
import { oneOf, rowsOf } from '../../kernel/rows.ts'
import { notFound } from '../../problems/problem.ts'
import { anyOf, commonFilters, type Filter } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import {
  deliveryStatuses,
  maxAttempts,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
} from './delivery-schema.ts'

type DeliveryRow = Row<'webhook_deliveries'>

/** A delivery and its endpoint. */
export type DeliveryKey = { endpointId: string; deliveryId: string }

export const deliveryList = {
  table: 'webhook_deliveries',
  filters: {
    status: anyOf('status', { allowed: deliveryStatuses }),
    event_type: anyOf('event_type'),
    event_id: anyOf('event_id'),
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at'],
} satisfies ListShape<'webhook_deliveries'>

const ofStatus = deliveryList.filters.status

/**
 * Filters by status. Deliveries that did not succeed have an index of their own, which only a
 * literal condition fits.
 */
const byStatus: Filter = {
  ...ofStatus,
  read(values, name, received) {
    const read = ofStatus.read(values, name, received)
    if ('fault' in read || values.includes('succeeded')) return read
    return { condition: sql<boolean>`${read.condition} and status <> 'succeeded'` }
  },
}

/**
 * The deliveries of all endpoints in the order of ids, which carry the time and are the primary
 * key.
 */
export const allDeliveriesList: ListShape<'webhook_deliveries'> = {
  table: 'webhook_deliveries',
  resource: 'webhook_deliveries of all endpoints',
  filters: { ...deliveryList.filters, status: byStatus, endpoint_id: anyOf('endpoint_id') },
  sorts: [{ name: 'created_at', key: sql.ref('id') }],
}

export const listAllDeliveries = (ctx: Context, query: Query): Promise<Page<WebhookDelivery>> =>
  pageOf(ctx, { list: allDeliveriesList, query, present: toDelivery })

const ofEndpoint: Filter = {
  schema: Type.String(),
  read: ([id]) => ({ condition: sql<boolean>`endpoint_id = ${id}` }),
}

/** The endpoint is part of the filters, which ties a cursor to one log. */
const logList = { ...deliveryList, filters: { ...deliveryList.filters, endpoint_id: ofEndpoint } }

export async function listDeliveries(
  ctx: Context,
  endpointId: string,
  query: Query,
): Promise<Page<WebhookDelivery>> {
  const logQuery = { ...rememberedFilters(ctx, query), ...query, endpoint_id: endpointId }
  const [page] = await Promise.all([
    pageOf(ctx, { list: logList, query: logQuery, present: toDelivery }),
    oneOf(ctx, 'webhook_endpoints', endpointId),
  ])
  return page
}

/** Cursors restore their own filters, but not the endpoint: restore them with it. */
function rememberedFilters(ctx: Context, query: Query): Query {
  const isAsked = Object.keys(deliveryList.filters).some((name) => query[name] !== undefined)
  if (query.cursor === undefined || isAsked) return {}
  return ctx.services.crypto.cursors.read(query.cursor)?.filters ?? {}
}

export async function getDelivery(ctx: Context, key: DeliveryKey): Promise<WebhookDeliveryDetails> {
  const row = await deliveryOf(ctx, key)
  const [request_body, attempts] = await Promise.all([bodyOf(ctx, row), attemptsOf(ctx, row)])
  return { ...toDelivery(row), request_body, attempts }
}

/** 404 for a delivery to another endpoint. */
export async function deliveryOf(
  ctx: Context,
  { endpointId, deliveryId }: DeliveryKey,
): Promise<DeliveryRow> {
  const row = await oneOf(ctx, 'webhook_deliveries', deliveryId)
  if (row.endpoint_id !== endpointId) throw notFound()
  return row
}

/** The request body: a test's own, otherwise the event's while it is stored. */
export async function bodyOf(
  ctx: Context,
  { event_id, event_sequence, body }: DeliveryRow,
): Promise<string | null> {
  if (event_sequence === null) return body
  const event = await rowsOf(ctx, 'events')
    .where('id', '=', event_id)
    .select('body')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return event?.body ?? null
}

async function attemptsOf(ctx: Context, { id }: DeliveryRow): Promise<WebhookAttempt[]> {
  const newest = await ctx.reader
    .kysely()
    .selectFrom('webhook_attempts')
    .where('organization_id', '=', ctx.organization.id)
    .where('delivery_id', '=', id)
    .orderBy('number', 'desc')
    .limit(maxAttempts)
    .select(columnsOf.webhook_attempts)
    .execute()
  return newest.reverse().map(({ organization_id: _, delivery_id: __, ...attempt }) => attempt)
}

export const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  endpoint_id: row.endpoint_id,
  event_id: row.event_id,
  event_type: row.event_type,
  status: row.status,
  trigger: row.trigger,
  attempt_count: row.attempt_count,
  next_attempt_at: row.next_attempt_at,
  last_response_status: row.last_response_status,
  last_error: row.last_error,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
