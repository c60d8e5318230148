import type { Context } from '../../kernel/context.ts'
import { everyColumn, type Row, rowsOf } from '../../kernel/rows.ts'
import { anchorOf, isSealed } from './anchors.ts'
import { toAuditLog } from './audit-logs.ts'
import { fits, follow, found, genesis, type Link, type Walked } from './chain.ts'
import { findKeysOf, marksWithin, type Span } from './checkpoints.ts'
import type { Verification } from './schema.ts'

/** Records between two breaths of the event loop: some milliseconds of hashing. */
const batchSize = 200

/**
 * Walks the organization's whole chain up to its head as it is now, recomputing each hash from the
 * record that the API shows, and compares it with the signed checkpoints. A record changed, missing
 * in the middle or cut off at the end is found; and so is a chain written anew, head and all.
 */
export async function verifyAuditLogs(ctx: Context): Promise<Verification> {
  for (;;) {
    const anchor = await anchorOf(ctx)
    const from = anchor ?? genesis
    const end = await endOf(ctx, from)
    const isProven = !anchor || isSealed(ctx, anchor)
    const walked = isProven ? await walk(ctx, from, end) : found(from, from, from.sequence + 1)
    const isWhole = walked.valid || (await anchorOf(ctx))?.sequence === anchor?.sequence
    if (isWhole) return { ...walked, checkpoints: end.checkpoints }
    // Records were pruned away under the walk: it begins again behind them.
  }
}

async function walk(ctx: Context, from: Link, end: End): Promise<Walked> {
  const findKey = findKeysOf(ctx)
  let last = from
  while (last.sequence < end.sequence) {
    const upTo = Math.min(last.sequence + batchSize, end.sequence)
    const span = { after: last.sequence, upTo }
    const [rows, marks] = await Promise.all([
      recordsWithin(ctx, span),
      marksWithin(ctx, span, findKey),
    ])
    if (rows.length === 0) return found(from, last, last.sequence + 1)
    for (const row of rows) {
      const next = follow(last, toAuditLog(row))
      if (!next || !fits(marks, next)) return found(from, last, last.sequence + 1)
      last = next
    }
  }
  const isWhole = last.sequence === end.sequence && last.hash === end.hash
  if (!isWhole) return found(from, last, last.sequence)
  const isCutOff = (end.checkpoints.last_sequence ?? 0) > last.sequence
  return found(from, last, isCutOff ? last.sequence + 1 : null)
}

type End = Link & Pick<Verification, 'checkpoints'>

// In one statement: a checkpoint that is made later must not pass for one beyond the end.
const endSql = `
  select h.audit_sequence as sequence, h.audit_hash as hash, c.count, c.last_sequence
  from organization_heads h
  cross join (
    select count(*) as count, max(sequence) as last_sequence
    from audit_checkpoints where organization_id = $1 and sequence > $2
  ) as c
  where h.organization_id = $1`

type EndRow = Link & Verification['checkpoints']

/** The end of the chain as the organization's head remembers it, and what was signed of it. */
async function endOf(ctx: Context, from: Link): Promise<End> {
  const parameters = [ctx.organization.id, from.sequence]
  const [row] = await ctx.reader.query<EndRow>({ sql: endSql, parameters })
  if (!row) throw new Error(`${ctx.organization.id} has no head`)
  const { sequence, hash, count, last_sequence } = row
  return { sequence, hash, checkpoints: { count, last_sequence } }
}

function recordsWithin(ctx: Context, { after, upTo }: Span): Promise<Row<'audit_logs'>[]> {
  const query = rowsOf(ctx, 'audit_logs')
    .select(everyColumn('audit_logs'))
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .orderBy('sequence')
  return ctx.reader.query<Row<'audit_logs'>>(query.compile())
}
