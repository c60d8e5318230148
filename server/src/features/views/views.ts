import { sql } from 'kysely'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { type Changed, change, checkAuthor, withDenials } from '../../kernel/change.ts'
import type { Context, Reaction, WriteContext } from '../../kernel/context.ts'
import { readOnlyFaults } from '../../kernel/people.ts'
import { checkCap } from '../../kernel/quotas.ts'
import {
  firstStamps,
  insert,
  nextStamps,
  oneOf,
  oneToChange,
  remove,
  update,
} from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { fault } from '../../problems/fault.ts'
import { checkFaults, conflict, notFound } from '../../problems/problem.ts'
import { anyOf, commonFilters, type Filter } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { byWordsOfName } from '../../query/search/search.ts'
import { byName } from '../../query/sorting.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import { patched } from '../../schema/merge-patch.ts'
import { newId } from '../../values/ids.ts'
import { cap, mostOfOne, viewed, viewIds } from './resource.ts'
import { readOnlyFields, type View, type ViewChanges, type ViewInput } from './schema.ts'

const sharedFilter: Filter = {
  schema: { type: 'boolean', description: 'Filter by shared views, or those that are not.' },
  read: ([text]) => ({ condition: sql<boolean>`shared = ${text === 'true'}` }),
}

export const viewList: ListShape<'views'> = {
  table: 'views',
  filters: {
    ...byWordsOfName,
    resource: anyOf('resource', { allowed: viewed }),
    shared: sharedFilter,
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', byName],
  wide: ['query', 'columns'],
}

/** Views of the organization, and one's own. */
export const listViews = (ctx: Context, query: Query): Promise<Page<View>> => {
  const standing = () => sql<boolean>`(shared or created_by = ${ctx.actor.id})`
  return pageOf(ctx, { list: { ...viewList, standing }, query, present: toView })
}

export async function getView(ctx: Context, id: string): Promise<View> {
  return toView(seen(ctx, await oneOf(ctx, 'views', id)))
}

const isOwn = (ctx: Context, { created_by }: Pick<View, 'created_by'>) =>
  created_by === ctx.actor.id

/** Other people's own views do not exist for the caller. */
function seen(ctx: Context, row: Row<'views'>): Row<'views'> {
  if (!row.shared && !isOwn(ctx, row)) throw notFound()
  return row
}

export const createView = (ctx: Context, body: ViewInput): Promise<View> =>
  change(ctx, 'view.created', async (ctx) => {
    const { resource, name, query = '', columns = [], shared = false } = body
    await checkRoom(ctx, shared)
    const fields = { resource, name, query, columns, shared }
    const row = { id: newId(viewIds), ...fields, ...firstStamps(ctx) }
    insert(ctx, 'views', row)
    return shown({ before: null, after: toView(row) })
  })

const ownSql = `
  select count(*)::integer as count from views
  where organization_id = $1 and created_by = $2 and not shared`

async function checkRoom(ctx: WriteContext, shared: boolean): Promise<void> {
  if (shared) return checkCap(ctx, cap)
  const own = tenantQuery(ctx, ownSql, ctx.actor.id)
  const [row] = await ctx.reader.query<{ count: number }>(own)
  if ((row?.count ?? 0) < mostOfOne) return
  throw conflict('limit_exceeded', `You have ${mostOfOne} views of your own already.`, {
    resource: cap.name,
    limit: mostOfOne,
  })
}

export const updateView = (ctx: Context, id: string, changes: ViewChanges): Promise<View> =>
  withDenials(ctx, 'view.updated', () =>
    change(ctx, 'view.updated', async (ctx) => {
      const row = await oneToWrite(ctx, id)
      const before = toView(row)
      const { body, faults } = patched(ctx, before, changes)
      const readOnly = await readOnlyFaults(ctx, { before, body, readOnly: readOnlyFields })
      const { name, query, columns, shared } = { ...before, ...body }
      const set = { name, query, columns, shared }
      const lost = before.shared && !shared && !isOwn(ctx, row) ? [notYours] : []
      checkFaults(ctx, [...faults, ...readOnly, ...lost])
      if (changedFields<typeof set>(before, set).length === 0) return { before, after: before }
      if (before.shared !== shared) await checkRoom(ctx, shared)
      const next = { ...set, ...nextStamps(ctx, row) }
      update(ctx, 'views', { id, ...next })
      return shown({ before, after: toView({ ...row, ...next }) })
    }),
  )

const notYours = fault(
  '/shared',
  'immutable_field',
  'stays true: only its author can keep it to themselves; you can delete it',
)

export async function deleteView(ctx: Context, id: string): Promise<void> {
  await withDenials(ctx, 'view.deleted', () =>
    change(ctx, 'view.deleted', async (ctx) => {
      const before = toView(await oneToWrite(ctx, id))
      remove(ctx, 'views', id)
      return shown({ before, after: null })
    }),
  )
}

async function oneToWrite(ctx: WriteContext, id: string): Promise<Row<'views'>> {
  const row = seen(ctx, await oneOf(ctx, 'views', id))
  checkAuthor(ctx, row, 'Only its author, admins and owners may change a shared view.')
  return oneToChange(ctx, 'views', id)
}

/** A view of one person alone leaves no content in the audit log, and no event. */
function shown({ before, after }: { before: View | null; after: View | null }): Changed<View> {
  const open = [after, before].find((view) => view?.shared)
  if (!open) return { before, after, isPrivate: true }
  const { name, query, columns } = open
  const toSnapshot = (view: View) => (view.shared ? view : { ...view, name, query, columns })
  return { before, after, toSnapshot }
}

const removeOwnSql =
  'delete from views where organization_id = $1 and created_by = $2 and not shared'

/** Removes what a member or key did not share. */
export const removeOwnViews: Reaction = async (ctx, before) => {
  if (before) ctx.tx.send(tenantQuery(ctx, removeOwnSql, before.id))
}

const toView = (row: Omit<Row<'views'>, 'organization_id'>): View => ({
  id: row.id,
  resource: row.resource,
  name: row.name,
  query: row.query,
  columns: row.columns,
  shared: row.shared,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
