import type { WriteContext } from '../../../kernel/context.ts'
import { announce, record } from '../../../kernel/ledger.ts'
import { serviceActor } from '../../../values/organization.ts'
import type { Assessment } from './assess.ts'
import type { PacingStatus } from './measure/status.ts'
import { toPacing } from './present.ts'
import { sendAssessed } from './store.ts'

/** A launched campaign that was not assessed yet has no data, and is not running before its start. */
const statusBefore = ({ pacing_status, status }: Assessment['campaign']): PacingStatus =>
  pacing_status ?? (status === 'active' ? 'no_data' : 'not_running')

/** Whether the status is another one. */
export const isChange = ({ campaign, figures }: Assessment): boolean =>
  statusBefore(campaign) !== figures.status

/** Stores what was assessed, with an audit record and an event for each change of status. */
export async function storeWithAlerts(
  ctx: WriteContext,
  assessments: readonly Assessment[],
): Promise<void> {
  if (assessments.length === 0) return
  sendAssessed(ctx, ctx.tx, { assessments, ifUnchanged: false, now: ctx.now })
  for (const assessment of assessments.filter(isChange)) {
    // Whatever a person reported or changed, it is the service that assesses.
    await alert({ ...ctx, actor: serviceActor, reason: null }, assessment)
  }
}

async function alert(ctx: WriteContext, assessment: Assessment): Promise<void> {
  const { id, name } = assessment.campaign
  const after = toPacing(assessment)
  const before = { ...after, status: statusBefore(assessment.campaign) }
  const changes = [{ field: 'pacing', before: before.status, after: after.status }]
  const resource = { type: 'campaign', id, name }
  await record(ctx, { action: 'pacing.changed', resource, changes })
  await announce(ctx, 'pacing.changed', { before, after })
  if (after.status === 'stale') await announce(ctx, 'pacing.stale', { before, after })
}
