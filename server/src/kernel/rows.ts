import { type Insertable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import { type CountedName, countedNames } from '../config/config.ts'
import { builder } from '../database/kysely.ts'
import { isPartitioned } from '../database/partitions.ts'
import { insertStatement, sqlOf } from '../database/statements.ts'
import type { Row, TenantTable } from '../database/tenant-tables.ts'
import { columnsOf, type Tables } from '../database/types.ts'
import { conflict, notFound, Problem } from '../problems/problem.ts'
import { type IdKind, isId } from '../values/ids.ts'
import type { Context, WriteContext } from './context.ts'
import { adjustQuota } from './quotas.ts'
import { tenantQuery } from './tenant-query.ts'

type TenantQuery<Table extends TenantTable> = SelectQueryBuilder<Tables, Table, object>

/** The start of every Kysely query on tenant rows: it includes the organization. */
export function rowsOf<Table extends TenantTable>(ctx: Context, table: Table): TenantQuery<Table> {
  // Kysely cannot resolve a column of a table that is still a type parameter.
  const query = ctx.reader.kysely().selectFrom(table as 'campaigns') as SelectQueryBuilder<
    Tables,
    'campaigns',
    object
  >
  return query.where('organization_id', '=', ctx.organization.id) as unknown as TenantQuery<Table>
}

export const everyColumn = <Table extends TenantTable>(table: Table) =>
  columnsOf[table] as readonly string[] as readonly never[]

/** The row with this id, or undefined, also for an id that is malformed or of another kind. */
export async function findOne<Table extends TenantTable>(
  ctx: Context,
  table: Table,
  id: string,
): Promise<Row<Table> | undefined> {
  if (!isId(kindOf(table), id)) return undefined
  const text = sqlOf(`one ${table}`, () => {
    const one = rowsOf(ctx, table as 'campaigns')
      .where('id', '=', id)
      .select(everyColumn(table))
    // With a limit, the generic plan over all partitions is as cheap as a custom one.
    return isPartitioned(table) ? one.limit(sql.lit(1)) : one
  })
  const statement = { ...tenantQuery(ctx, text, id), byKey: true } as const
  const [row] = await ctx.reader.query<Row<Table>>(statement)
  return row
}

/** The row with this id; throws 404. */
export async function oneOf<Table extends TenantTable>(
  ctx: Context,
  table: Table,
  id: string,
): Promise<Row<Table>> {
  const row = await findOne(ctx, table, id)
  if (!row) throw notFound()
  return row
}

const kinds: Partial<Record<TenantTable, IdKind>> = {
  campaigns: 'campaign',
  campaign_details: 'campaign',
  profiles: 'profile',
  proxies: 'proxy',
  templates: 'template',
  webhook_endpoints: 'webhook_endpoint',
  webhook_deliveries: 'delivery',
  users: 'user',
  sessions: 'session',
  api_keys: 'api_key',
  audit_logs: 'audit_log',
  events: 'event',
}

function kindOf(table: TenantTable): IdKind {
  const kind = kinds[table]
  if (!kind) throw new Error(`rows of ${table} have no id kind`)
  return kind
}

/** `oneOf` for a row about to change: checks `If-Match`, which the organization may require. */
export async function oneToChange<Table extends TenantTable>(
  ctx: WriteContext,
  table: Table,
  id: string,
): Promise<Row<Table>> {
  const row = await oneOf(ctx, table, id)
  checkVersion(ctx, (row as { version?: number }).version ?? 1)
  return row
}

/** `oneOf` for an operation that leaves the row as it is: `If-Match` is optional, but must match. */
export async function oneInVersion(
  ctx: Context,
  table: 'webhook_endpoints',
  id: string,
): Promise<Row<'webhook_endpoints'>> {
  const row = await oneOf(ctx, table, id)
  checkNamedVersion(ctx, row.version)
  return row
}

export function checkVersion(ctx: Context, version: number): void {
  if (ctx.ifMatch === null && ctx.organization.requireIfMatch && ctx.request) {
    throw new Problem('precondition_required', 'This organization requires If-Match on changes.')
  }
  checkNamedVersion(ctx, version)
}

/** For decisions about one version: throws 428 without `If-Match`, or with `*`. */
export function requireVersion({ ifMatch }: Context): void {
  if (ifMatch !== null && ifMatch !== '*') return
  throw new Problem('precondition_required', 'This needs If-Match with the version you reviewed.')
}

function checkNamedVersion(ctx: Context, version: number): void {
  if (ctx.ifMatch === null || ctx.ifMatch === '*' || ctx.ifMatch.includes(version)) return
  throw new Problem('version_mismatch', `The object is at version ${version} now.`, {
    members: { current_version: version },
    headers: { etag: `"${version}"` },
  })
}

/** Sent with the commit, which reports a violated constraint as its problem. */
export function insert<Table extends TenantTable>(
  ctx: WriteContext,
  table: Table,
  row: Omit<Insertable<Tables[Table]>, 'organization_id'>,
): void {
  ctx.tx.send(insertStatement(table, { organization_id: ctx.organization.id, ...row }))
  if (isCounted(table)) adjustQuota(ctx, table, 1)
}

/** Sent with the commit, as `insert`. */
export function update<Table extends TenantTable>(
  ctx: WriteContext,
  table: Table,
  { id, ...values }: { id: string } & Updateable<Tables[Table]>,
): void {
  const columns = Object.keys(values)
  const sql = sqlOf(`update ${table} ${columns}`, () =>
    builder
      .updateTable(table as 'campaigns')
      .set(values as never)
      .where('organization_id', '=', ctx.organization.id)
      .where('id', '=', id),
  )
  ctx.tx.send({ sql, parameters: [...Object.values(values), ctx.organization.id, id] })
}

/** Sent with the commit, as `insert`. */
export function remove(ctx: WriteContext, table: TenantTable, id: string): void {
  const sql = sqlOf(`delete ${table}`, () =>
    builder
      .deleteFrom(table as 'campaigns')
      .where('organization_id', '=', ctx.organization.id)
      .where('id', '=', id),
  )
  ctx.tx.send(tenantQuery(ctx, sql, id))
  if (isCounted(table)) adjustQuota(ctx, table, -1)
}

const isCounted = (table: string): table is CountedName =>
  countedNames.some((name) => name === table)

/** The stamps of a new object. */
export const firstStamps = ({ now, actor }: WriteContext) => ({
  version: 1,
  created_at: now,
  updated_at: now,
  created_by: actor.id,
  updated_by: actor.id,
})

/** The stamps of a changed object. */
export const nextStamps = ({ now, actor }: WriteContext, { version }: { version: number }) => ({
  version: version + 1,
  updated_at: now,
  updated_by: actor.id,
})

/** Possible references to an object about to be deleted: rows of `table` with its id in `column`. */
export type Referrers =
  | { type: 'campaign'; table: 'campaigns'; column: 'profile_id' }
  | { type: 'profile'; table: 'profiles'; column: 'proxy_id' }

const maxShown = 10

/** Throws 409 while others refer to the object. Race-free, as an organization has one writer. */
export async function checkUnused(
  ctx: WriteContext,
  id: string,
  { type, table, column }: Referrers,
): Promise<void> {
  // Both tables have these columns; Kysely cannot resolve them over a union of tables.
  const referring = rowsOf(ctx, table as 'campaigns').where(sql.ref(column), '=', id)
  const [found, { count }] = await Promise.all([
    referring.select(['id', 'name']).orderBy('id').limit(maxShown).execute(),
    referring.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  if (count === 0) return
  throw conflict('resource_in_use', `It is in use: ${count} ${table} refer to it.`, {
    references: found.map(({ id, name }) => ({ type, id, name })),
    reference_count: count,
  })
}
