import { fieldsAt } from '../../history/as-of.ts'
import type { WriteContext } from '../../kernel/context.ts'
import type { Difference } from '../../kernel/differences.ts'
import type { Counted } from './daily-cost.ts'
import type { Details } from './present.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * The cost-relevant fields of the campaign 24 hours ago, or at its launch if that was later. Read
 * from the audit records, including those of this transaction that are not stored yet.
 */
export async function planADayAgo(ctx: WriteContext, row: Details): Promise<Counted> {
  const dayAgo = new Date(Date.parse(ctx.now) - dayMs).toISOString()
  const launchedAt = row.launched_at ?? ctx.now
  const time = launchedAt > dayAgo ? launchedAt : dayAgo
  const stored = await fieldsAt(ctx, 'campaign', { id: row.id, time })
  const fields = { ...(await notRecorded(ctx, row.id)), ...stored }
  // differences() takes the fields from representations of such rows.
  return { ...row, ...(fields as Partial<Counted>) }
}

/** Field values before this transaction, or at a launch within it. */
async function notRecorded(ctx: WriteContext, id: string): Promise<Record<string, unknown>> {
  const { records } = await ctx.ledger
  const fields: Record<string, unknown> = {}
  for (const { action, resource, changes } of records.toReversed()) {
    if (!action.startsWith('campaign.') || JSON.parse(String(resource)).id !== id) continue
    const differences = JSON.parse(String(changes)) as Difference[]
    if (differences.some(({ field }) => field === 'launched_at')) break
    for (const { field, before } of differences) fields[field] = before
  }
  return fields
}
