import { type Expression, type RawBuilder, sql } from 'kysely'
import type { ByteBudget } from '../database/driver/byte-budget.ts'

/** Maximum size of a page as sent. */
export const maxPageBytes = 1024 * 1024

/** For `meta`: a cursor contains the filters, which come from a target of at most 8 KiB. */
const envelopeBytes = 16 * 1024

const maxItemBytes = maxPageBytes - envelopeBytes

/** JSON escapes one byte as at most six. */
const largestGrowth = 6

/** For field names and computed fields. */
const maxAddedBytes = 2 * 1024

/** The first items that fit a page, at least one. Measured only if they might not fit. */
export function fitting<Item>(items: Item[], { taken }: ByteBudget): Item[] {
  if (taken * largestGrowth + items.length * maxAddedBytes <= maxItemBytes) return items
  let bytes = 0
  const tooMany = items.findIndex((item, at) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1
    return at > 0 && bytes > maxItemBytes
  })
  return tooMany === -1 ? items : items.slice(0, tooMany)
}

type BoundedPage = {
  rows: Expression<unknown>
  columns: readonly string[]
  /** Columns that may be large. */
  wide: readonly string[]
  order: RawBuilder<unknown>
}

/**
 * Drops most rows beyond the page size, so that PostgreSQL does not send them. Always keeps the
 * first excess row, which shows that the page was cut.
 */
export function withinPage({ rows, columns, wide, order }: BoundedPage): RawBuilder<unknown> {
  const bytes = sql.join(wide.map(bytesOf), sql` + `)
  const shown = sql.join(columns.map((column) => sql.ref(column)))
  const before = sql`sum(${bytes}) over (
    order by ${order} rows between unbounded preceding and 2 preceding)`
  return sql`select ${shown} from (
    select *, ${before} as bytes_before from ${rows} as page
  ) as measured
  where coalesce(bytes_before, 0) <= ${sql.lit(maxPageBytes)}
  order by ${order}`
}

const bytesOf = (column: string) => sql`coalesce(octet_length(${sql.ref(column)}::text), 0)`
