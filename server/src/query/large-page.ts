/**
 * Statements for a page of a list with very many rows. Whatever the planner knows of them, none reads
 * all rows in the order of the list until enough match: the first rows are bounded, and all that match
 * are found by an index of a filter, and then sorted.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Statement } from '../database/driver/protocol.ts'
import { builder } from '../database/tables/kysely.ts'
import type { Context } from '../kernel/context.ts'
import type { Condition } from './filters.ts'
import { type PageOf, shownColumns, withinBytes } from './page-statement.ts'
import { beyond, type Order, orderText } from './sorting.ts'

/** A part of an order that one index has as a whole: the rows with a key, or those without. */
export type Segment = 'keyed' | 'keyless'

type Text = RawBuilder<unknown>

/** The segments from the position on. */
export function segmentsOf({ order, after }: PageOf['walk']): Segment[] {
  if (!order.hasNulls) return ['keyed']
  return after?.[0] === null ? ['keyless'] : ['keyed', 'keyless']
}

/** The first `look` rows of the segment. */
function firstRows(ctx: Context, { list, walk }: PageOf, look: Look, table = list.table): Text {
  const { order, after } = walk
  const keys = order.join
    ? sql`${look.segment === 'keyed' ? sql`join` : sql`left join`} ${order.join.table} as keys on ${order.join.on}`
    : sql``
  return sql`select * from ${sql.table(table)} ${keys}
    where organization_id = ${ctx.organization.id} and ${list.only ?? sql`true`}
      and ${inSegment(order, look.segment, after)}
    order by ${segmentOrder(order, look.segment)} limit ${sql.lit(look.rows)}`
}

export type Look = { segment: Segment; rows: number }

function inSegment(order: Order, segment: Segment, after: PageOf['walk']['after']): Text {
  const { key, hasNulls } = order
  const conditions: Text[] = []
  if (hasNulls) conditions.push(segment === 'keyed' ? sql`${key} is not null` : sql`${key} is null`)
  const isWithin = after && (after[0] === null) === (segment === 'keyless')
  if (isWithin) conditions.push(beyond({ ...order, hasNulls: segment === 'keyless' }, after))
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** As indexes have it, `desc nulls last` or the reverse, where keys may be null. */
function segmentOrder(order: Order, segment: Segment): Text {
  const { key, direction, hasNulls, join } = order
  if (!hasNulls) return orderText(order, key)
  const id = sql`id ${sql.raw(direction)}`
  if (segment === 'keyless' && join) return id
  return sql`${key} ${sql.raw(direction === 'desc' ? 'desc nulls last' : 'asc nulls first')}, ${id}`
}

const columnsIn = (page: PageOf): Text => {
  const { reading, walk } = page
  const { order } = walk
  const columns = sql.join(reading.columns.map((column) => sql.ref(column)))
  return order.isComputed ? sql`${columns}, ${order.key} as ${sql.ref(order.column)}` : columns
}

const allOf = ({ walk }: PageOf): Text => sql.join([sql`true`, ...walk.conditions], sql` and `)

/** Selects the first rows that match, in order. */
export function nearStatement(ctx: Context, page: PageOf, look: Look): Statement {
  const { order } = page.walk
  const rows = sql`(select ${columnsIn(page)}
    from (${firstRows(ctx, page, look)}) as ${sql.table(page.list.table)}
    where ${allOf(page)}
    order by ${orderText(order, order.key)} limit ${sql.lit(page.reading.count)})`
  return statementOf(page, rows)
}

/** Whether there are as many rows as were looked at. */
export function depthStatement(ctx: Context, page: PageOf, look: Look): Statement {
  const first = firstRows(ctx, page, look, page.list.ordered)
  return sql`select from (${first}) as looked offset ${sql.lit(look.rows - 1)}`.compile(builder)
}

/** All that match, sorted: without an order or a limit inside, the planner goes by the filters. */
export function farStatement(ctx: Context, page: PageOf, byIndex: readonly Condition[]): Statement {
  const { list, walk, reading } = page
  const { order, after } = walk
  const keys = order.join ? sql`left join ${order.join.table} as keys on ${order.join.on}` : sql``
  const found = sql`select ${columnsIn(page)} from ${sql.table(list.table)} ${keys}
    where organization_id = ${ctx.organization.id} and ${allOf(page)}
      and ${sql.join([sql`true`, ...byIndex], sql` and `)}
      and ${after ? beyond(order, after) : sql`true`}
    offset 0`
  const rows = sql`(select ${sql.join(shownColumns(page).map((column) => sql.ref(column)))}
    from (${found}) as found
    order by ${orderText(order, sql.ref(order.column))} limit ${sql.lit(reading.count)})`
  return { ...statementOf(page, rows), byFilters: true }
}

const statementOf = (page: PageOf, rows: Text): Statement =>
  withinBytes(rows, page).compile(builder)
