import { sql } from 'kysely'
import { ByteBudget } from '../../database/driver/byte-budget.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../database/tables/types.ts'
import type { Context } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import type { Condition } from '../../query/filters.ts'
import { toAuditLog } from './audit-logs.ts'
import type { Span } from './checkpoints.ts'
import type { AuditLog } from './schema.ts'

/** Records held in memory: a few milliseconds of work before yielding to the event loop. */
const maxRecords = 200
const maxBytes = 512 * 1024

/** Records scanned per statement, however few match. */
const maxScanned = 10_000

export type Batch = {
  records: AuditLog[]
  /** The last sequence that was read. */
  upTo: number
}

type Options = { signal: AbortSignal; conditions?: readonly Condition[] }

/** Reads the records of a span in order, with bounded memory and short statements. */
export async function* batchesOf(
  ctx: Context,
  { after, upTo }: Span,
  { signal, conditions = [] }: Options,
): AsyncGenerator<Batch> {
  let [last, count] = [after, maxRecords]
  while (last < upTo) {
    signal.throwIfAborted()
    const scanned = { after: last, upTo: Math.min(last + maxScanned, upTo) }
    const budget = new ByteBudget(maxBytes)
    const statement = statementOf(ctx, scanned, { conditions, count })
    const rows = await ctx.reader.query<Row<'audit_logs'>>({ ...statement, budget })
    const isFull = budget.isExceeded || rows.length === count
    last = (isFull && rows.at(-1)?.sequence) || scanned.upTo
    yield { records: rows.map(toAuditLog), upTo: last }
    count = nextCount(count, budget)
  }
}

/**
 * Halves the count after an oversized batch; powers of two keep the number of distinct statements
 * small.
 */
const nextCount = (count: number, { isExceeded }: ByteBudget): number =>
  isExceeded ? Math.ceil(count / 2) : Math.min(count * 2, maxRecords)

type BatchOptions = { conditions: readonly Condition[]; count: number }

function statementOf(ctx: Context, { after, upTo }: Span, { conditions, count }: BatchOptions) {
  const matching = conditions.reduce(
    (query, condition) => query.where(condition),
    rowsOf(ctx, 'audit_logs'),
  )
  return matching
    .select(columnsOf.audit_logs)
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .orderBy('sequence')
    .limit(sql.lit(count))
    .compile()
}
