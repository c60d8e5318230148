import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { OperationRow } from '../operations/rows.ts'

/** Whether others have changed a field of an object since the change set was applied. */
export type ChangedSince = (object: { id: string; version: number }, field: string) => boolean

const appliedSql = `
  select max(sequence) as sequence from audit_logs
  where organization_id = $1 and change_set_id = $2 and outcome = 'success'
    and action = 'change_set.applied'`

// The clock starts what is scheduled: that is no change of what was applied.
const sinceSql = `
  select distinct resource ->> 'id' as id, change ->> 'field' as field
  from audit_logs cross join jsonb_array_elements(changes) as c (change)
  where organization_id = $1 and resource ->> 'id' = any($2) and sequence > $3
    and outcome = 'success'
    and (change ->> 'field', change ->> 'before', change ->> 'after')
      is distinct from ('status', 'scheduled', 'active')`

type Touched = { id: string; field: string }

/**
 * By the history, not by values: who sets a field to the very same value has decided on it. Where
 * records are not kept that long, whatever has another version counts as changed.
 */
export async function changedSince(
  ctx: Context,
  changeSetId: string,
  operations: readonly OperationRow[],
): Promise<ChangedSince> {
  const [applied] = await ctx.reader.query<{ sequence: number | null }>(
    tenantQuery(ctx, appliedSql, changeSetId),
  )
  const sequence = applied?.sequence ?? null
  if (sequence === null) return byVersion(operations)
  const ids = [...new Set(operations.flatMap(({ object_id }) => object_id ?? []))]
  const found = await ctx.reader.query<Touched>(tenantQuery(ctx, sinceSql, ids, sequence))
  const touched = new Set(found.map(({ id, field }) => `${id} ${field}`))
  return ({ id }, field) => touched.has(`${id} ${field}`)
}

function byVersion(operations: readonly OperationRow[]): ChangedSince {
  const last = new Map(operations.map(({ object_id, result }) => [object_id, result?.version]))
  return ({ id, version }) => last.get(id) !== version
}
