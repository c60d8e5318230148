import { sql } from 'kysely'
import type { Row } from '../../database/tables/tenant-tables.ts'
import type { Context } from '../../kernel/context.ts'
import { oneOf } from '../../kernel/rows.ts'
import { notFound } from '../../problems/problem.ts'
import { byId, timeRange } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import type { Event } from './schema.ts'
import { typeFilter } from './types.ts'
import type { VisibleTo } from './visible.ts'

export const eventListOf = (types: readonly string[]): ListShape<'events'> => ({
  table: 'events',
  filters: {
    ...byId,
    type: typeFilter(types),
    ...timeRange('occurred', 'occurred_at'),
    // Events never change: both time filters mean `occurred_at`.
    ...timeRange('created', 'occurred_at'),
    ...timeRange('updated', 'occurred_at'),
  },
  sorts: ['sequence'],
  wide: ['body'],
  sized: 'events',
  isNumbered: true,
})

type EventQuery = { list: ListShape<'events'>; query: Query; visibleTo: VisibleTo }

/** Visibility is filtered in SQL, so that pages are full and cursors are correct for every role. */
export function listEvents(
  ctx: Context,
  { list, query, visibleTo }: EventQuery,
): Promise<Page<Event>> {
  const visible = visibleTo(ctx)
  if (!visible) return pageOf(ctx, { list, query, present: toEvent })
  const standing = () => sql<boolean>`type = any(${[...visible]})`
  return pageOf(ctx, { list: { ...list, standing }, query, present: toEvent })
}

export async function getEvent(ctx: Context, id: string, visibleTo: VisibleTo): Promise<Event> {
  const row = await oneOf(ctx, 'events', id)
  if (visibleTo(ctx)?.has(row.type) === false) throw notFound()
  return toEvent(row)
}

/** The exact body that webhooks and streams send, written by announce() in kernel/ledger.ts. */
const toEvent = ({ body }: Row<'events'>): Event => JSON.parse(body)
