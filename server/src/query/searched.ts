import type { TenantTable } from '../database/tables/tenant-tables.ts'
import type { Context } from '../kernel/context.ts'
import type { ListShape } from './list.ts'
import type { Walk } from './walk.ts'

/** The walk with the conditions of the words that it looks for. */
export async function searched(
  ctx: Context,
  { filters }: ListShape<TenantTable>,
  walk: Walk,
): Promise<Walk> {
  const [search, text] = [filters.q?.search, walk.filters.q]
  if (search === undefined || typeof text !== 'string') return walk
  const { condition, byIndex } = await search.find(ctx, search.wordsOf(text))
  return {
    ...walk,
    conditions: [condition, ...walk.conditions],
    byIndex: byIndex ? [byIndex, ...walk.byIndex] : walk.byIndex,
  }
}
