import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { StaleOperation } from '../../../problems/members.ts'
import { changeables } from '../operations/changeables.ts'
import { resources } from '../operations/schema.ts'

/** The object of an operation as it is now: only the table of its own kind is looked into. */
const present = resources
  .map(
    (resource) => `
      select version, updated_by, updated_at from ${changeables[resource].table}
      where o.resource = '${resource}' and organization_id = $1 and id = o.object_id`,
  )
  .join(' union all ')

const versionsNow = resources
  .map(
    (resource) => `
      select id, version, version, true from ${changeables[resource].table}
      where organization_id = $1
        and id = any(array(select object_id from seen where resource = '${resource}'))`,
  )
  .join(' union all ')

// First each object once, grouped rather than joined, and change sets one by one (`offset 0`): so the
// plan is good before there are statistics. Most have not moved; then operations are not read again.
const movedSql = `
  with seen as materialized (
    select o.resource, o.object_id, min(o.version_seen) as least, max(o.version_seen) as most
    from unnest($2::text[]) as s (id) cross join lateral (
      select resource, object_id, version_seen from change_set_operations
      where organization_id = $1 and change_set_id = s.id and version_seen is not null
      offset 0) as o
    group by o.resource, o.object_id
  ), moved as materialized (
    select id from (
      select object_id as id, least, most, false as is_now from seen union all ${versionsNow}) as each
    group by id having min(least) <> max(most) or not bool_or(is_now)
  )
  select o.change_set_id, o.index, o.resource, o.object_id as id, o.version_seen,
    now.version as current_version, now.updated_by as changed_by, now.updated_at as changed_at
  from change_set_operations o
    left join lateral (${present}) as now on true
  where exists (select from moved)
    and o.organization_id = $1 and o.change_set_id = any($2) and o.version_seen is not null
    and o.object_id = any(array(select id from moved))
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

/** The objects that have changed since these change sets were tried, by change set. */
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

/** The actor and time of each object's deletion, as far as audit records are kept. */
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
