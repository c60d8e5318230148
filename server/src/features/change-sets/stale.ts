import type { Context } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import type { StaleOperation } from '../../problems/members.ts'
import { resources } from './operation-schema.ts'
import { changeables } from './requests.ts'

/** The object of an operation as it is now: only the table of its own kind is looked into. */
const present = resources
  .map(
    (resource) => `
      select version, updated_by, updated_at from ${changeables[resource].table}
      where o.resource = '${resource}' and organization_id = $1 and id = o.object_id`,
  )
  .join(' union all ')

const movedSql = `
  select o.change_set_id, o.index, o.resource, o.object_id as id, o.version_seen,
    now.version as current_version, now.updated_by as changed_by, now.updated_at as changed_at
  from change_set_operations o
    left join lateral (${present}) as now on true
  where o.organization_id = $1 and o.change_set_id = any($2) and o.version_seen is not null
    and now.version is distinct from o.version_seen
  order by o.change_set_id, o.index`

type Moved = StaleOperation & { change_set_id: string }

const goneSql = `
  select distinct on (resource ->> 'id') resource ->> 'id' as id, actor ->> 'id' as changed_by,
    occurred_at as changed_at
  from audit_logs
  where organization_id = $1 and resource ->> 'id' = any($2) and outcome = 'success'
  order by resource ->> 'id', sequence desc`

type Gone = { id: string; changed_by: string | null; changed_at: string }

/** What has moved since these change sets were tried, by change set. */
export async function staleIn(
  ctx: Context,
  changeSetIds: readonly string[],
): Promise<(changeSetId: string) => StaleOperation[]> {
  if (changeSetIds.length === 0) return () => []
  const rows = await ctx.reader.query<Moved>(tenantQuery(ctx, movedSql, changeSetIds))
  const gone = await deletionsOf(ctx, rows)
  const byChangeSet = Map.groupBy(rows, ({ change_set_id }) => change_set_id)
  return (id) =>
    (byChangeSet.get(id) ?? []).map(({ change_set_id: _, ...stale }) => ({
      ...stale,
      ...(stale.current_version === null && stale.id !== null ? gone.get(stale.id) : {}),
    }))
}

/** Who deleted the objects that are gone, as far as audit records are kept. */
async function deletionsOf(
  ctx: Context,
  rows: readonly Moved[],
): Promise<Map<string, Omit<Gone, 'id'>>> {
  const ids = rows.flatMap(({ id, current_version }) =>
    current_version === null && id !== null ? [id] : [],
  )
  if (ids.length === 0) return new Map()
  const found = await ctx.reader.query<Gone>(tenantQuery(ctx, goneSql, [...new Set(ids)]))
  return new Map(found.map(({ id, ...rest }) => [id, rest]))
}
