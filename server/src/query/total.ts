import { type RawBuilder, sql } from 'kysely'
import { builder } from '../database/tables/kysely.ts'
import type { TenantTable } from '../database/tables/tenant-tables.ts'
import type { Context } from '../kernel/context.ts'
import type { Condition } from './filters.ts'
import type { ListShape } from './list.ts'
import { indexedBy, type Walk } from './walk.ts'

/** The number of rows that match, and whether that is an estimate. */
export type Total = { total: number; total_is_estimate?: true }

/** A table that has, for each combination of some values, how many rows have them. */
export type Tally = {
  table: string
  /** The column with the number. */
  count: string
  /** Filters of the list whose conditions hold for this table as well. */
  filters: readonly string[]
}

/** Exact where it is counted already or quick to count; else an estimate, which says so. */
export async function totalOf(
  ctx: Context,
  list: ListShape<TenantTable>,
  walk: Walk,
): Promise<Total> {
  const { table, tally, sized, isNumbered = false } = list
  const { filters, conditions, inSample } = walk
  if (tally && Object.keys(filters).every((name) => tally.filters.includes(name))) {
    return { total: await summed(ctx, tally, conditions) }
  }
  // A scope leaves gaps between numbers.
  if (isNumbered && conditions.length === 0 && !ctx.scope)
    return { total: await numbered(ctx, table) }
  const all = async () => counted(ctx, table, [...conditions, ...(await indexedBy(walk))])
  if (sized === undefined) return { total: await all() }
  const sampled = () => counted(ctx, table, [...conditions, ...inSample, isSampled('id')])
  return sampledTotal(ctx, { sized, sampled, all })
}

type SampledCounts = {
  /** The kind of rows. */
  sized: NonNullable<ListShape<TenantTable>['sized']>
  /** Counts those of the sample. */
  sampled: () => Promise<number>
  all: () => Promise<number>
}

/** Estimates from a sample where there are very many, and the sample has many. */
export async function sampledTotal(
  ctx: Context,
  { sized, sampled, all }: SampledCounts,
): Promise<Total> {
  const { largeLists } = ctx.services.limits
  if (await largeLists.hasVeryMany(ctx, sized)) {
    const likely = sampledShare * (await sampled())
    if (likely > largeLists.countedUpTo) return { total: rounded(likely), total_is_estimate: true }
  }
  return { total: await all() }
}

/** Ids end at random. Those that end in this character have an index: one in 32. */
const sampledShare = 32
export const isSampled = (column: string): Condition =>
  sql<boolean>`right(${sql.ref(column)}, 1) = '0'`

/** To two digits, as a sample has no more. */
const rounded = (estimate: number): number => Number(estimate.toPrecision(2))

const summed = (ctx: Context, { table, count }: Tally, conditions: readonly Condition[]) =>
  totalIn(ctx, { table, conditions, count: sql`coalesce(sum(${sql.ref(count)}), 0)` })

/** Numbers have no gaps, and the oldest rows go first. */
const numbered = (ctx: Context, table: string) =>
  totalIn(ctx, {
    table,
    conditions: [],
    count: sql`coalesce(max(sequence) - min(sequence) + 1, 0)`,
  })

const counted = (ctx: Context, table: string, conditions: readonly Condition[]) =>
  totalIn(ctx, { table, conditions, count: sql`count(*)` })

type Counting = { table: string; conditions: readonly Condition[]; count: RawBuilder<unknown> }

async function totalIn(ctx: Context, { table, conditions, count }: Counting): Promise<number> {
  const where = sql.join([sql`organization_id = ${ctx.organization.id}`, ...conditions], sql` and `)
  const statement = sql`select (${count})::bigint as total from ${sql.table(table)} where ${where}`
  const [row] = await ctx.reader.query<{ total: number }>({
    ...statement.compile(builder),
    byFilters: true,
  })
  return row?.total ?? 0
}
