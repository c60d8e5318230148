import { sql } from 'kysely'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { audited } from '../../kernel/change.ts'
import { type Context, nowText, type WriteContext } from '../../kernel/context.ts'
import { findOne } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { notFound } from '../../problems/problem.ts'
import { anyOf, type Condition, commonFilters, type Filter } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { inAnyText, inId } from '../../query/search/places.ts'
import { wordsIn } from '../../query/search/search.ts'
import { mayBeShown, type Readable } from './readable.ts'
import { categories } from './resource.ts'
import type { Notification, ReadReply } from './schema.ts'

const unreadFilter: Filter = {
  schema: { type: 'boolean', description: 'Filter by those that you have read, or have not.' },
  read: ([text]) => ({
    condition: text === 'true' ? sql<boolean>`read_at is null` : sql<boolean>`read_at is not null`,
  }),
}

export const inboxList: ListShape<'notifications'> = {
  table: 'notifications',
  filters: {
    q: wordsIn('what happened, or six characters or more of the id', {
      places: [inAnyText(sql`(content ->> 'title')`), inId],
    }),
    unread: unreadFilter,
    category: anyOf('category', { allowed: categories }),
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at'],
  wide: ['content'],
}

type Listed = Page<Notification> & { meta: { unread: number } }

/** One's own, of what one may still see. */
export async function listNotifications(
  ctx: Context,
  query: Query,
  readable: Readable,
): Promise<Listed> {
  const standing = () => mine(ctx, readable)
  const [page, unread] = await Promise.all([
    pageOf(ctx, { list: { ...inboxList, standing }, query, present: toNotification }),
    unreadOf(ctx, readable),
  ])
  return { data: page.data, meta: { ...page.meta, unread } }
}

const mine = (ctx: Context, readable: Readable): Condition =>
  sql<boolean>`user_id = ${ctx.actor.id} and type = any(${mayBeShown(ctx, readable)})`

const countSql = `
  select count(*)::integer as unread from notifications
  where organization_id = $1 and user_id = $2 and read_at is null and type = any($3)`

async function unreadOf(ctx: Context, readable: Readable): Promise<number> {
  const statement = tenantQuery(ctx, countSql, ctx.actor.id, mayBeShown(ctx, readable))
  const [row] = await ctx.reader.query<ReadReply>(statement)
  return row?.unread ?? 0
}

export const readNotification = (
  ctx: Context,
  id: string,
  readable: Readable,
): Promise<Notification> =>
  inTransaction(ctx, async (ctx) => {
    const row = await ownOne(ctx, id, readable)
    if (row.read_at !== null) return toNotification(row)
    const resource = { type: 'notification', id, name: null }
    return audited(ctx, { action: 'notification.read', resource }, async (ctx) => {
      const now = nowText(ctx.services)
      markRead(ctx, [id], now)
      return toNotification({ ...row, read_at: now })
    })
  })

async function ownOne(ctx: Context, id: string, readable: Readable) {
  const row = await findOne(ctx, 'notifications', id)
  const isShown = row?.user_id === ctx.actor.id && mayBeShown(ctx, readable).includes(row.type)
  if (!row || !isShown) throw notFound()
  return row
}

const readSql = `
  update notifications set read_at = $4
  where organization_id = $1 and user_id = $2 and id = any($3) and read_at is null`

const markRead = (ctx: WriteContext, ids: readonly string[], now: string): void =>
  ctx.tx.send(tenantQuery(ctx, readSql, ctx.actor.id, ids, now))

const unreadSql = `
  select id from notifications
  where organization_id = $1 and user_id = $2 and read_at is null and type = any($3)`

/** Marks all as read that one sees; what comes meanwhile stays unread. */
export const readAll = (ctx: Context, readable: Readable): Promise<ReadReply> =>
  inTransaction(ctx, async (ctx) => {
    const statement = tenantQuery(ctx, unreadSql, ctx.actor.id, mayBeShown(ctx, readable))
    const found = await ctx.reader.query<{ id: string }>(statement)
    if (found.length === 0) return { unread: 0 }
    const resource = { type: 'user', id: ctx.actor.id, name: ctx.actor.name }
    return audited(ctx, { action: 'notification.all_read', resource }, async (ctx) => {
      const ids = found.map(({ id }) => id)
      markRead(ctx, ids, nowText(ctx.services))
      return { unread: 0 }
    })
  })

const toNotification = (row: Row<'notifications'>): Notification => ({
  id: row.id,
  category: row.category,
  type: row.type,
  title: row.content.title,
  object: row.content.object,
  actor: row.content.actor,
  changes: row.content.changes,
  sum: row.content.sum,
  reason: row.content.reason,
  path: row.content.path,
  event_id: row.event_id,
  count: row.count,
  created_at: row.created_at,
  updated_at: row.updated_at,
  read_at: row.read_at,
})
