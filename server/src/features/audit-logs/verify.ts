import type { Context } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { type Anchor, anchorOf, isSealed } from './anchors.ts'
import { batchesOf } from './batches.ts'
import {
  type ChainWalk,
  genesis,
  type Link,
  matchesCheckpoint,
  resultOf,
  verifyNext,
} from './chain.ts'
import { findKeysOf, marksWithin } from './checkpoints.ts'
import type { Verification } from './schema.ts'

export type Verifying = {
  signal: AbortSignal
  /** Begins at the newest checkpoint, not at the oldest record. */
  sinceCheckpoint?: boolean
}

/** Yields how many records each step has read. */
type Steps<Result> = AsyncGenerator<number, Result>

/**
 * Walks the organization's whole chain up to its head as it is now, recomputing each hash from the
 * record that the API shows, and compares it with the signed checkpoints. A record changed, missing
 * in the middle or cut off at the end is found; and so is a chain written anew, head and all.
 */
export async function* verifyAuditLogs(ctx: Context, asked: Verifying): Steps<Verification> {
  for (;;) {
    const anchor = await anchorOf(ctx)
    const { from, ...begun } = await startOf(ctx, anchor, asked)
    const end = await endOf(ctx, from)
    const isProven = from.hash !== missing && (!anchor || isSealed(ctx, anchor))
    const walked = isProven
      ? yield* walk(ctx, { from, end, signal: asked.signal })
      : resultOf(from, from, from.sequence + 1)
    const isWhole = walked.valid || (await anchorOf(ctx))?.sequence === anchor?.sequence
    if (isWhole) return { ...walked, ...begun, checkpoints: end.checkpoints }
    // Records were pruned away under the walk: it begins again behind them.
  }
}

/** What a verification finds that nobody watches. */
export async function verified(steps: Steps<Verification>): Promise<Verification> {
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
  }
}

/** Stands for the hash before a record that is gone. */
const missing = ''

type Start = { from: Link } & Pick<Verification, 'since_checkpoint'>

const checkpointSql = `
  select c.sequence, a.prev_hash
  from audit_checkpoints c
  left join audit_logs a on a.organization_id = c.organization_id and a.sequence = c.sequence
  where c.organization_id = $1 and c.sequence > $2
  order by c.sequence desc
  limit 1`

/** In front of the first record to walk; of a checkpoint's, that is what the record says itself. */
async function startOf(
  ctx: Context,
  anchor: Anchor | undefined,
  { sinceCheckpoint }: Verifying,
): Promise<Start> {
  const oldest = anchor ?? genesis
  if (!sinceCheckpoint) return { from: oldest }
  const [newest] = await ctx.reader.query<{ sequence: number; prev_hash: string | null }>(
    tenantQuery(ctx, checkpointSql, oldest.sequence),
  )
  if (!newest) return { from: oldest, since_checkpoint: null }
  const { sequence, prev_hash } = newest
  const from = { sequence: sequence - 1, hash: prev_hash ?? missing }
  return { from, since_checkpoint: sequence }
}

type Way = { from: Link; end: End; signal: AbortSignal }

async function* walk(ctx: Context, { from, end, signal }: Way): Steps<ChainWalk> {
  const findKey = findKeysOf(ctx)
  let last = from
  const span = { after: from.sequence, upTo: end.sequence }
  for await (const { records, upTo } of batchesOf(ctx, span, { signal })) {
    const marks = await marksWithin(ctx, { after: last.sequence, upTo }, findKey)
    for (const record of records) {
      const next = verifyNext(last, record)
      if (!next || !matchesCheckpoint(marks, next)) return resultOf(from, last, last.sequence + 1)
      last = next
    }
    yield records.length
  }
  if (last.sequence < end.sequence) return resultOf(from, last, last.sequence + 1)
  const isWhole = last.sequence === end.sequence && last.hash === end.hash
  if (!isWhole) return resultOf(from, last, last.sequence)
  const isCutOff = (end.checkpoints.last_sequence ?? 0) > last.sequence
  return resultOf(from, last, isCutOff ? last.sequence + 1 : null)
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
  const [row] = await ctx.reader.query<EndRow>(tenantQuery(ctx, endSql, from.sequence))
  if (!row) throw new Error(`${ctx.organization.id} has no head`)
  const { sequence, hash, count, last_sequence } = row
  return { sequence, hash, checkpoints: { count, last_sequence } }
}
