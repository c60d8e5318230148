import type { SingletonTask } from '../../../jobs/job.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { largeFrom } from '../../../limits/large-lists.ts'
import { type IndexStep, keeping } from '../../../query/search/keeping.ts'
import { keysOfText } from '../../../query/search/keys.ts'
import { plain } from '../../../values/plain.ts'

/** How far the index is: the sequence of the last record that it has. */
type NamesState = { through: number }

/** Keeps the index of the names in audit records, of organizations with many records. */
export const keepAuditedNames = keeping<NamesState>({
  beginSql: `
    insert into audited_name_states (organization_id, through)
    select h.organization_id, 0 from organization_heads h
    where h.audit_sequence >= ${largeFrom} and not exists (
      select from audited_name_states s where s.organization_id = h.organization_id)
    on conflict do nothing`,
  behindSql: `
    select s.organization_id, s.through from audited_name_states s
    join organization_heads h on h.organization_id = s.organization_id
    where s.through < h.audit_sequence`,
  step: follow,
})

export const dueAuditedNames: SingletonTask = {
  name: 'audit-logs.search',
  everyMs: 500,
  // Nothing is late: what the index lacks is found beside it.
  work: [],
  run: keepAuditedNames,
}

/** As many hold up other requests for about 5 ms. */
const chunkSize = 100

const recordsSql = `
  select sequence, resource ->> 'id' as id, resource ->> 'name' as name from audit_logs
  where organization_id = $1 and sequence > $2 order by sequence limit ${chunkSize}`

type AuditedName = { sequence: number; id: string | null; name: string | null }

const knownSql =
  'select id, keys from audited_names where organization_id = $1 and id = any($2::text[])'

type Known = { id: string; keys: number[] }

const storeSql = `
  insert into audited_names as known (organization_id, id, keys)
  select $1, made.id, made.keys::integer[] from unnest($2::text[], $3::text[]) as made (id, keys)
  on conflict (organization_id, id) do update
    set keys = excluded.keys where known.keys <> excluded.keys`

const reachedSql = 'update audited_name_states set through = $2 where organization_id = $1'

/** Adds the names of the next records. */
async function follow(ctx: Context, state: NamesState): Promise<IndexStep<NamesState>> {
  const records = await ctx.reader.query<AuditedName>(tenantQuery(ctx, recordsSql, state.through))
  const last = records.at(-1)
  if (!last) return { statements: [], next: null }
  const ids = [...new Set(records.flatMap(({ id }) => id ?? []))]
  const known = await ctx.reader.query<Known>(tenantQuery(ctx, knownSql, ids))
  const keys = keysByResource(ctx, known, records)
  const texts = [...keys.values()].map((each) => `{${[...each].sort(ascending).join()}}`)
  return {
    statements: [
      tenantQuery(ctx, storeSql, [...keys.keys()], texts),
      tenantQuery(ctx, reachedSql, last.sequence),
    ],
    next: records.length < chunkSize ? null : { through: last.sequence },
  }
}

const ascending = (one: number, other: number) => one - other

/** A resource is found by all names that it has had. */
function keysByResource(
  ctx: Context,
  known: readonly Known[],
  records: readonly AuditedName[],
): Map<string, Set<number>> {
  const byId = new Map(known.map(({ id, keys }) => [id, new Set(keys)]))
  for (const { id, name } of records) {
    if (id === null || name === null) continue
    const keys = byId.get(id) ?? new Set()
    for (const key of keysOfText(ctx.organization.id, plain(name))) keys.add(key)
    byId.set(id, keys)
  }
  return byId
}
