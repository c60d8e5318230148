import { isDeepStrictEqual } from 'node:util'
import { change } from '../../kernel/change.ts'
import type { WriteContext } from '../../kernel/context.ts'
import { nextStamps, update } from '../../kernel/rows.ts'
import { driftOf } from './desired.ts'
import { noteFormer } from './former.ts'
import { type DeploymentRow, forEveryone, staleness, summaryOf, toDeployment } from './present.ts'
import type { Deployment } from './schema.ts'
import { type DeploymentState, ruleOf } from './states.ts'

/** The one way in which a deployment changes: its state follows from its facts. */

/** The facts that a change may set; what follows from them is computed. */
export type DeploymentFacts = Partial<
  Omit<DeploymentRow, 'id' | 'organization_id' | 'drift' | 'state_since' | 'work_at'>
>

/** The row with its differences, its state, and the time of its next work. */
export function withState(row: DeploymentRow, facts: DeploymentFacts, now: string): DeploymentRow {
  const next = { ...row, ...facts }
  const isApplied = next.applied_generation >= next.generation
  const drift = isApplied ? driftOf(next, now) : []
  const { state } = ruleOf({ ...next, drift })
  const state_since = state === row.state ? row.state_since : now
  const known = { ...next, drift, state, state_since }
  return { ...known, work_at: workAt(known, now) }
}

/** When a connector has something to do; null: nothing. */
function workAt(row: DeploymentRow, now: string): string | null {
  const since = row.work_at !== null && row.work_at < now ? row.work_at : now
  if (row.state === 'removed') return null
  if (row.retry_at !== null) return row.retry_at
  // Blocked in its removal: a person has to ask again.
  if (row.state === 'removing' && row.error !== null) return null
  if (row.requested !== null) return since
  if (row.is_withheld) return null
  const due: readonly DeploymentState[] =
    row.drift_policy === 'overwrite' ? ['pending', 'drifted'] : ['pending']
  return due.includes(row.state) ? since : null
}

/** Columns that only say when to look again: their changes are recorded nowhere. */
const quiet = ['due_at', 'work_at', 'last_seen_at', 'attempts', 'retry_at', 'intent'] as const

const shownOf = (row: DeploymentRow) =>
  Object.entries(row).filter(([column]) => !quiet.some((each) => each === column))

/** Whether more than that differs. */
export const isNews = (before: DeploymentRow, after: DeploymentRow): boolean =>
  !isDeepStrictEqual(shownOf(before), shownOf(after))

type Changing = {
  row: DeploymentRow
  facts: DeploymentFacts
  /** Whether no connector holds the account, where that is known. */
  isStale?: boolean
}

type ChangedDeployment = { row: DeploymentRow; deployment: Deployment }

/** Changes a deployment and records it; with nothing changed, nothing is recorded. */
export async function changeDeployment(
  ctx: WriteContext,
  action: string,
  { row, facts, ...known }: Changing,
): Promise<ChangedDeployment> {
  const isStale = known.isStale ?? (await staleness(ctx, [row.profile_id]))(row.profile_id)
  const shown = (row: DeploymentRow) => toDeployment(row, ctx, { isStale })
  const next = withState(row, facts, ctx.now)
  const after = isNews(row, next) ? { ...next, ...nextStamps(ctx, row) } : row
  const deployment = await change<Deployment>(ctx, action, async (ctx) => {
    const before = shown(row)
    if (after === row) return { before, after: before }
    writeDeployment(ctx, row, after)
    return { before, after: shown(after), toSnapshot: forEveryone }
  })
  return { row: after, deployment }
}

/** Sends a row that changed, and how it shows on its campaign. */
function writeDeployment(ctx: WriteContext, before: DeploymentRow, after: DeploymentRow): void {
  update(ctx, 'deployments', { id: after.id, ...columnsOf(after) })
  if (before.network_object_id !== after.network_object_id) noteFormer(ctx, before)
  if (!isDeepStrictEqual(summaryOf(before), summaryOf(after))) showOnCampaign(ctx, after)
}

export const showOnCampaign = (ctx: WriteContext, row: DeploymentRow): void =>
  update(ctx, 'campaigns', { id: row.campaign_id, deployment: JSON.stringify(summaryOf(row)) })

const textOf = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** A row as it is stored, without its key. */
export const columnsOf = ({ organization_id: _, id: __, ...row }: DeploymentRow) => ({
  ...row,
  managed_fields: textOf(row.managed_fields),
  settings: JSON.stringify(row.settings),
  desired: JSON.stringify(row.desired),
  observed: textOf(row.observed),
  drift: JSON.stringify(row.drift),
  coverage: JSON.stringify(row.coverage),
  network_delivery: textOf(row.network_delivery),
  error: textOf(row.error),
  intent: textOf(row.intent),
})
