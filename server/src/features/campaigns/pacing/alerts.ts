import type { WriteContext } from '../../../kernel/context.ts'
import { announce, record } from '../../../kernel/ledger.ts'
import type { Actor } from '../../../values/organization.ts'
import type { Judgement } from './judge.ts'
import type { PacingStatus } from './measure/status.ts'
import { toPacing } from './present.ts'
import { storing } from './store.ts'

/** Whatever a person reported or changed, it is the service that judges. */
const service: Actor = { type: 'system', id: null, name: 'Flightdeck' }

/** A launched campaign that was not judged yet has no data, and is not running before its start. */
const statusBefore = ({ pacing_status, status }: Judgement['campaign']): PacingStatus =>
  pacing_status ?? (status === 'active' ? 'no_data' : 'not_running')

/** Whether the status is another one. */
export const isChange = ({ campaign, figures }: Judgement): boolean =>
  statusBefore(campaign) !== figures.status

/** Stores what was judged, with an audit record and an event for each change of status. */
export async function storeWithAlerts(
  ctx: WriteContext,
  judgements: readonly Judgement[],
): Promise<void> {
  if (judgements.length === 0) return
  ctx.tx.send(storing(ctx, judgements, { ifUnchanged: false }))
  for (const judgement of judgements.filter(isChange)) {
    await alert({ ...ctx, actor: service, reason: null }, judgement)
  }
}

async function alert(ctx: WriteContext, judgement: Judgement): Promise<void> {
  const { id, name } = judgement.campaign
  const after = toPacing(judgement)
  const before = { ...after, status: statusBefore(judgement.campaign) }
  const changes = [{ field: 'pacing', before: before.status, after: after.status }]
  const resource = { type: 'campaign', id, name }
  await record(ctx, { action: 'pacing.changed', resource, changes })
  await announce(ctx, 'pacing.changed', { before, after })
  if (after.status === 'stale') await announce(ctx, 'pacing.stale', { before, after })
}
