import type { Context } from '../../kernel/context.ts'
import { everyColumn, type Row, rowsOf } from '../../kernel/rows.ts'
import { anchorOf, isSealed } from './anchors.ts'
import { toAuditLog } from './audit-logs.ts'
import { follow, found, genesis, type Link } from './chain.ts'
import type { Verification } from './schema.ts'

/** Records between two breaths of the event loop: some milliseconds of hashing. */
const batchSize = 200

/**
 * Walks the organization's whole chain up to its head as it is now, recomputing each hash from the
 * record that the API shows. A record changed, missing in the middle or cut off at the end is found.
 */
export async function verifyAuditLogs(ctx: Context): Promise<Verification> {
  for (;;) {
    const anchor = await anchorOf(ctx)
    const from = anchor ?? genesis
    if (anchor && !isSealed(ctx, anchor)) return found(from, from, anchor.sequence + 1)
    const result = await walk(ctx, from)
    if (result.valid || (await anchorOf(ctx))?.sequence === anchor?.sequence) return result
    // Records were pruned away under the walk: it begins again behind them.
  }
}

async function walk(ctx: Context, from: Link): Promise<Verification> {
  const head = await headOf(ctx)
  let last = from
  while (last.sequence < head.sequence) {
    const rows = await batchAfter(ctx, last.sequence, head.sequence)
    if (rows.length === 0) return found(from, last, last.sequence + 1)
    for (const row of rows) {
      const next = follow(last, toAuditLog(row))
      if (!next) return found(from, last, last.sequence + 1)
      last = next
    }
  }
  const isWhole = last.sequence === head.sequence && last.hash === head.hash
  return found(from, last, isWhole ? null : last.sequence)
}

/** The end of the chain as the organization's head remembers it, beside the records. */
async function headOf(ctx: Context): Promise<Link> {
  const head = await ctx.db
    .selectFrom('organization_heads')
    .select(['audit_sequence', 'audit_hash'])
    .where('organization_id', '=', ctx.organization.id)
    .executeTakeFirstOrThrow()
  return { sequence: head.audit_sequence, hash: head.audit_hash }
}

function batchAfter(ctx: Context, sequence: number, most: number): Promise<Row<'audit_logs'>[]> {
  const query = rowsOf(ctx, 'audit_logs')
    .select(everyColumn('audit_logs'))
    .where('sequence', '>', sequence)
    .where('sequence', '<=', most)
    .orderBy('sequence')
    .limit(batchSize)
  return ctx.reader.query<Row<'audit_logs'>>(query.compile())
}
