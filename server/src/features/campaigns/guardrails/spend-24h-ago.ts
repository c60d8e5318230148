import { fieldsAt } from '../../../history/as-of.ts'
import type { WriteContext } from '../../../kernel/context.ts'
import type { NewRecord } from '../../../kernel/ledger.ts'
import { type Difference, undo } from '../../../schema/differences.ts'
import type { Details } from '../present.ts'
import type { Counted } from './daily-cost.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * The cost-relevant fields of the campaign 24 hours ago, or at its launch if that was later. Read
 * from the audit records, including those of this transaction that are not stored yet.
 */
export async function planADayAgo(ctx: WriteContext, row: Details): Promise<Counted> {
  const dayAgo = new Date(Date.parse(ctx.now) - dayMs).toISOString()
  const launchedAt = row.launched_at ?? ctx.now
  const time = launchedAt > dayAgo ? launchedAt : dayAgo
  const stored = await fieldsAt<Counted>(ctx, 'campaign', { id: row.id, time })
  return { ...row, ...(await notRecorded(ctx, row.id)), ...stored }
}

type Recorded = Counted & Pick<Details, 'launched_at'>

/** Field values before this transaction, or at a launch within it. */
async function notRecorded(ctx: WriteContext, id: string): Promise<Partial<Recorded>> {
  const { records } = await ctx.ledger
  const fields: Partial<Recorded> = {}
  for (const record of records.toReversed()) {
    if (!isOfCampaign(record) || record.resource.id !== id) continue
    if (record.changes.some(({ field }) => field === 'launched_at')) break
    undo(fields, record.changes)
  }
  return fields
}

type CampaignRecord = NewRecord & { changes: Difference<Recorded>[] }

const isOfCampaign = (record: NewRecord): record is CampaignRecord =>
  record.action.startsWith('campaign.')
