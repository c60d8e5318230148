import type { TenantTable } from '../database/tables/tenant-tables.ts'
import type { Context } from '../kernel/context.ts'
import type { Search, Words } from './filters.ts'
import type { ListShape } from './list.ts'
import type { Walk } from './walk.ts'

type List = ListShape<TenantTable>

/** The walk with the conditions of the words that it looks for. */
export async function searched(ctx: Context, list: List, walk: Walk): Promise<Walk> {
  const asked = askedFor(list, walk)
  if (!asked) return walk
  const { condition, byIndex } = await asked.search.find(ctx, walk.nearest ?? asked.words)
  return {
    ...walk,
    conditions: [condition, ...walk.conditions],
    byIndex: byIndex ? [byIndex, ...walk.byIndex] : walk.byIndex,
  }
}

/** More would take long, and stand for too much. */
const maxWords = 5

/** The words that come nearest to those of the walk, where others than these. */
export async function nearestTo(ctx: Context, list: List, walk: Walk): Promise<Words | undefined> {
  const asked = askedFor(list, walk)
  if (!asked || asked.words.length > maxWords) return undefined
  return asked.search.nearest?.(ctx, list.table, asked.words)
}

function askedFor({ filters }: List, walk: Walk): { search: Search; words: Words } | undefined {
  const [search, text] = [filters.q?.search, walk.filters.q]
  if (search === undefined || typeof text !== 'string') return undefined
  return { search, words: search.wordsOf(text) }
}
