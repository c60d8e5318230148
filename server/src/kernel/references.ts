import { sql } from 'kysely'
import type { WriteContext } from './context.ts'
import { conflict } from '../problems/problem.ts'
import { rowsOf } from './rows.ts'

/** What may refer to an object that is about to go: rows of `table` whose `column` has its id. */
export type Referrers =
  | { type: 'campaign'; table: 'campaigns'; column: 'profile_id' }
  | { type: 'profile'; table: 'profiles'; column: 'proxy_id' }

const mostShown = 10

/** Refuses while others refer to the object. Stays true, as an organization has one writer. */
export async function checkUnused(
  ctx: WriteContext,
  id: string,
  { type, table, column }: Referrers,
): Promise<void> {
  // Both tables have these columns; Kysely cannot resolve them over a choice of tables.
  const referring = rowsOf(ctx, table as 'campaigns').where(sql.ref(column), '=', id)
  const [found, { count }] = await Promise.all([
    referring.select(['id', 'name']).orderBy('id').limit(mostShown).execute(),
    referring.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  if (count === 0) return
  throw conflict('resource_in_use', `It is in use: ${count} ${table} refer to it.`, {
    references: found.map(({ id, name }) => ({ type, id, name })),
    reference_count: count,
  })
}
