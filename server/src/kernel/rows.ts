import { type Insertable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import { insertStatement, sqlOf } from '../database/tables/statements.ts'
import type { Row, TenantTable } from '../database/tables/tenant-tables.ts'
import { columnsOf, namedTables, type Tables } from '../database/tables/types.ts'
import { isPartitioned } from '../database/upkeep/partitions.ts'
import { conflict, notFound, Problem } from '../problems/problem.ts'
import { folded } from '../values/folded.ts'
import { isWellFormedId } from '../values/ids.ts'
import { plain } from '../values/plain.ts'
import type { Context, WriteContext } from './context.ts'
import { countRow } from './quotas.ts'
import { tenantQuery } from './tenant-query.ts'

export type TenantQuery<Table extends TenantTable> = SelectQueryBuilder<Tables, Table, object>

/** The start of every Kysely query on tenant rows: it includes the organization. */
export function rowsOf<Table extends TenantTable>(ctx: Context, table: Table): TenantQuery<Table> {
  // Kysely resolves the type of this only for a table that is known.
  const rows = ctx.reader.kysely().selectFrom(table) as TenantQuery<Table>
  return rows.where(sql<boolean>`organization_id = ${ctx.organization.id}`)
}

/** The row with this id, or undefined, also for an id that is malformed or of another type. */
export async function findOne<Table extends TenantTable>(
  ctx: Context,
  table: Table,
  id: string,
): Promise<Row<Table> | undefined> {
  if (!isWellFormedId(id)) return undefined
  const text = sqlOf(`one ${table}`, () => oneSql(table))
  const statement = { ...tenantQuery(ctx, text, id), byKey: ['organization_id', 'id'] }
  const [row] = await ctx.reader.query<Row<Table>>(statement)
  return row
}

// With a limit, the generic plan over all partitions is as cheap as a custom one.
const oneSql = (table: TenantTable) =>
  `select ${columnsOf[table].join(', ')} from ${table} where organization_id = $1 and id = $2
    ${isPartitioned(table) ? 'limit 1' : ''}`

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

/** `oneOf` for a row about to change: checks `If-Match`, which the organization may require. */
export async function oneToChange<Table extends TenantTable>(
  ctx: WriteContext,
  table: Table,
  id: string,
): Promise<Row<Table>> {
  const row = await oneOf(ctx, table, id)
  checkVersion(ctx, versionOf(row))
  return row
}

/** `oneOf` for an operation that leaves the row as it is: `If-Match` is optional, but must match. */
export async function oneInVersion<Table extends TenantTable>(
  ctx: Context,
  table: Table,
  id: string,
): Promise<Row<Table>> {
  const row = await oneOf(ctx, table, id)
  checkNamedVersion(ctx, versionOf(row))
  return row
}

/** Objects that never change have no column for it. */
const versionOf = (row: { version?: number }): number => row.version ?? 1

export function checkVersion(ctx: Context, version: number): void {
  if (ctx.ifMatch === null && ctx.organization.requireIfMatch && ctx.request) {
    throw new Problem('precondition_required', 'This organization requires If-Match on changes.')
  }
  checkNamedVersion(ctx, version)
}

/** Whether the request says which version it is about. */
export const namesVersion = ({ ifMatch }: Context): boolean => ifMatch !== null && ifMatch !== '*'

/** For decisions about one version, without `If-Match` or with `*`. */
export const versionRequired = () =>
  new Problem('precondition_required', 'This needs If-Match with the version you reviewed.')

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
  row: Omit<Insertable<Tables[Table]>, 'organization_id' | 'name_folded' | 'plain_name_folded'>,
): void {
  const whole = { organization_id: ctx.organization.id, ...row, ...sortKeysOf(table, row) }
  ctx.tx.send(insertStatement(table, whole))
  countRow(ctx, table, 1)
}

/** Sent with the commit, as `insert`. */
export function update<Table extends TenantTable>(
  ctx: WriteContext,
  table: Table,
  { id, ...changed }: { id: string } & Updateable<Tables[Table]>,
): void {
  const values = { ...changed, ...sortKeysOf(table, changed) }
  const columns = Object.keys(values)
  const text = sqlOf(`update ${table} ${columns}`, () => updateSql(table, columns))
  ctx.tx.send(tenantQuery(ctx, text, id, ...Object.values(values)))
}

/** The forms of a name that lists sort and search by, regardless of case. */
function sortKeysOf(table: TenantTable, row: object) {
  if (!namedTables.has(table) || !('name' in row)) return undefined
  const [name_folded, searched] = [folded(String(row.name)), plain(String(row.name))]
  return { name_folded, plain_name_folded: searched === name_folded ? null : searched }
}

const updateSql = (table: TenantTable, columns: readonly string[]) =>
  `update ${table} set ${columns.map((column, at) => `${column} = $${at + 3}`).join(', ')}
    where organization_id = $1 and id = $2`

/** Sent with the commit, as `insert`. */
export function remove(ctx: WriteContext, table: TenantTable, id: string): void {
  ctx.tx.send(tenantQuery(ctx, deleteSql(table), id))
  countRow(ctx, table, -1)
}

const deleteSql = (table: TenantTable) =>
  `delete from ${table} where organization_id = $1 and id = $2`

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
export type Referrers<Table extends TenantTable> = {
  /** The type of the referring objects. */
  type: string
  table: Table
  column: keyof Tables[Table] & string
}

const maxShown = 10

const referringSql = (table: TenantTable, column: string) => `
  select id, name, count(*) over () as count from ${table}
  where organization_id = $1 and ${column} = $2 order by id limit ${maxShown}`

type Referring = { id: string; name: string; count: number }

/** Throws 409 while others refer to the object. Race-free, as an organization has one writer. */
export async function checkUnused<Table extends TenantTable>(
  ctx: WriteContext,
  id: string,
  { type, table, column }: Referrers<Table>,
): Promise<void> {
  const found = await ctx.reader.query<Referring>(tenantQuery(ctx, referringSql(table, column), id))
  const [first] = found
  if (!first) return
  const { count } = first
  const users = count === 1 ? `1 ${type} refers` : `${count} ${table} refer`
  throw conflict('resource_in_use', `It is in use: ${users} to it.`, {
    references: found.map(({ id, name }) => ({ type, id, name })),
    reference_count: count,
  })
}
