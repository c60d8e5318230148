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
  /** Start at the newest checkpoint up to this sequence instead of the oldest record. */
  sinceCheckpointUpTo?: number | undefined
}

/** Yields the number of records each step has read. */
type Steps<Result> = AsyncGenerator<number, Result>

/**
 * Verifies the organization's chain up to the current head: recomputes each hash from the record
 * that the API shows, and compares the chain with the signed checkpoints. Detects changed, removed
 * and truncated records, and a chain rewritten as a whole.
 */
export async function* verifyAuditLogs(ctx: Context, options: Verifying): Steps<Verification> {
  for (;;) {
    const anchor = await anchorOf(ctx)
    const { from, ...begun } = await startOf(ctx, anchor, options)
    const end = await endOf(ctx, from)
    const isProven = from.hash !== missing && (!anchor || isSealed(ctx, anchor))
    const walked = isProven
      ? yield* walk(ctx, { from, end, signal: options.signal })
      : resultOf(from, from, from.sequence + 1)
    const isWhole = walked.valid || (await anchorOf(ctx))?.sequence === anchor?.sequence
    if (isWhole) return { ...walked, ...begun, checkpoints: end.checkpoints }
    // Records were pruned during the walk: restart after them.
  }
}

/** Runs a verification to its end, ignoring progress. */
export async function verified(steps: Steps<Verification>): Promise<Verification> {
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
  }
}

/** Placeholder for the hash of a missing record. */
const missing = ''

type Start = { from: Link } & Pick<Verification, 'since_checkpoint'>

const checkpointSql = `
  select c.sequence, a.prev_hash
  from audit_checkpoints c
  left join audit_logs a on a.organization_id = c.organization_id and a.sequence = c.sequence
  where c.organization_id = $1 and c.sequence > $2 and c.sequence <= $3
  order by c.sequence desc
  limit 1`

/** The link before the first record to verify; for a checkpoint, taken from the record itself. */
async function startOf(
  ctx: Context,
  anchor: Anchor | undefined,
  { sinceCheckpointUpTo }: Verifying,
): Promise<Start> {
  const oldest = anchor ?? genesis
  if (sinceCheckpointUpTo === undefined) return { from: oldest }
  const [newest] = await ctx.reader.query<{ sequence: number; prev_hash: string | null }>(
    tenantQuery(ctx, checkpointSql, oldest.sequence, sinceCheckpointUpTo),
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

// One statement: a checkpoint made in between must not appear to lie beyond the end.
const endSql = `
  select h.audit_sequence as sequence, h.audit_hash as hash, c.count, c.last_sequence
  from organization_heads h
  cross join (
    select count(*) as count, max(sequence) as last_sequence
    from audit_checkpoints where organization_id = $1 and sequence > $2
  ) as c
  where h.organization_id = $1`

type EndRow = Link & Verification['checkpoints']

/** The end of the chain according to the organization's head, and its checkpoints. */
async function endOf(ctx: Context, from: Link): Promise<End> {
  const [row] = await ctx.reader.query<EndRow>(tenantQuery(ctx, endSql, from.sequence))
  if (!row) throw new Error(`${ctx.organization.id} has no head`)
  const { sequence, hash, count, last_sequence } = row
  return { sequence, hash, checkpoints: { count, last_sequence } }
}
