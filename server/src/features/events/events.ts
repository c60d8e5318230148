import type { Context } from '../../kernel/context.ts'
import { timeRange } from '../../kernel/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../kernel/pages.ts'
import { oneOf, type Row } from '../../kernel/rows.ts'
import type { Event } from './schema.ts'
import { typeFilter } from './types.ts'

export const eventListOf = (types: readonly string[]): ListShape<'events'> => ({
  table: 'events',
  filters: {
    type: typeFilter(types),
    ...timeRange('occurred', 'occurred_at'),
    // Events never change: created and updated are when they occurred, as in every other list.
    ...timeRange('created', 'occurred_at'),
    ...timeRange('updated', 'occurred_at'),
  },
  sorts: ['sequence'],
})

export const listEvents = (
  ctx: Context,
  list: ListShape<'events'>,
  query: Query,
): Promise<Page<Event>> => pageOf(ctx, { list, query, present: toEvent })

export async function getEvent(ctx: Context, id: string): Promise<Event> {
  return toEvent(await oneOf(ctx, 'events', id))
}

/** Just what webhooks and streams send: announce() in kernel/ledger.ts has written it. */
const toEvent = ({ body }: Row<'events'>): Event => JSON.parse(body)
