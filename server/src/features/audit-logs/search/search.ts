import { sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { Condition, Filter, Words } from '../../../query/filters.ts'
import { keysOfWord } from '../../../query/search/keys.ts'
import { inAnyText } from '../../../query/search/places.ts'
import { wordsIn } from '../../../query/search/search.ts'

/** By the names that resources had when the records were written. */
export const byWordsOfResource = {
  q: wordsIn('the resource’s name', {
    places: [inAnyText(sql`resource ->> 'name'`)],
    byIndex: indexedRecords,
  }),
} satisfies Record<string, Filter>

/** With more records to come, or resources found, all are read: that costs as much. */
const maxBehind = 5_000
const maxResources = 10_000

const throughSql = `
  select s.through from audited_name_states s
  join organization_heads h on h.organization_id = s.organization_id
  where s.organization_id = $1 and h.audit_sequence <= s.through + ${maxBehind}`

const resourcesSql = `
  select id from audited_names where organization_id = $1 and keys @> $2::integer[]
  limit ${maxResources + 1}`

/**
 * The records that may have the words, by the index of names; undefined where there is none yet. Those
 * that it does not have yet, or that are about nothing with an id, are found beside it.
 */
async function indexedRecords(ctx: Context, words: Words): Promise<Condition | undefined> {
  if (words.length === 0) return undefined
  const [state] = await ctx.reader.query<{ through: number }>(tenantQuery(ctx, throughSql))
  if (!state) return undefined
  const keys = words.flatMap(([word = '']) => keysOfWord(ctx.organization.id, word))
  const found = await ctx.reader.query<{ id: string }>(tenantQuery(ctx, resourcesSql, keys))
  if (found.length > maxResources) return undefined
  const ids = found.map(({ id }) => id)
  return sql`(resource ->> 'id' = any(${ids}) or resource ->> 'id' is null
    or sequence > ${state.through})`
}
